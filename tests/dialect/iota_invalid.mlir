// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @dim_past_the_rank() {
  // expected-error@+1 {{'wax.iota' op [iota_c1] dim 1 does not lie in the result's rank 1}}
  %0 = wax.iota along 1 : tensor<4xi32>
  return
}

// -----

func.func @rank_zero() {
  // expected-error@+1 {{[iota_c1] dim 0 does not lie in the result's rank 0}}
  %0 = wax.iota along 0 : tensor<i32>
  return
}

// -----

func.func @dynamic_dim_without_a_size() {
  // expected-error@+1 {{[iota_c2] there are 0 SSA sizes for 1 dynamic entry of sizes}}
  %0 = wax.iota along 0 : tensor<?xi32>
  return
}

// -----

func.func @size_for_a_static_dim(%n: index) {
  // expected-error@+1 {{[iota_c2] there is 1 SSA size for 0 dynamic entries of sizes}}
  %0 = wax.iota along 0 sizes [%n] : tensor<4xi32>
  return
}

// -----

func.func @complex_elements() {
  // expected-error@+1 {{[iota_c3] the element type is 'complex<f32>', but must be an integer or a float type}}
  %0 = wax.iota along 0 : tensor<4xcomplex<f32>>
  return
}
