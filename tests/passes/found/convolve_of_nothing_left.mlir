// All along a dim was cropped by a slice that began at the end, which upstream refuses.
// arguments: tensor<1x1x4xi32>, tensor<4x1x0xi32>; seed 7
module {
  func.func @main(%arg0: tensor<1x?x4xi32>, %arg1: tensor<?x?x?xi32>) -> tensor<2x?x?xi32> {
    %0 = wax.convolve %arg0[0, f, b], %arg1[o, i, 0] to [b, 0, f] strides [2147483647] low [-1] high [0] rhs_dilations [3] batch_groups 2 : (tensor<1x?x4xi32>, tensor<?x?x?xi32>) -> tensor<2x?x?xi32>
    return %0 : tensor<2x?x?xi32>
  }
}
