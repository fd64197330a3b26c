// MLIR folds the angle of two zeros to NaN.
// arguments: tensor<f32>, tensor<4xi32>; seed 64001480
module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<4xi32>) -> (tensor<4xcomplex<f64>>, tensor<4xf64>) {
    %0 = wax.broadcast (%a = %arg1[0]) : (tensor<4xi32>) -> tensor<4xcomplex<f64>> {
      %cst = complex.constant [0.000000e+00, 0.000000e+00] : complex<f64>
      wax.yield %cst : complex<f64>
    }
    %1 = wax.map (%a = %0) : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
      %3 = complex.log %a : complex<f64>
      wax.yield %3 : complex<f64>
    }
    %zero = wax.constant dense<0.0> : tensor<f64>
    %2 = wax.scan (%a = %0) along 0 reverse init(%acc = %zero) : (tensor<4xcomplex<f64>>, tensor<f64>) -> tensor<4xf64> {
      %3 = complex.log %a : complex<f64>
      %4 = complex.im %3 : complex<f64>
      %5 = arith.addf %acc, %4 : f64
      wax.yield %5 : f64
    }
    return %1, %2 : tensor<4xcomplex<f64>>, tensor<4xf64>
  }
}
