// IREE gave the places, transposed, for what is gathered where a number is padded with itself by a loop.
// arguments: tensor<3x2xi64>; seed 990001281
module {
  func.func @main(%arg0: tensor<3x?xi64>) -> tensor<?x3xi64> {
    %0 = wax.constant dense<1> : tensor<i64>
    %1 = wax.reduce arith.maxui(%arg0) over [0] init(%0) : (tensor<3x?xi64>, tensor<i64>) -> tensor<?xi64>
    %2 = wax.map (%a = %1) : (tensor<?xi64>) -> tensor<?xi64> {
      %one = arith.constant 1 : i64
      wax.yield %one : i64
    }
    %3 = wax.pad %2 with %0 low [1] high [-1] interior [1] : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    %4 = wax.gather %3[%arg0[1, 0]] : (tensor<?xi64>, tensor<3x?xi64>) -> tensor<?x3xi64>
    return %4 : tensor<?x3xi64>
  }
}
