// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_such_dim(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'wax.normalize' op [normalize_c1] dim 2 of [2] does not lie in the operand's rank 2}}
  %0 = wax.normalize (%a = %x) {accumulator = f32, dims = array<i64: 2>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @a_weight_without_dims(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{[normalize_c2] the weight has no dims}}
  %0 = wax.normalize (%a = %x, %b = %w) {accumulator = f32, dims = array<i64: 1>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @dims_of_no_bias(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[normalize_c2] the bias is not there, but its dims are}}
  %0 = wax.normalize (%a = %x) {accumulator = f32, dims = array<i64: 1>, epsilon = 0.0 : f64, bias_dims = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @a_weight_of_another_rank(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{[normalize_c2] the weight of rank 1 is given dims [0, 1]}}
  %0 = wax.normalize (%a = %x, %b = %w) {accumulator = f32, dims = array<i64: 1>, epsilon = 0.0 : f64, weight_dims = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @a_weight_along_no_dim(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{[normalize_c2] dim 2 of the weight does not lie in the operand's rank 2}}
  %0 = wax.normalize (%a = %x, %b = %w) {accumulator = f32, dims = array<i64: 1>, epsilon = 0.0 : f64, weight_dims = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @a_weight_of_another_size(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{[normalize_c3] the weight has size 8 along the operand's dim 0, which has size 4}}
  %0 = wax.normalize (%a = %x, %b = %w) {accumulator = f32, dims = array<i64: 1>, epsilon = 0.0 : f64, weight_dims = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    wax.return %a : tensor<4x8xf32>
  }
  return
}

// -----

func.func @another_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{[normalize_c4] the result is 'tensor<5xf32>', and the operand is 'tensor<4xf32>'}}
  %0 = wax.normalize (%a = %x) {accumulator = f32, dims = array<i64: 0>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4xf32>) -> tensor<5xf32> {
    %r = wax.iota along 0 : tensor<5xf32>
    wax.return %r : tensor<5xf32>
  }
  return
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error@+1 {{[normalize_c5] 'i32' is no float type}}
  %0 = wax.normalize (%a = %x) {accumulator = i32, dims = array<i64: 0>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4xi32>) -> tensor<4xi32> {
    wax.return %a : tensor<4xi32>
  }
  return
}

// -----

func.func @a_wide_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{[normalize_c6] the result's elements are 'f64', which are no rounded 'f32'}}
  %0 = wax.normalize (%a = %x) {accumulator = f32, dims = array<i64: 0>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf64> {
    %r = wax.map arith.extf(%a) : (tensor<4xf32>) -> tensor<4xf64>
    wax.return %r : tensor<4xf64>
  }
  return
}

// -----

func.func @moments_of_what_has_no_mean(%x: tensor<4xf32>) {
  // expected-error@+1 {{[normalize_c7] raw_moments without centered}}
  %0 = wax.normalize (%a = %x) {accumulator = f32, dims = array<i64: 0>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, raw_moments} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}
