// IREE did not deal a sum to workgroups that began with what a nest makes of two filled tensors, and refused it.
// arguments: tensor<1x1x3xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>; seed 66
module {
  func.func @main(%arg0: tensor<1x1x3xcomplex<f32>>, %arg1: tensor<?x?x3xcomplex<f32>>) -> tensor<1x?x?xcomplex<f32>> {
    %0 = wax.convolve %arg0[b, 0, f], %arg1[0, o, i] to [b, 0, f] strides [1] low [1] high [2] : (tensor<1x1x3xcomplex<f32>>, tensor<?x?x3xcomplex<f32>>) -> tensor<1x?x?xcomplex<f32>>
    return %0 : tensor<1x?x?xcomplex<f32>>
  }
}
