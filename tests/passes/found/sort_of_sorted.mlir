// Of two transposes, one with static sizes, upstream made one that gave a tensor of the other's type.
// arguments: tensor<1x4x3xi32>; seed 3
module {
func.func @main(%a: tensor<?x?x?xi32>) -> tensor<1x4x3xi32> {
  %0 = wax.sort (%x, %y = %a) along 1 : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
      %10 = arith.cmpi slt, %x, %y : i32
      wax.yield %10 : i1
    }
  %1 = wax.reshape %0 [[0], [1], [2]] into [[0], [1], [2]] : (tensor<?x?x?xi32>) -> tensor<1x4x3xi32>
  %2:2 = wax.sort (%x, %y = %1, %u, %v = %0) along 1 : (tensor<1x4x3xi32>, tensor<?x?x?xi32>) -> (tensor<1x4x3xi32>, tensor<1x4x3xi32>) {
      %10 = arith.cmpi slt, %x, %y : i32
      wax.yield %10 : i1
    }
  return %2#1 : tensor<1x4x3xi32>
}
}
