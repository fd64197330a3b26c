// IREE refused constants of 128 bits an element, or crashed on them.
// arguments: tensor<2xcomplex<f64>>; seed 1
module {
  func.func @main(%arg0: tensor<2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<9x2xcomplex<f64>>, tensor<complex<f64>>, tensor<3xcomplex<f64>>, tensor<1x0xcomplex<f64>>) {
    %0 = wax.constant dense<(1.0, 2.0)> : tensor<9x2xcomplex<f64>>
    %1 = wax.constant dense<[(0.0, -0.0), (1.0, 2.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
    %2 = wax.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
    %3 = wax.constant dense<> : tensor<1x0xcomplex<f64>>
    %4 = wax.constant dense<[(3.0, -5.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
    %5 = wax.broadcast complex.add(%arg0[0], %4[0]) : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
    return %5, %0, %2, %1, %3 : tensor<2xcomplex<f64>>, tensor<9x2xcomplex<f64>>, tensor<complex<f64>>, tensor<3xcomplex<f64>>, tensor<1x0xcomplex<f64>>
  }
}
