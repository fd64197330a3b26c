// IREE read elements of a column, whose dims of size 1 were dropped, from a strided view by a vector of indices.
// arguments: tensor<4x6x5xf32>, tensor<2xi32>; seed 1
module {
  func.func @main(%arg0: tensor<4x6x5xf32>, %arg1: tensor<2xi32>) -> tensor<2xf32> {
    %0 = wax.slice %arg0 offsets [1, 0, 1] sizes [1, 6, 1] strides [1, 1, 1] : (tensor<4x6x5xf32>) -> tensor<1x6x1xf32>
    %1 = wax.reshape %0 [[0], [1], [2]] into [[], [0], []] : (tensor<1x6x1xf32>) -> tensor<6xf32>
    %4 = wax.gather %1[%arg1[0]] : (tensor<6xf32>, tensor<2xi32>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}
