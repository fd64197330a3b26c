// What reads nothing of what it is given IREE drew into the dispatch that reads it, and could not deal that to workgroups.
// arguments: tensor<1x2x33xi64>; seed 115000269
module {
  func.func @main(%arg0: tensor<1x?x?xi64>) -> (tensor<1x?x?xi8>, tensor<1x?x?xi8>) {
    %0 = wax.map (%a = %arg0) : (tensor<1x?x?xi64>) -> tensor<1x?x?xi8> {
      %c32 = arith.constant 32 : i8
      wax.yield %c32 : i8
    }
    %1 = wax.constant dense<1> : tensor<i8>
    %2:2 = wax.reduce (%a = %arg0, %b = %arg0, %c = %0) over [] init(%acc = %1, %acc_1 = %1) : (tensor<1x?x?xi64>, tensor<1x?x?xi64>, tensor<1x?x?xi8>, tensor<i8>, tensor<i8>) -> (tensor<1x?x?xi8>, tensor<1x?x?xi8>) {
      %least = arith.constant -128 : i8
      %4 = arith.minui %least, %acc : i8
      %5 = arith.addi %acc_1, %least : i8
      wax.yield %4, %5 : i8, i8
    }
    %3 = wax.reverse %2#0 dims [2] : (tensor<1x?x?xi8>) -> tensor<1x?x?xi8>
    return %2#0, %3 : tensor<1x?x?xi8>, tensor<1x?x?xi8>
  }
}
