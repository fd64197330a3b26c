// IREE made a constant of what was filled and had no columns, and it could not be loaded.
// arguments: tensor<0xi1>, tensor<i1>; seed 325001173
module {
  func.func @main(%arg0: tensor<?xi1>, %arg1: tensor<i1>) -> (tensor<?x0xi1>, tensor<?xi1>) {
    %0 = wax.broadcast (%a = %arg0[1]) sizes [3] : (tensor<?xi1>) -> tensor<3x?xi1> {
      %true = arith.constant true
      wax.yield %true : i1
    }
    %1 = tensor.extract %arg1[] : tensor<i1>
    %2:2 = scf.if %1 -> (tensor<?x0xi1>, tensor<?xi1>) {
      %3 = tensor.cast %0 : tensor<3x?xi1> to tensor<?x0xi1>
      scf.yield %3, %arg0 : tensor<?x0xi1>, tensor<?xi1>
    } else {
      %3 = tensor.cast %arg0 : tensor<?xi1> to tensor<0xi1>
      %4 = tensor.cast %0 : tensor<3x?xi1> to tensor<3x0xi1>
      %5 = tensor.cast %4 : tensor<3x0xi1> to tensor<?x0xi1>
      %6 = tensor.cast %3 : tensor<0xi1> to tensor<?xi1>
      scf.yield %5, %6 : tensor<?x0xi1>, tensor<?xi1>
    }
    return %2#0, %2#1 : tensor<?x0xi1>, tensor<?xi1>
  }
}
