// RUN: wax-opt %s --wax-differentiate --split-input-file --verify-diagnostics

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant 2.0 : f32
    // expected-error@+1 {{'wax.igamma' has no derivative by operand 0}}
    %1 = wax.igamma %x, %c : f32
    wax.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{'wax.polygamma' has no derivative by operand 0}}
    %1 = wax.polygamma 16, %x : f32
    wax.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %start: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'wax.reduce' op has no derivative by where it starts}}
  %0 = wax.reduce arith.mulf(%x) over [0] init(%start) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32>, %start: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{'wax.scan' op has no derivative by where it starts}}
  %0 = wax.scan arith.mulf(%x) along 0 init(%start) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%u: tensor<3xf32>, %x: tensor<8xf32>, %i: tensor<3xi32>) -> tensor<8xf32> {
  // expected-error@+1 {{'wax.scatter' op is differentiable where its fold adds to elements or sets them}}
  %0 = wax.scatter arith.mulf(%u) into(%x)[%i[0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<4x3xf32>) -> tensor<9xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  // expected-error@+1 {{'wax.fold' op is differentiable where its fold adds elements}}
  %0 = wax.fold arith.maximumf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%low)
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// An element that is added twice.
func.func @main(%x: tensor<4x3xf32>) -> tensor<9xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'wax.fold' op is differentiable where its fold adds elements}}
  %0 = wax.fold (%a = %x) dims [0] sizes [9] strides [2] dilations [1] init(%acc = %zero)
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<9xf32> {
    %1 = arith.addf %a, %a : f32
    %2 = arith.addf %acc, %1 : f32
    wax.yield %2 : f32
  } combine (%one, %other) {
    %1 = arith.addf %one, %other : f32
    wax.yield %1 : f32
  }
  return %0 : tensor<9xf32>
}

// -----

func.func @main(%x: tensor<1x2x?xf32>, %w: tensor<3x2x5xf32>) -> tensor<1x3x?xf32> {
  // expected-error@+1 {{'wax.convolve' op is differentiable where all sizes but the batch's are static}}
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0]
      : (tensor<1x2x?xf32>, tensor<3x2x5xf32>) -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}

// -----

func.func @main(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.select' is not differentiable}}
  %0 = arith.select %c, %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{a loop is differentiable in reverse mode where the number of its turns is known or follows from sizes; otherwise write it as a while_loop with max_steps=}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %1 = wax.map math.sin(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'outside' has no body to put here}}
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@below {{there is no function 'main'}}
module {
  func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
