// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @too_few_lists(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{'wax.attention' op [attention_c1] there are 3 operands, but 2 lists of dims}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @dims_of_another_rank(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c1] key of rank 3 is given dims [3, 4]}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_diagonal(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c1] the dims [0, 0, 4] of query are not distinct indices}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 0, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @queries_of_keys(%q: tensor<2x7x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c2] index 3, of keys, is not one of key and value only}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 3, 4>, array<i64: 0, 1, 4>, array<i64: 0, 1, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x7x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x7x3xf32> {
    %r = wax.iota along 0 : tensor<2x7x3xf32>
    wax.return %r : tensor<2x7x3xf32>
  }
  return
}

// -----

func.func @a_width_of_values(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x16xf32>) {
  // expected-error@+1 {{[attention_c2] index 4, of the width, is not one of query and key only}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 2>, array<i64: 0, 3, 2>, array<i64: 0, 3, 4>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>) -> tensor<2x5x16xf32> {
    %r = wax.iota along 0 : tensor<2x5x16xf32>
    wax.return %r : tensor<2x5x16xf32>
  }
  return
}

// -----

func.func @no_width(%q: tensor<2x5x3xf32>, %k: tensor<2x7x3xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c2] index 4 is in no operand}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 2>, array<i64: 0, 3, 2>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x3xf32>, tensor<2x7x3xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @sizes_that_differ(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x6x3xf32>) {
  // expected-error@+1 {{[attention_c3] index 3 has sizes 7 and 6}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x6x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_mask_of_floats(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>, %m: tensor<5x7xf32>) {
  // expected-error@+1 {{[attention_c4] the mask's elements are 'f32'}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v, %d = %m)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>, array<i64: 1, 3>], fill = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>, tensor<5x7xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_narrow_accumulator(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c5] 'bf16' does not hold all 'f32'}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = bf16, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_wide_result(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c6] the result's elements are 'f64', which are no rounded 'f32'}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf64> {
    %r = wax.iota along 0 : tensor<2x5x3xf64>
    wax.return %r : tensor<2x5x3xf64>
  }
  return
}

// -----

func.func @an_offset_of_no_dim(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c7] of causal_dim and causal_offset one is not there}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, causal_offset = 0 : i64, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], fill = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @causal_along_no_dim(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c7] causal_dim 3 does not lie in the result's rank 3}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, causal_dim = 3 : i64, causal_offset = 0 : i64, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], fill = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_fill_of_no_mask(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c8] there is a fill, but no mask}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], fill = 0.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}

// -----

func.func @a_mask_of_no_fill(%q: tensor<2x5x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x3xf32>) {
  // expected-error@+1 {{[attention_c8] there is a mask, but no fill}}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v)
      {accumulator = f32, causal_dim = 1 : i64, causal_offset = 0 : i64, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.0 : f64}
      : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
    %r = wax.iota along 0 : tensor<2x5x3xf32>
    wax.return %r : tensor<2x5x3xf32>
  }
  return
}
