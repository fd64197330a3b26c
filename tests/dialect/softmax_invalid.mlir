// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_such_dim(%x: tensor<4xf32>) {
  // expected-error@+1 {{'wax.softmax' op [softmax_c1] dim 1 of [1] does not lie in the operand's rank 1}}
  %0 = wax.softmax (%a = %x) {accumulator = f32, dims = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @another_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{[softmax_c2] the result is 'tensor<5xf32>', and the operand is 'tensor<4xf32>'}}
  %0 = wax.softmax (%a = %x) {accumulator = f32, dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<5xf32> {
    %r = wax.iota along 0 : tensor<5xf32>
    wax.return %r : tensor<5xf32>
  }
  return
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error@+1 {{[softmax_c3] 'i32' is no float type}}
  %0 = wax.softmax (%a = %x) {accumulator = i32, dims = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32> {
    wax.return %a : tensor<4xi32>
  }
  return
}

// -----

func.func @a_narrow_accumulator(%x: tensor<4xf32>) {
  // expected-error@+1 {{[softmax_c3] 'f16' does not hold all 'f32'}}
  %0 = wax.softmax (%a = %x) {accumulator = f16, dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @a_wide_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{[softmax_c4] the result's elements are 'f64', which are no rounded 'f32'}}
  %0 = wax.softmax (%a = %x) {accumulator = f32, dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf64> {
    %r = wax.map arith.extf(%a) : (tensor<4xf32>) -> tensor<4xf64>
    wax.return %r : tensor<4xf64>
  }
  return
}
