// What one element is padded to is cropped whole, which only the run shows: its gradient read the second of no elements.
// arguments: tensor<1xf64>, tensor<3xf64>; seed 7
module {
  func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
    %zero = wax.constant dense<0.0> : tensor<f64>
    %first = wax.pad %x with %zero low [-1] high [0] interior [1] : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %middle = wax.pad %y with %zero low [-4] high [2] interior [1] : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    return %first, %middle : tensor<?xf64>, tensor<?xf64>
  }
}
