// Without the loop over the only element of each window, upstream wanted what is read to end with the last window.
// arguments: tensor<2x2xi1>, tensor<i1>; seed 115000637
module {
  func.func @main(%arg0: tensor<2x?xi1>, %arg4: tensor<i1>) -> tensor<?x1x1x1xi1> {
    %extracted = tensor.extract %arg4[] : tensor<i1>
    %9 = scf.if %extracted -> (tensor<?x2xi1>) {
      %cast = tensor.cast %arg0 : tensor<2x?xi1> to tensor<?x2xi1>
      scf.yield %cast : tensor<?x2xi1>
    } else {
      %cast = tensor.cast %arg0 : tensor<2x?xi1> to tensor<?x?xi1>
      %1 = wax.reverse %cast dims [0, 1] : (tensor<?x?xi1>) -> tensor<?x?xi1>
      %cast_2 = tensor.cast %1 : tensor<?x?xi1> to tensor<?x2xi1>
      scf.yield %cast_2 : tensor<?x2xi1>
    }
    %10 = wax.window %9 dims [0, 1] sizes [1, 1] strides [3, 3] dilations [2147483647, 2] : (tensor<?x2xi1>) -> tensor<?x1x1x1xi1>
    return %10 : tensor<?x1x1x1xi1>
  }
}
