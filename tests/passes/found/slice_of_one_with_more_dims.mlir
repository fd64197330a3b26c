// IREE sliced a scalar where it moved the reshape before the slice, and refused that.
// arguments: tensor<1xi1>; seed 72000313
module {
  func.func @main(%arg0: tensor<?xi1>) -> (tensor<?xi1>, tensor<?x?xi1>) {
    %0 = wax.constant dense<true> : tensor<i1>
    %1 = wax.pad %arg0 with %0 low [-1] high [1] interior [0] : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
    %c1 = arith.constant 1 : index
    %2 = wax.reshape %1 [[0]] into [[0, 1]] sizes [%c1, %c1] : (tensor<?xi1>) -> tensor<?x?xi1>
    return %1, %2 : tensor<?xi1>, tensor<?x?xi1>
  }
}
