// A branch's result was what others read too; IREE wrote to it in place, from itself.
// arguments: tensor<1x2xi64>, tensor<3xi8>, tensor<1x1xi8>, tensor<1x2xi8>, tensor<1x4xi32>, tensor<1x2x4xi8>, tensor<i1>; seed 5000018
module {
  func.func @main(%arg0: tensor<1x?xi64>, %arg1: tensor<?xi8>, %arg2: tensor<?x1xi8>, %arg3: tensor<1x2xi8>, %arg4: tensor<?x?xi32>, %arg5: tensor<?x2x4xi8>, %arg6: tensor<i1>) -> (tensor<1x2xi64>, tensor<1x2xi8>) {
    %c9 = arith.constant 9 : index
    %0 = wax.scatter (%a = %arg5) into(%acc = %arg3)[%arg4[0, 2], %arg0[0, 1]] : (tensor<?x2x4xi8>, tensor<1x2xi8>, tensor<?x?xi32>, tensor<1x?xi64>) -> tensor<1x2xi8> {
      %5 = arith.divsi %a, %a : i8
      %6 = arith.muli %5, %a : i8
      %7 = arith.andi %6, %acc : i8
      wax.yield %7 : i8
    } combine (%acc, %acc_0) {
      %5 = arith.andi %acc, %acc_0 : i8
      wax.yield %5 : i8
    }
    %1 = wax.scatter (%a = %arg5) into(%acc = %0)[%arg4[0, 2], %arg0[0, 1]] : (tensor<?x2x4xi8>, tensor<1x2xi8>, tensor<?x?xi32>, tensor<1x?xi64>) -> tensor<1x2xi8> {
      %5 = arith.divsi %a, %a : i8
      %6 = arith.muli %5, %a : i8
      %7 = arith.andi %6, %acc : i8
      wax.yield %7 : i8
    } combine (%acc, %acc_0) {
      %5 = arith.andi %acc, %acc_0 : i8
      wax.yield %5 : i8
    }
    %extracted = tensor.extract %arg6[] : tensor<i1>
    %2 = scf.if %extracted -> (tensor<?x?xi8>) {
      %cast = tensor.cast %0 : tensor<1x2xi8> to tensor<?x?xi8>
      scf.yield %cast : tensor<?x?xi8>
    } else {
      %cast = tensor.cast %1 : tensor<1x2xi8> to tensor<?x?xi8>
      scf.yield %cast : tensor<?x?xi8>
    }
    %3 = wax.insert %0 into %2 offsets [0, %c9] strides [1, 1] : (tensor<1x2xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
    %4:3 = wax.sort (%a, %b = %3, %c, %d = %arg0, %e, %f = %arg3) along 1 : (tensor<?x?xi8>, tensor<1x?xi64>, tensor<1x2xi8>) -> (tensor<1x2xi8>, tensor<1x2xi64>, tensor<1x2xi8>) {
      %5 = arith.cmpi slt, %b, %a : i8
      wax.yield %5 : i1
    }
    return %4#1, %4#2 : tensor<1x2xi64>, tensor<1x2xi8>
  }
}
