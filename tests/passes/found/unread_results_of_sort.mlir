// Upstream let tensors that loops carry share their memory where their results are not used.
// arguments: tensor<i1>, tensor<4x2xi32>; seed 400877
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<4x?xi32>) -> tensor<4x?xi32> {
    %0 = wax.reverse %arg1 dims [1] : (tensor<4x?xi32>) -> tensor<4x?xi32>
    %9 = wax.broadcast arith.addi(%arg1[0, 1], %arg1[0, 1]) : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
    %1:3 = wax.sort (%a, %b = %arg1, %c, %d = %0, %e, %f = %9) along 1 : (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) -> (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) {
      %2 = arith.cmpi ult, %a, %b : i32
      wax.yield %2 : i1
    }
    return %1#1 : tensor<4x?xi32>
  }
}
