// Of a tensor of no elements that has open sizes too no slice can be taken.
// arguments: tensor<0x2x1xf32>, tensor<2x1x1xf32>; seed 314004355
module {
  func.func @main(%arg0: tensor<0x?x1xf32>, %arg1: tensor<2x1x1xf32>) -> tensor<0x1x2xf32> {
    %0 = wax.convolve %arg0[b, 0, f], %arg1[o, i, 0] to [b, 0, f] strides [2147483647] low [0] high [1] : (tensor<0x?x1xf32>, tensor<2x1x1xf32>) -> tensor<0x1x2xf32>
    return %0 : tensor<0x1x2xf32>
  }
}
