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

// -----

func.func @a_maximum_of_complex_numbers(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'wax.pmax' op [pmax_c1] the element type is 'complex<f32>'}}
  %0 = wax.pmax %x over "rows" : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @a_row_twice(%x: tensor<4xf32>) {
  // expected-error@+1 {{'wax.ppermute' op [ppermute_c1] sources [0, 0] must be rows below 2, each once, or -1}}
  %0 = wax.ppermute %x over "rows" from [0, 0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_such_row(%x: tensor<4xf32>) {
  // expected-error@+1 {{[ppermute_c1] sources [-2, 2] must be rows below 2}}
  %0 = wax.ppermute %x over "rows" from [-2, 2] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
