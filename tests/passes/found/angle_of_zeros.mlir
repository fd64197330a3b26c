// MLIR folds atan2 of constant zeros to NaN. It is 0 or π, with the sign of the first.
// arguments: tensor<4xf32>; seed 1423
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf64>) {
    %0 = wax.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
    %1 = wax.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf32>
    %2 = wax.broadcast math.atan2(%0[0], %1[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = wax.map (%a = %2) : (tensor<4xf32>) -> tensor<4xf32> {
      %7 = math.floor %a : f32
      wax.yield %7 : f32
    }
    %4 = wax.constant dense<0.0> : tensor<f32>
    %5 = wax.broadcast (%a = %arg0[0], %y = %4[], %x = %4[]) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32> {
      %7 = math.atan2 %y, %x : f32
      %8 = arith.addf %a, %7 : f32
      wax.yield %8 : f32
    }
    %6 = wax.constant dense<[0.0, -0.0]> : tensor<2xf64>
    %7 = wax.broadcast math.atan2(%6[0], %6[0]) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %8 = wax.map math.ceil(%7) : (tensor<2xf64>) -> tensor<2xf64>
    return %3, %5, %8 : tensor<4xf32>, tensor<4xf32>, tensor<2xf64>
  }
}
