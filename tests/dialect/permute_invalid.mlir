// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @dim_twice(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{'wax.permute' op [permute_c1] [0, 0] is not a permutation of the dims of 'tensor<4x5xf32>'}}
  %0 = wax.permute %x [0, 0] : (tensor<4x5xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @too_few_dims(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[permute_c1] [0] is not a permutation}}
  %0 = wax.permute %x [0] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_dim(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[permute_c1] [-1, 0] is not a permutation}}
  %0 = wax.permute %x [-1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @result_not_permuted(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{op result 0 is of type 'tensor<4x5xf32>', but must be of type 'tensor<5x4xf32>'}}
  %0 = wax.permute %x [1, 0] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
