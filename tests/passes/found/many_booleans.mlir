// More than a hundred booleans were written as the digits of their bits, and IREE reads those of bytes.
// arguments: tensor<128xf32>; seed 334000609
module {
  func.func @main(%arg0: tensor<128xf32>) -> tensor<128xf32> {
    %0 = wax.constant dense<"0xAAAB2AAAAAAAABAAAAAAFAAAAAAAAAA7"> : tensor<128xi1>
    %1 = wax.constant dense<0.0> : tensor<f32>
    %2 = wax.broadcast (%a = %0[0], %b = %arg0[0], %c = %1[]) : (tensor<128xi1>, tensor<128xf32>, tensor<f32>) -> tensor<128xf32> {
      %3 = arith.select %a, %b, %c : f32
      wax.yield %3 : f32
    }
    return %2 : tensor<128xf32>
  }
}
