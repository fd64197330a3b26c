// IREE copied an argument onto itself, which its runtime refuses.
// arguments: tensor<3xcomplex<f64>>; seed 90000356
module {
  func.func @main(%arg0: tensor<?xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<1x2xcomplex<f64>>) {
    %0 = wax.reshape %arg0 [[0]] into [[0]] : (tensor<?xcomplex<f64>>) -> tensor<3xcomplex<f64>>
    %c-3 = arith.constant -3 : index
    %1 = wax.insert %arg0 into %0 offsets [%c-3] strides [1] : (tensor<?xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
    %2 = wax.window %1 dims [0] sizes [2] strides [1] dilations [2] : (tensor<3xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
    return %1, %2 : tensor<3xcomplex<f64>>, tensor<1x2xcomplex<f64>>
  }
}
