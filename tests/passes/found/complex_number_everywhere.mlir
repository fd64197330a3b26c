// IREE filled a tensor with a number of 128 bits, which it cannot.
// arguments: tensor<2x3xi32>; seed 1
module {
  func.func @main(%arg0: tensor<?x3xi32>) -> (tensor<?x3xcomplex<f64>>, tensor<3x?xcomplex<f64>>) {
    %0 = wax.map (%a = %arg0) : (tensor<?x3xi32>) -> tensor<?x3xcomplex<f64>> {
      %cst = complex.constant [0.000000e+00, 1.000000e+00] : complex<f64>
      wax.yield %cst : complex<f64>
    }
    %1 = wax.slice %arg0 offsets [0, 0] sizes [2, 3] strides [1, 1] : (tensor<?x3xi32>) -> tensor<2x3xi32>
    %2 = wax.map (%a = %1) : (tensor<2x3xi32>) -> tensor<2x3xcomplex<f64>> {
      %cst = complex.constant [0.000000e+00, 0.000000e+00] : complex<f64>
      wax.yield %cst : complex<f64>
    }
    %3 = wax.permute %2 [1, 0] : (tensor<2x3xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %4 = tensor.cast %3 : tensor<3x2xcomplex<f64>> to tensor<3x?xcomplex<f64>>
    return %0, %4 : tensor<?x3xcomplex<f64>>, tensor<3x?xcomplex<f64>>
  }
}
