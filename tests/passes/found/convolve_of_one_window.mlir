// One position of a window of one element was taken for all of the padded dim.
// arguments: tensor<1x2x1xf32>, tensor<2x1x1xf32>; seed 306000747
module {
  func.func @main(%arg0: tensor<1x?x1xf32>, %arg1: tensor<2x1x1xf32>) -> tensor<1x2x1xf32> {
    %0 = wax.convolve %arg0[0, f, b], %arg1[o, 0, i] to [0, f, b] strides [2147483647] low [2] high [0] lhs_dilations [2] feature_groups 2 : (tensor<1x?x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
    return %0 : tensor<1x2x1xf32>
  }
}
