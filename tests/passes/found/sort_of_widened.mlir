// IREE drew what only widens elements into the dispatch of the sort that reads it, and could not place it there.
// arguments: tensor<4x3xi8>; seed 1
module {
  func.func @main(%arg0: tensor<4x3xi8>) -> tensor<4x3xi32> {
    %3 = wax.map arith.extsi(%arg0) : (tensor<4x3xi8>) -> tensor<4x3xi32>
    %0 = wax.sort (%a, %b = %3) along 1 : (tensor<4x3xi32>) -> tensor<4x3xi32> {
      %8 = arith.cmpi slt, %a, %b : i32
      wax.yield %8 : i1
    }
    return %0 : tensor<4x3xi32>
  }
}
