// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @two_sizes(%x: tensor<4xf32>) {
  // expected-error@+1 {{'wax.all_gather' op [all_gather_c1] there are 2 sizes, but must be one}}
  %0 = wax.all_gather %x over "rows" sizes [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @a_negative_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{[all_gather_c1]}}
  %0 = wax.all_gather %x over "rows" sizes [-2] : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @a_sum_of_truths(%x: tensor<4xi1>) {
  // expected-error@+1 {{'wax.psum' op [psum_c1] the element type is i1}}
  %0 = wax.psum %x over "rows" : (tensor<4xi1>) -> tensor<4xi1>
  return
}
