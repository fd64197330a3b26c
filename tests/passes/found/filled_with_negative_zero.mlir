// IREE lost the sign of a zero that is part of a number which fills a tensor.
// arguments: tensor<3xi32>; seed 66000696
module {
  func.func @main(%arg0: tensor<?xi32>) -> (tensor<?xcomplex<f32>>, tensor<?xcomplex<f64>>, tensor<?xcomplex<f32>>) {
    %0 = wax.broadcast (%a = %arg0[0]) : (tensor<?xi32>) -> tensor<?xcomplex<f32>> {
      %cst = complex.constant [-0.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
      wax.yield %cst : complex<f32>
    }
    %1 = wax.broadcast (%a = %arg0[0]) : (tensor<?xi32>) -> tensor<?xcomplex<f64>> {
      %cst = complex.constant [-0.000000e+00, 2.000000e+00] : complex<f64>
      wax.yield %cst : complex<f64>
    }
    %2 = wax.broadcast (%a = %arg0[0]) : (tensor<?xi32>) -> tensor<?xcomplex<f32>> {
      %cst = complex.constant [2.000000e+00 : f32, -0.000000e+00 : f32] : complex<f32>
      wax.yield %cst : complex<f32>
    }
    return %0, %1, %2 : tensor<?xcomplex<f32>>, tensor<?xcomplex<f64>>, tensor<?xcomplex<f32>>
  }
}
