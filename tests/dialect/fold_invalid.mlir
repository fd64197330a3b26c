// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @more_windows_than_dims(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{'wax.fold' op [fold_c1] the operand of rank 1 has no windows along 2 dims}}
  %0 = wax.fold arith.addf(%x) dims [0, 1] sizes [8, 8] strides [1, 1] dilations [1, 1] init(%i) : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c1] dim 2 of [2] does not lie in the result's rank 2}}
  %0 = wax.fold arith.addf(%x) dims [2] sizes [8] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dims_that_do_not_increase(%x: tensor<4x6x3x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c1] dims [1, 1] do not increase}}
  %0 = wax.fold arith.addf(%x) dims [1, 1] sizes [8, 8] strides [1, 1] dilations [1, 1] init(%i) : (tensor<4x6x3x2xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @a_size_too_many(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c2] sizes is [8, 8] for 1 dim}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [8, 8] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @a_dilation_too_few(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c2] dilations is [] for 1 dim}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [8] strides [1] dilations [] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @negative_size(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c3] size -1 is negative}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [-1] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @size_past_the_greatest(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c3] size 140737488355329 is more than 2^47}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [140737488355329] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @no_stride(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c3] stride 0 of dim 1 is less than 1}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [8] strides [0] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @stride_past_the_greatest(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c3] stride 2147483648 of dim 1 is more than 2147483647}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [8] strides [2147483648] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @a_size_of_more_windows(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c4] operand dim 1 has size 6, but a dim of size 9 has 7 windows that span 3 at stride 1}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [9] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @another_operand_type(%x: tensor<4x6x3xi32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c6]}}
  %0 = wax.fold (%e = %x) dims [1] sizes [8] strides [1] dilations [1] init(%a = %i) : (tensor<4x6x3xi32>, tensor<f32>) -> tensor<4x8xf32> { wax.yield %e : i32 }
  return
}

// -----

func.func @combine_of_another_type(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c7]}}
  %0 = "wax.fold"(%x, %i) <{dims = array<i64: 1>, static_sizes = array<i64: 8>, strides = array<i64: 1>, dilations = array<i64: 1>}> ({ ^bb0(%e: f32, %a: f32): wax.yield %a : f32 }, { ^bb0(%a: f64, %b: f64): wax.yield %a : f64 }) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @another_result(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{'wax.fold' op result 0 is of type 'tensor<4x9xf32>', but must be of type 'tensor<4x8xf32>'}}
  %0 = wax.fold arith.addf(%x) dims [1] sizes [8] strides [1] dilations [1] init(%i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @kernel_with_an_effect(%x: tensor<4x6x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{[fold_c8]}}
  %0 = wax.fold (%e = %x) dims [1] sizes [8] strides [1] dilations [1] init(%a = %i) : (tensor<4x6x3xf32>, tensor<f32>) -> tensor<4x8xf32> {
    %c = wax.constant dense<1.0> : tensor<f32>
    wax.yield %e : f32
  }
  return
}

// (fold_c5) is a matter of dynamic dims, checked at run time: open_constraints.mlir.
