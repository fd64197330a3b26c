// A complex number was put around a tensor whose type did not show what is known of its sizes, and the box not fit.
// arguments: tensor<2x1xcomplex<f64>>; seed 3201362
module {
  func.func @main(%arg0: tensor<2x1xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
    %c2 = arith.constant 2 : index
    %0 = wax.constant dense<(1.0, 0.0)> : tensor<complex<f64>>
    %1 = wax.fold ordered complex.sub(%arg0) dims [0] sizes [%c2] strides [1] dilations [1] init(%0) : (tensor<2x1xcomplex<f64>>, tensor<complex<f64>>) -> tensor<?xcomplex<f64>>
    %2 = wax.pad %1 with %0 low [1] high [2] interior [0] : (tensor<?xcomplex<f64>>, tensor<complex<f64>>) -> tensor<?xcomplex<f64>>
    return %2 : tensor<?xcomplex<f64>>
  }
}
