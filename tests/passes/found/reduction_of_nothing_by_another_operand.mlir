// IREE's compiler divides by a size that other operands tell is 0.
// arguments: tensor<4x0x2xf32>; seed 405000774
module {
  func.func @main(%arg0: tensor<?x?x2xf32>) -> (tensor<bf16>, tensor<f32>) {
    %0 = wax.sort (%a, %b = %arg0) along 2 : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32> {
      %5 = arith.cmpf ult, %b, %a : f32
      %6 = arith.cmpf ord, %b, %b : f32
      %7 = arith.andi %5, %6 : i1
      wax.yield %7 : i1
    }
    %c0 = arith.constant 0 : index
    %c-3 = arith.constant -3 : index
    %c2 = arith.constant 2 : index
    %1 = wax.slice %0 offsets [%c0, 0, %c-3] sizes [4, 0, %c2] strides [1, 1, 1] : (tensor<?x?x2xf32>) -> tensor<4x0x?xf32>
    %2 = wax.constant dense<1.000000e+00> : tensor<bf16>
    %3 = wax.constant dense<1.000000e+00> : tensor<f32>
    %4:2 = wax.reduce (%a = %0, %b = %1, %c = %0) over [0, 1, 2] init(%acc = %2, %acc_0 = %3) : (tensor<?x?x2xf32>, tensor<4x0x?xf32>, tensor<?x?x2xf32>, tensor<bf16>, tensor<f32>) -> (tensor<bf16>, tensor<f32>) {
      %5 = math.trunc %c : f32
      %6 = arith.truncf %5 : f32 to bf16
      %7 = arith.minimumf %acc, %6 : bf16
      %8 = arith.minimumf %5, %acc_0 : f32
      wax.yield %7, %8 : bf16, f32
    }
    return %4#0, %4#1 : tensor<bf16>, tensor<f32>
  }
}
