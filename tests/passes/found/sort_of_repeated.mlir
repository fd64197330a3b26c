// An operand given twice was sorted twice where sizes had to be compared.
// arguments: tensor<i1>, tensor<4x2xi32>; seed 400877
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<4x?xi32>) -> tensor<4x?xi32> {
    %0 = wax.reverse %arg1 dims [1] : (tensor<4x?xi32>) -> tensor<4x?xi32>
    %1:3 = wax.sort (%a, %b = %arg1, %c, %d = %0, %e, %f = %0) along 1 : (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) {
      %2 = arith.cmpi ult, %a, %b : i32
      wax.yield %2 : i1
    }
    return %1#1 : tensor<4x?xi32>
  }
}
