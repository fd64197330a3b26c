// Of a number and NaN, the greater one is the number, but it had no slope.
// arguments: tensor<4xf64>; seed 4776
module {
  func.func @main(%arg0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
    %0 = wax.map (%a = %arg0) : (tensor<4xf64>) -> tensor<4xf64> {
      %cst = arith.constant 0x7FF8000000000000 : f64
      %2 = arith.maxnumf %a, %cst : f64
      wax.yield %2 : f64
    }
    %1 = wax.map (%a = %arg0) : (tensor<4xf64>) -> tensor<4xf64> {
      %cst = arith.constant 0x7FF8000000000000 : f64
      %2 = arith.minnumf %cst, %a : f64
      wax.yield %2 : f64
    }
    return %0, %1 : tensor<4xf64>, tensor<4xf64>
  }
}
