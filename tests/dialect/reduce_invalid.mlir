// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_operand(%z: tensor<f32>) {
  // expected-error@+1 {{'wax.reduce' op [reduce_c1] there is no operand}}
  %0 = wax.reduce () over [] init(%acc = %z) : (tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @no_accumulator(%x: tensor<3xf32>) {
  // expected-error@+1 {{[reduce_c1] there is no accumulator}}
  wax.reduce (%a = %x) over [0] init() : (tensor<3xf32>) -> () {
    wax.yield
  }
  return
}

// -----

func.func @operands_of_different_sizes(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c2] operand 1 dim 0 has size 4, but operand 0 dim 0 has size 3}}
  %0 = wax.reduce (%a = %x, %b = %y) over [0] init(%acc = %z) : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @operands_of_different_ranks(%x: tensor<3xf32>, %y: tensor<3x1xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c2] operand 1 has rank 2, but operand 0 has rank 1}}
  %0 = wax.reduce (%a = %x, %b = %y) over [0] init(%acc = %z) : (tensor<3xf32>, tensor<3x1xf32>, tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c3] dim 1 of [1] does not lie in the operands' rank 1}}
  %0 = wax.reduce arith.addf(%x) over [1] init(%z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @dims_that_decrease(%x: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c3] dims [1, 0] do not increase}}
  %0 = wax.reduce arith.addf(%x) over [1, 0] init(%z) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @dim_twice(%x: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c3] dims [0, 0] do not increase}}
  %0 = wax.reduce arith.addf(%x) over [0, 0] init(%z) : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @fold_takes_another_type(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{[reduce_c4] the fold takes (f32, f32), but is given (f32, f64)}}
  %0 = "wax.reduce"(%x, %z) <{dims = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f32, %acc: f32):
    wax.yield %acc : f32
  }, {
  }) : (tensor<3xf32>, tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @fold_yields_another_type(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{[reduce_c4] the fold yields 'f32' for accumulator 0 of 'f64'}}
  %0 = wax.reduce (%a = %x) over [0] init(%acc = %z) : (tensor<3xf32>, tensor<f64>) -> tensor<f64> {
    wax.yield %a : f32
  }
  return
}

// -----

func.func @fold_yields_too_few(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c4] the fold yields 1 scalar for 2 accumulators}}
  %0:2 = wax.reduce (%a = %x) over [0] init(%acc = %z, %b = %z) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @combine_takes_one(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c5] the combine takes (f32), but is given (f32, f32)}}
  %0 = "wax.reduce"(%x, %z) <{dims = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f32, %acc: f32):
    wax.yield %acc : f32
  }, {
  ^bb0(%l: f32):
    wax.yield %l : f32
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @combine_is_not_scalar(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[reduce_c6] the kernel holds 'tensor.empty'}}
  %0 = wax.reduce (%a = %x) over [0] init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  } combine (%l, %r) {
    %t = tensor.empty() : tensor<1xf32>
    wax.yield %l : f32
  }
  return
}

// -----

func.func @ordered_without_a_name(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expected an operation's name after 'ordered'}}
  %0 = wax.reduce ordered (%a = %x) over [0] init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  }
  return
}
