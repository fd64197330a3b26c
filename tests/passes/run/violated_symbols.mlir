// So do arguments that break what their symbols say.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | not --crash %run_main

func.func @first(%x: tensor<?xf32> {wax.name = "x", wax.dims = affine_map<()[s0] -> (s0)>}) -> tensor<1xf32>
    attributes {no_inline, wax.symbols = [{name = "n", min = 2 : i64, max = 9223372036854775807 : i64}]} {
  %0 = wax.slice %x offsets [1] sizes [1] strides [1] : (tensor<?xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

func.func @main() {
  %x = wax.constant dense<1.0> : tensor<1xf32>
  %dx = tensor.cast %x : tensor<1xf32> to tensor<?xf32>
  %0 = call @first(%dx) : (tensor<?xf32>) -> tensor<1xf32>
  return
}
