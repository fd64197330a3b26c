// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @dim_out_of_rank(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{'wax.reverse' op [reverse_c1] dim 2 of [0, 2] does not lie in the operand's rank 2}}
  %0 = wax.reverse %x dims [0, 2] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @negative_dim(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reverse_c1] dim -1 of [-1] does not lie in the operand's rank 2}}
  %0 = wax.reverse %x dims [-1] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @dim_twice(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reverse_c1] dims [1, 1] do not increase}}
  %0 = wax.reverse %x dims [1, 1] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @another_type(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{result 0 is of type 'tensor<5x4xf32>', but must be of type 'tensor<4x5xf32>'}}
  %0 = wax.reverse %x dims [1] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}
