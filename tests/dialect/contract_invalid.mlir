// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @one_list_of_dims(%x: tensor<4xf32>) {
  // expected-error@+1 {{'wax.contract' op [contract_c1] there are 2 operands, but 1 list of dims}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }
  return
}

// -----

func.func @dims_of_another_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c1] operand 0 of rank 1 is given dims [0, 1]}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 0, 1>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }
  return
}

// -----

func.func @a_diagonal(%x: tensor<4x4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c1] the dims [0, 0] of operand 0 are not distinct indices}}
  %0 = wax.contract (%a = %x, %b = %y) {accumulator = f32, dims = [array<i64: 0, 0>, array<i64: 0>]} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }
  return
}

// -----

func.func @a_sum_of_one_operand(%x: tensor<4x5xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c2] summed index 1 is not in both operands}}
  %0 = wax.contract (%a = %x, %b = %y) {accumulator = f32, dims = [array<i64: 0, 1>, array<i64: 0>]} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4xf32> {
    wax.return %b : tensor<4xf32>
  }
  return
}

// -----

func.func @no_sum(%x: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c2] no index is summed over}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @a_result_dim_of_no_operand(%x: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c2] result index 0 is in no operand}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 1>, array<i64: 1>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @an_index_far_away(%x: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c2] index 0 is in no operand}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 100000000>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }
  return
}

// -----

func.func @sizes_that_differ(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{[contract_c3] index 0 has sizes 4 and 5}}
  %0 = wax.contract (%a = %x, %b = %y) {accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xf32>, tensor<5xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }
  return
}

// -----

func.func @a_narrow_accumulator(%x: tensor<4xf32>) {
  // expected-error@+1 {{[contract_c4] 'bf16' does not hold all 'f32'}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = bf16, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<bf16> {
    %r = wax.constant dense<0.0> : tensor<bf16>
    wax.return %r : tensor<bf16>
  }
  return
}

// -----

func.func @a_narrow_sum_of_integers(%x: tensor<4xi8>) {
  // expected-error@+1 {{[contract_c5] the result's elements are 'i8', which are no rounded 'i32'}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = i32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xi8>, tensor<4xi8>) -> tensor<i8> {
    %r = wax.constant dense<0> : tensor<i8>
    wax.return %r : tensor<i8>
  }
  return
}

// -----

func.func @a_decomposition_of_other_operands(%x: tensor<4xf32>) {
  // expected-error@+1 {{[recognized_c1] the decomposition takes 1 value, but there are 2 operands}}
  "wax.contract"(%x, %x) <{accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]}> ({
  ^bb0(%a: tensor<4xf32>):
    %r = wax.constant dense<0.0> : tensor<f32>
    wax.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @a_decomposition_of_other_results(%x: tensor<4xf32>) {
  // expected-error@+1 {{[recognized_c2] the decomposition gives 'tensor<4xf32>' in place 0, but result 0 is 'tensor<f32>'}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @a_decomposition_that_is_no_basis(%x: tensor<4xf32>) {
  // expected-error@+1 {{[recognized_c3] the decomposition holds 'wax.barrier', which is neither of the basis nor glue}}
  %0 = wax.contract (%a = %x, %b = %x) {accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> {
    %r = wax.constant dense<0.0> : tensor<f32>
    %s = wax.barrier %r : (tensor<f32>) -> tensor<f32>
    wax.return %s : tensor<f32>
  }
  return
}

// -----

func.func @a_return_of_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'wax.return' op stands in no checkpoint and no recognised operation}}
  wax.return %x : tensor<4xf32>
}
