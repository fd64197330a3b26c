// No indices were known where the updates' sizes were not, and IREE refused to read them.
// arguments: tensor<4x1xi1>, tensor<1x4xf32>, tensor<1x0xi1>, tensor<0x4xi32>, tensor<4x0x0x4xi8>, tensor<0x4x4x0xi1>; seed 300382
module {
  func.func @main(%arg0: tensor<?x?xi1>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x0xi1>, %arg3: tensor<0x?xi32>, %arg4: tensor<4x?x?x4xi8>, %arg5: tensor<?x?x4x?xi1>) -> tensor<?x?xi1> {
    %0 = wax.insert %arg2 into %arg0 offsets [0, 0] strides [2, 1] : (tensor<?x0xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
    %1:2 = wax.scatter (%a = %arg4, %b = %arg4) into(%acc = %0, %acc_0 = %0)[%arg3[2, 3], %arg3[1, 0]] : (tensor<4x?x?x4xi8>, tensor<4x?x?x4xi8>, tensor<?x?xi1>, tensor<?x?xi1>, tensor<0x?xi32>, tensor<0x?xi32>) -> (tensor<?x?xi1>, tensor<?x?xi1>) {
      %2 = arith.ceildivsi %a, %a : i8
      %3 = arith.trunci %2 : i8 to i1
      %4 = arith.ori %3, %acc : i1
      %5 = arith.andi %3, %acc_0 : i1
      wax.yield %4, %5 : i1, i1
    }
    return %1#0 : tensor<?x?xi1>
  }
}
