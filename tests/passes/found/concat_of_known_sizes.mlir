// IREE lost the size of joined tensors where it found that it was static.
// arguments: tensor<0x3x2xi8>, tensor<2x2x0xi8>, tensor<0x3xi8>; seed 200006
module {
  func.func @main(%arg0: tensor<?x3x2xi8>, %arg1: tensor<2x?x?xi8>, %arg2: tensor<?x3xi8>) -> tensor<?xi8> {
    %c2 = arith.constant 2 : index
    %0 = wax.constant dense<1> : tensor<i8>
    %1 = wax.fold (%a = %arg2) dims [0] sizes [%c2] strides [3] dilations [1] init(%acc = %0) : (tensor<?x3xi8>, tensor<i8>) -> tensor<?xi8> {
      %c2_i8 = arith.constant 2 : i8
      %3 = arith.subi %a, %c2_i8 : i8
      %4 = arith.muli %3, %acc : i8
      wax.yield %4 : i8
    } combine (%acc, %acc_0) {
      %3 = arith.muli %acc, %acc_0 : i8
      wax.yield %3 : i8
    }
    %2 = wax.concat (%1, %1, %1) along 0 : (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
    return %2 : tensor<?xi8>
  }
}
