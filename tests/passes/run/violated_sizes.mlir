// Sizes that do not agree stop the program before it touches memory.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | not --crash %run_main

func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @main() {
  %x = wax.constant dense<1.0> : tensor<8xf32>
  %y = wax.constant dense<1.0> : tensor<3xf32>
  %dx = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  %dy = tensor.cast %y : tensor<3xf32> to tensor<?xf32>
  %0 = call @add(%dx, %dy) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
