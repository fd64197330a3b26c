// IREE's compiler crashed on indices of lanes that were constants, and took the process down.
// arguments: tensor<7xi8>; seed 1
module {
  func.func @main(%arg0: tensor<?xi8>) -> tensor<?xi8> {
    %0 = wax.map (%a = %arg0) : (tensor<?xi8>) -> tensor<?xi8> {
      %c2 = arith.constant 2 : i8
      wax.yield %c2 : i8
    }
    %1 = wax.constant dense<1> : tensor<i8>
    %2 = wax.pad %0 with %1 low [0] high [0] interior [1] : (tensor<?xi8>, tensor<i8>) -> tensor<?xi8>
    return %2 : tensor<?xi8>
  }
}
