// What lies between elements was made after the last one too, and took 8 GB here.
// arguments: tensor<1x2xf32>; seed 5
module {
  func.func @main(%arg0: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x3xf32>) {
    %0 = wax.constant dense<1.000000e+00> : tensor<f32>
    %1 = wax.pad %arg0 with %0 low [1, 0] high [0, 0] interior [2147483646, 0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
    %2 = wax.pad %arg0 with %0 low [0, -1] high [0, -2147483644] interior [0, 2147483646] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x3xf32>
    return %1, %2 : tensor<?x2xf32>, tensor<?x3xf32>
  }
}
