// IREE hoisted the number out of the function, and took one result of what it hoisted for the other.
// arguments: tensor<0x4xi8>; seed 2000043
module {
  func.func @main(%arg0: tensor<0x4xi8>) -> (tensor<complex<f32>>, tensor<i1>) {
    %0 = wax.constant dense<0> : tensor<i32>
    %1 = wax.map (%a = %0) : (tensor<i32>) -> tensor<complex<f32>> {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant 1.000000e+00 : f32
      %3 = complex.create %cst_0, %cst : complex<f32>
      wax.yield %3 : complex<f32>
    }
    %2 = wax.map (%a = %1) : (tensor<complex<f32>>) -> tensor<i1> {
      %3 = complex.neq %a, %a : complex<f32>
      wax.yield %3 : i1
    }
    return %1, %2 : tensor<complex<f32>>, tensor<i1>
  }
}
