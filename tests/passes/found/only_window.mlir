// The loop over the only window is no loop, and what remained read past what it said.
// arguments: tensor<i8>; seed 1
module {
  func.func @main(%arg0: tensor<i8>) -> (tensor<1x3x2xi1>) {
    %0 = wax.iota along 0  : tensor<3x3xi32>
    %1 = wax.window %0 dims [0] sizes [2] strides [2] dilations [1] : (tensor<3x3xi32>) -> tensor<1x3x2xi32>
    %4 = wax.map (%a = %1) : (tensor<1x3x2xi32>) -> tensor<1x3x2xi1> {
      %10 = arith.addi %a, %a : i32
      %11 = arith.remui %a, %a : i32
      %12 = arith.trunci %11 : i32 to i1
      wax.yield %12 : i1
    }
    return %4 : tensor<1x3x2xi1>
  }
}
