// iree-compile divided by the size that is known to be 0, and died of it.
// arguments: tensor<4x0x1xi8>, tensor<4x0x1xi8>; seed 310180
module {
  func.func @main(%arg0: tensor<?x0x?xi8>, %arg1: tensor<?x0x?xi8>) -> (tensor<?xi32>, tensor<?xi8>) {
    %0 = wax.constant dense<7> : tensor<i32>
    %1 = wax.constant dense<0> : tensor<i8>
    %2:2 = wax.reduce (%a = %arg0, %b = %arg1) over [0, 1] init(%acc = %0, %acc_0 = %1) : (tensor<?x0x?xi8>, tensor<?x0x?xi8>, tensor<i32>, tensor<i8>) -> (tensor<?xi32>, tensor<?xi8>) {
      %3 = arith.extsi %b : i8 to i32
      %4 = arith.ori %3, %acc : i32
      %5 = arith.addi %a, %acc_0 : i8
      wax.yield %4, %5 : i32, i8
    } combine (%acc, %acc_0, %acc_1, %acc_2) {
      %3 = arith.ori %acc, %acc_1 : i32
      %4 = arith.addi %acc_0, %acc_2 : i8
      wax.yield %3, %4 : i32, i8
    }
    return %2#0, %2#1 : tensor<?xi32>, tensor<?xi8>
  }
}
