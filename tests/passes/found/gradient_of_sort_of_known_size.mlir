// One operand tells the sizes of all results; in reverse mode the others' results had their operands' types.
// arguments: tensor<2xf64>, tensor<2xf64>; seed 1546
module {
  func.func @main(%arg0: tensor<?xf64>, %arg1: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    %0:2 = wax.sort (%a, %b = %arg0, %c, %d = %arg1) along 0 : (tensor<?xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
      %1 = arith.cmpf olt, %a, %b : f64
      wax.yield %1 : i1
    }
    return %0#0, %0#1 : tensor<2xf64>, tensor<2xf64>
  }
}
