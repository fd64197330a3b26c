// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_operand(%z: tensor<f32>) {
  // expected-error@+1 {{'wax.scan' op [scan_c1] there is no operand}}
  %0 = wax.scan () along 0 init(%acc = %z) : (tensor<f32>) -> tensor<f32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @no_accumulator(%x: tensor<3xf32>) {
  // expected-error@+1 {{[scan_c1] there is no accumulator}}
  wax.scan (%a = %x) along 0 init() : (tensor<3xf32>) -> () {
    wax.yield
  }
  return
}

// -----

func.func @operands_of_different_sizes(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c2] operand 1 dim 0 has size 4, but operand 0 dim 0 has size 3}}
  %0 = wax.scan (%a = %x, %b = %y) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @operands_of_different_ranks(%x: tensor<3xf32>, %y: tensor<3x1xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c2] operand 1 has rank 2, but operand 0 has rank 1}}
  %0 = wax.scan (%a = %x, %b = %y) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c3] dim 1 does not lie in the operands' rank 1}}
  %0 = wax.scan arith.addf(%x) along 1 init(%z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @negative_dim(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c3] dim -1 does not lie in the operands' rank 1}}
  %0 = wax.scan arith.addf(%x) along -1 init(%z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @scalar_has_no_dim(%x: tensor<f32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c3] dim 0 does not lie in the operands' rank 0}}
  %0 = wax.scan arith.addf(%x) along 0 init(%z) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @fold_takes_another_type(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{[scan_c4] the fold takes (f32, f32), but is given (f32, f64)}}
  %0 = "wax.scan"(%x, %z) <{dim = 0 : i64, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f32, %acc: f32):
    wax.yield %acc : f32
  }, {
  }) : (tensor<3xf32>, tensor<f64>) -> tensor<3xf64>
  return
}

// -----

func.func @fold_yields_another_type(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{[scan_c4] the fold yields 'f32' for accumulator 0 of 'f64'}}
  %0 = wax.scan (%a = %x) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<f64>) -> tensor<3xf64> {
    wax.yield %a : f32
  }
  return
}

// -----

func.func @fold_yields_too_few(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c4] the fold yields 1 scalar for 2 accumulators}}
  %0:2 = wax.scan (%a = %x) along 0 init(%acc = %z, %bcc = %z) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
    wax.yield %a : f32
  }
  return
}

// -----

func.func @combine_yields_another_type(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c5] the combine yields 'i1' for accumulator 0 of 'f32'}}
  %0 = wax.scan (%a = %x) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
    wax.yield %a : f32
  } combine (%l, %r) {
    %b = arith.cmpf olt, %l, %r : f32
    wax.yield %b : i1
  }
  return
}

// -----

func.func @kernel_touches_a_tensor(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c6] the kernel holds 'tensor.empty'}}
  %0 = wax.scan (%a = %x) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
    %t = tensor.empty() : tensor<f32>
    wax.yield %a : f32
  }
  return
}

// -----

func.func @combine_touches_a_tensor(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{[scan_c6] the kernel holds 'tensor.empty'}}
  %0 = wax.scan (%a = %x) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
    wax.yield %a : f32
  } combine (%l, %r) {
    %t = tensor.empty() : tensor<f32>
    wax.yield %l : f32
  }
  return
}

// -----

func.func @result_of_another_size(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'wax.scan' op}}
  %0 = wax.scan arith.addf(%x) along 0 init(%z) : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @ordered_without_a_name(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expected an operation's name after 'ordered'}}
  %0 = wax.scan ordered (%a = %x) along 0 init(%acc = %z) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
    wax.yield %a : f32
  }
  return
}
