// IREE failed on elements of a strided view, which padding between them read.
// arguments: tensor<3x4xi8>, tensor<3xf32>; seed 300133
module {
  func.func @main(%arg0: tensor<?x4xi8>, %arg1: tensor<?xf32>) -> tensor<6xf32> {
    %0 = wax.constant dense<1.000000e+00> : tensor<f32>
    %1 = wax.slice %arg1 offsets [0] sizes [2] strides [2] : (tensor<?xf32>) -> tensor<2xf32>
    %2 = wax.pad %1 with %0 low [2] high [1] interior [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
    return %2 : tensor<6xf32>
  }
}
