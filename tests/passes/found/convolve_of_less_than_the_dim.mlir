// IREE took the dim, which is longer, for what the only window goes through.
// arguments: tensor<2x2x1xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>; seed 306000845
module {
  func.func @main(%arg0: tensor<2x?x1xcomplex<f32>>, %arg1: tensor<2x3x4xcomplex<f32>>) -> tensor<4x1x1xcomplex<f32>> {
    %0 = wax.convolve %arg0[0, f, b], %arg1[i, 0, o] to [f, b, 0] strides [2147483647] low [0] high [1] lhs_dilations [2] : (tensor<2x?x1xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>) -> tensor<4x1x1xcomplex<f32>>
    return %0 : tensor<4x1x1xcomplex<f32>>
  }
}
