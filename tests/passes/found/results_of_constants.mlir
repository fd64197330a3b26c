// IREE ran the scan while it compiled, and took the result that is not used for the other.
// arguments: tensor<4x3xi1>; seed 300580
module {
  func.func @main(%arg0: tensor<4x3xi1>) -> tensor<3x4xi1> {
    %0 = wax.constant dense<true> : tensor<i1>
    %1 = wax.constant dense<1.000000e+00> : tensor<f32>
    %2 = wax.constant dense<36> : tensor<i32>
    %3 = wax.broadcast arith.extsi(%arg0[1, 0]) : (tensor<4x3xi1>) -> tensor<3x4xi8>
    %4 = wax.iota along 1 : tensor<3x4xi32>
    %5:2 = wax.scan (%a = %4) along 1 init(%acc = %1, %acc_0 = %0) : (tensor<3x4xi32>, tensor<f32>, tensor<i1>) -> (tensor<3x4xf32>, tensor<3x4xi1>) {
      %true = arith.constant true
      %cst = arith.constant -1.000000e+00 : f32
      %7 = arith.maximumf %acc, %cst : f32
      wax.yield %7, %true : f32, i1
    }
    %6 = wax.scatter (%a = %3) into(%acc = %5#1)[%2[], %3[0, 1]] : (tensor<3x4xi8>, tensor<3x4xi1>, tensor<i32>, tensor<3x4xi8>) -> tensor<3x4xi1> {
      %7 = arith.divui %a, %a : i8
      %8 = arith.cmpi ult, %7, %a : i8
      %9 = arith.andi %8, %acc : i1
      wax.yield %9 : i1
    }
    return %6 : tensor<3x4xi1>
  }
}
