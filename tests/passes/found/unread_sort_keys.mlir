// For IREE, keys of a sort that nothing reads were taken away from its dispatch, and got memory
// on the stack of a workgroup instead, which has little.
// arguments: tensor<0x2xi1>, tensor<4xi8>; seed 538
module {
  func.func @main(%arg0: tensor<?x?xi1>, %arg1: tensor<?xi8>) -> (tensor<i8>, tensor<3xi8>) {
    %0 = wax.constant dense<1> : tensor<i8>
    %1 = wax.scan ordered arith.xori(%arg1) along 0 init(%0) : (tensor<?xi8>, tensor<i8>) -> tensor<?xi8>
    %2:3 = wax.sort (%a, %b = %arg1, %c, %d = %1, %e, %f = %arg1) along 0 : (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
      %10 = arith.cmpi slt, %a, %b : i8
      wax.yield %10 : i1
    }
    %3 = wax.permute %2#0 [0] : (tensor<?xi8>) -> tensor<?xi8>
    %c3 = arith.constant 3 : index
    %4 = wax.iota along 0 sizes [%c3] : tensor<?xi8>
    %5 = wax.gather %2#1[%4[0]] : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
    %6 = wax.gather %4[%4[0]] : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
    %7 = wax.constant dense<1> : tensor<i8>
    %8 = wax.reduce (%a = %5) over [0] init(%acc = %7) : (tensor<?xi8>, tensor<i8>) -> tensor<i8> {
      %10 = arith.cmpi eq, %acc, %a : i8
      %11 = arith.ori %10, %10 : i1
      wax.yield %acc : i8
    }
    %9 = wax.iota along 0 : tensor<3xi8>
    return %8, %9 : tensor<i8>, tensor<3xi8>
  }
}
