// The reduced dims, of which one is 0, were merged into a dim said to be dynamic, and the process died of it.
// arguments: tensor<3x3x0xf64>, tensor<2x4x0x1xf64>; seed 4261
module {
  func.func @main(%arg0: tensor<?x?x0xf64>, %arg1: tensor<?x?x0x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %0 = wax.constant dense<1.000000e+00> : tensor<f64>
    %1 = wax.reduce (%a = %arg0) over [1, 2] init(%acc = %0) : (tensor<?x?x0xf64>, tensor<f64>) -> tensor<?xf64> {
      wax.yield %a : f64
    }
    %2 = wax.reduce (%a = %arg1) over [1, 2] init(%acc = %0) : (tensor<?x?x0x?xf64>, tensor<f64>) -> tensor<?x?xf64> {
      %3 = arith.divf %a, %acc : f64
      %4 = math.copysign %3, %a : f64
      wax.yield %4 : f64
    }
    return %1, %2 : tensor<?xf64>, tensor<?x?xf64>
  }
}
