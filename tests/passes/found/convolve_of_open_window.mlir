// The loop over the only window went, and that over its elements through all of the dim.
// arguments: tensor<1x70x32xf32>, tensor<64x20x32xf32>; seed 5
module {
  func.func @main(%arg0: tensor<1x?x32xf32>, %arg1: tensor<64x?x32xf32>) -> tensor<1x1x64xf32> {
    %0 = wax.convolve %arg0[b, 0, f], %arg1[o, 0, i] to [b, 0, f] strides [70] low [0] high [0] : (tensor<1x?x32xf32>, tensor<64x?x32xf32>) -> tensor<1x1x64xf32>
    return %0 : tensor<1x1x64xf32>
  }
}
