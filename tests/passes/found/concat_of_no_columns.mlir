// One operand is known to have no columns, so that none has: but they have rows.
// arguments: tensor<i1>, tensor<3x0xi32>; seed 61000340
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<3x?xi32>) -> tensor<9x?xi32> {
    %0 = wax.iota along 1 : tensor<3x0xi32>
    %1 = wax.concat (%arg1, %0, %arg1) along 0 : (tensor<3x?xi32>, tensor<3x0xi32>, tensor<3x?xi32>) -> tensor<9x?xi32>
    return %1 : tensor<9x?xi32>
  }
}
