// Over dims of which the first had one element, IREE saw that the step is constant, and gave another result.
// arguments: tensor<1xi1>, tensor<i1>, tensor<1x3xi1>, tensor<4x3xi32>, tensor<0x3xi32>, tensor<3x4xi32>, tensor<3xi32>, tensor<0x3xi8>, tensor<3x4xi32>; seed 300336
module {
  func.func @main(%arg0: tensor<1xi1>, %arg1: tensor<i1>, %arg2: tensor<1x?xi1>, %arg3: tensor<4x3xi32>, %arg4: tensor<0x3xi32>, %arg5: tensor<3x4xi32>, %arg6: tensor<3xi32>, %arg7: tensor<?x?xi8>, %arg8: tensor<3x?xi32>) -> tensor<i1> {
    %0 = wax.constant dense<true> : tensor<i1>
    %1 = wax.broadcast (%a = %arg7[2, 1]) sizes [1] : (tensor<?x?xi8>) -> tensor<1x?x?xi1> {
      %true = arith.constant true
      wax.yield %true : i1
    }
    %2 = wax.reduce (%a = %1) over [0, 1, 2] init(%acc = %0) : (tensor<1x?x?xi1>, tensor<i1>) -> tensor<i1> {
      %3 = arith.ori %acc, %a : i1
      wax.yield %3 : i1
    }
    return %2 : tensor<i1>
  }
}
