// Of pieces and a pad of no elements and an open size MLIR's bufferization took slices behind the end.
// arguments: tensor<4x0x3xf32>, tensor<4x0x3xf32>; seed 910003982
module {
  func.func @main(%arg0: tensor<4x0x?xf32>, %arg1: tensor<4x0x?xf32>) -> (tensor<8x0x?xf32>, tensor<4x0x?xf32>) {
    %0 = wax.concat (%arg0, %arg1) along 0 : (tensor<4x0x?xf32>, tensor<4x0x?xf32>) -> tensor<8x0x?xf32>
    %1 = wax.constant dense<1.000000e+00> : tensor<f32>
    %2 = wax.pad %arg0 with %1 low [0, 0, 2] high [0, 0, -1] interior [0, 0, 0] : (tensor<4x0x?xf32>, tensor<f32>) -> tensor<4x0x?xf32>
    return %0, %2 : tensor<8x0x?xf32>, tensor<4x0x?xf32>
  }
}
