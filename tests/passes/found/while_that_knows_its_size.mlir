// IREE took a size that turns know, and what comes before them does not, out of what they are given, and crashed.
// arguments: tensor<f32>, tensor<2xi1>, tensor<f32>; seed 200000361
module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<?xi1>, %arg2: tensor<f32>) -> (tensor<i32>, tensor<?xi1>, tensor<f32>) {
    %0 = wax.constant dense<0> : tensor<i32>
    %1:3 = scf.while (%arg3 = %0, %arg4 = %arg1, %arg5 = %arg2) : (tensor<i32>, tensor<?xi1>, tensor<f32>) -> (tensor<i32>, tensor<?xi1>, tensor<f32>) {
      %2 = wax.map (%a = %arg3) : (tensor<i32>) -> tensor<i1> {
        %c3_i32 = arith.constant 3 : i32
        %4 = arith.cmpi slt, %a, %c3_i32 : i32
        wax.yield %4 : i1
      }
      %3 = tensor.extract %2[] : tensor<i1>
      scf.condition(%3) %arg3, %arg4, %arg5 : tensor<i32>, tensor<?xi1>, tensor<f32>
    } do {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<?xi1>, %arg5: tensor<f32>):
      %2 = tensor.cast %arg4 : tensor<?xi1> to tensor<2xi1>
      %3 = wax.broadcast (%a = %2[0], %b = %arg1[0]) : (tensor<2xi1>, tensor<?xi1>) -> tensor<2xi1> {
        %6 = arith.xori %a, %b : i1
        wax.yield %6 : i1
      }
      %4 = wax.map (%a = %arg3) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %6 = arith.addi %a, %c1_i32 : i32
        wax.yield %6 : i32
      }
      %5 = tensor.cast %3 : tensor<2xi1> to tensor<?xi1>
      scf.yield %4, %5, %arg0 : tensor<i32>, tensor<?xi1>, tensor<f32>
    }
    return %1#0, %1#1, %1#2 : tensor<i32>, tensor<?xi1>, tensor<f32>
  }
}
