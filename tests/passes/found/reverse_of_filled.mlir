// IREE drew what is the same everywhere into the dispatch that reads it, and could not deal that to workgroups.
// arguments: tensor<4x3xf32>; seed 72000063
module {
  func.func @main(%arg0: tensor<4x?xf32>) -> tensor<4x?xf32> {
    %0 = wax.constant dense<0.000000e+00> : tensor<f32>
    %1 = wax.fold (%a = %arg0) dims [] sizes [] strides [] dilations [] init(%acc = %0) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32> {
      %cst = arith.constant 1.0 : f32
      %2 = math.floor %cst : f32
      %3 = arith.addf %acc, %2 : f32
      wax.yield %3 : f32
    }
    %4 = wax.reverse %1 dims [1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
    return %4 : tensor<4x?xf32>
  }
}
