// The slice of what is zero everywhere, and of an open size, was written outside of every dispatch.
// arguments: tensor<0x1x1xf32>, tensor<0x2x2xf32>; seed 115000882
module {
  func.func @main(%arg0: tensor<?x1x1xf32>, %arg1: tensor<0x?x2xf32>) -> tensor<?x?x1xf32> {
    %0 = wax.convolve %arg0[f, b, 0], %arg1[i, o, 0] to [0, b, f] strides [3] low [2] high [2] feature_groups 2 : (tensor<?x1x1xf32>, tensor<0x?x2xf32>) -> tensor<2x1x?xf32>
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %1 = wax.slice %0 offsets [0, 0, 0] sizes [%c2, %c1, 1] strides [1, 1, 2] : (tensor<2x1x?xf32>) -> tensor<?x?x1xf32>
    return %1 : tensor<?x?x1xf32>
  }
}
