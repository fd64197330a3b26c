// RUN: wax-opt %s --wax-raise=wanted=normalize | FileCheck %s
// RUN: wax-opt %s --wax-simplify --cse -o %t.before
// RUN: wax-opt %s --wax-raise --wax-decompose --wax-simplify --cse --wax-verify-normal-form -o %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.normalize (%{{.*}} = %[[X]], %{{.*}} = %[[W]], %{{.*}} = %[[B]])
// CHECK-SAME: {accumulator = f32, bias_dims = array<i64: 1>, centered, dims = array<i64: 1>, epsilon = 9.9{{.*}}E-6 : f64,
// CHECK-SAME: operandSegmentSizes = array<i32: 1, 1, 1, 0>, weight_dims = array<i64: 1>}
// CHECK: return %[[R]]
func.func @layer_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %s = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %m = wax.map (%a = %s) : (tensor<4xf32>) -> tensor<4xf32> {
    %n = arith.constant 8.0 : f32
    %1 = arith.divf %a, %n : f32
    wax.yield %1 : f32
  }
  %q = wax.broadcast (%a = %x[0, 1], %c = %m[0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    %1 = arith.subf %a, %c : f32
    %2 = arith.mulf %1, %1 : f32
    wax.yield %2 : f32
  }
  %t = wax.reduce arith.addf(%q) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %v = wax.map (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %n = arith.constant 8.0 : f32
    %1 = arith.divf %a, %n : f32
    wax.yield %1 : f32
  }
  %r = wax.broadcast (%a = %x[0, 1], %d = %v[0], %c = %m[0], %f = %w[1], %g = %b[1])
      : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    %eps = arith.constant 1.0e-5 : f32
    %1 = arith.subf %a, %c : f32
    %2 = arith.addf %d, %eps : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.mulf %1, %3 : f32
    %5 = arith.mulf %4, %f : f32
    %6 = arith.addf %5, %g : f32
    wax.yield %6 : f32
  }
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @half_floats_by_their_root_mean_square
// CHECK: wax.normalize {{.*}} {accumulator = f32, dims = array<i64: 1>, epsilon = {{.*}}, operandSegmentSizes = array<i32: 1, 1, 0, 0>, weight_dims = array<i64: 1>} : (tensor<4x8xbf16>, tensor<8xbf16>) -> tensor<4x8xbf16>
func.func @half_floats_by_their_root_mean_square(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.map (%a = %x) : (tensor<4x8xbf16>) -> tensor<4x8xf32> {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.mulf %1, %1 : f32
    wax.yield %2 : f32
  }
  %s = wax.reduce arith.addf(%q) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // The mean is a product with the reciprocal.
  %m = wax.map (%a = %s) : (tensor<4xf32>) -> tensor<4xf32> {
    %n = arith.constant 0.125 : f32
    %1 = arith.mulf %n, %a : f32
    wax.yield %1 : f32
  }
  %r = wax.broadcast (%a = %x[0, 1], %b = %m[0], %c = %w[1]) : (tensor<4x8xbf16>, tensor<4xf32>, tensor<8xbf16>) -> tensor<4x8xbf16> {
    %eps = arith.constant 1.0e-6 : f32
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.addf %eps, %b : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.extf %c : bf16 to f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.mulf %5, %1 : f32
    %7 = arith.truncf %6 : f32 to bf16
    wax.yield %7 : bf16
  }
  return %r : tensor<4x8xbf16>
}

// The variance is the mean of squares less the square of the mean; the root divides.
// CHECK-LABEL: func.func @raw_moments
// CHECK: wax.normalize {{.*}} {accumulator = f32, centered, dims = array<i64: 0, 2>, epsilon = 0.000000e+00 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 0>, raw_moments}
func.func @raw_moments(%x: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %s = wax.reduce arith.addf(%x) over [0, 2] init(%zero) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<8xf32>
  %m = wax.map (%a = %s) : (tensor<8xf32>) -> tensor<8xf32> {
    %n = arith.constant 0.125 : f32
    %1 = arith.mulf %a, %n : f32
    wax.yield %1 : f32
  }
  %q = wax.broadcast arith.mulf(%x[0, 1, 2], %x[0, 1, 2]) : (tensor<4x8x2xf32>, tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  %t = wax.reduce arith.addf(%q) over [0, 2] init(%zero) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<8xf32>
  %v = wax.broadcast (%a = %t[0], %b = %m[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    %n = arith.constant 0.125 : f32
    %1 = arith.mulf %a, %n : f32
    %2 = arith.mulf %b, %b : f32
    %3 = arith.subf %1, %2 : f32
    wax.yield %3 : f32
  }
  %r = wax.broadcast (%a = %x[0, 1, 2], %b = %m[1], %c = %v[1]) : (tensor<4x8x2xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x2xf32> {
    %1 = arith.subf %a, %b : f32
    %2 = math.sqrt %c : f32
    %3 = arith.divf %1, %2 : f32
    wax.yield %3 : f32
  }
  return %r : tensor<4x8x2xf32>
}

// A weight of channels: batch normalization.
// CHECK-LABEL: func.func @by_channel
// CHECK: wax.normalize {{.*}} {accumulator = f32, dims = array<i64: 0>, epsilon = 0.000000e+00 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0>, weight_dims = array<i64: 1>}
func.func @by_channel(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %r = func.call @scaled(%x, %w) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.broadcast arith.mulf(%r[0, 1], %r[0, 1]) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %v = wax.map (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %n = arith.constant 4.0 : f32
    %1 = arith.divf %a, %n : f32
    %2 = math.sqrt %1 : f32
    wax.yield %2 : f32
  }
  %d = wax.broadcast arith.divf(%r[0, 1], %v[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %e = wax.broadcast arith.mulf(%d[0, 1], %w[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

func.func private @scaled(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}

// What is nearly alike.

// The unbiased variance.
// CHECK-LABEL: func.func @divided_by_one_less
// CHECK-NOT: wax.normalize
func.func @divided_by_one_less(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.broadcast arith.mulf(%x[0], %x[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %v = wax.map (%a = %t) : (tensor<f32>) -> tensor<f32> {
    %n = arith.constant 7.0 : f32
    %1 = arith.divf %a, %n : f32
    %2 = math.sqrt %1 : f32
    wax.yield %2 : f32
  }
  %d = wax.broadcast arith.divf(%x[0], %v[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// ε is added to the deviation.
// CHECK-LABEL: func.func @epsilon_outside_of_the_root
// CHECK-NOT: wax.normalize
func.func @epsilon_outside_of_the_root(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.broadcast arith.mulf(%x[0], %x[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %v = wax.map (%a = %t) : (tensor<f32>) -> tensor<f32> {
    %n = arith.constant 8.0 : f32
    %eps = arith.constant 1.0e-6 : f32
    %1 = arith.divf %a, %n : f32
    %2 = math.sqrt %1 : f32
    %3 = arith.addf %2, %eps : f32
    wax.yield %3 : f32
  }
  %d = wax.broadcast arith.divf(%x[0], %v[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @divided_by_the_variance
// CHECK-NOT: wax.normalize
func.func @divided_by_the_variance(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.broadcast arith.mulf(%x[0], %x[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %v = wax.map (%a = %t) : (tensor<f32>) -> tensor<f32> {
    %n = arith.constant 8.0 : f32
    %1 = arith.divf %a, %n : f32
    wax.yield %1 : f32
  }
  %d = wax.broadcast arith.divf(%x[0], %v[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @the_deviation_of_another
// CHECK-NOT: wax.normalize
func.func @the_deviation_of_another(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %q = wax.broadcast arith.mulf(%y[0], %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %v = wax.map (%a = %t) : (tensor<f32>) -> tensor<f32> {
    %n = arith.constant 8.0 : f32
    %1 = arith.divf %a, %n : f32
    %2 = math.rsqrt %1 : f32
    wax.yield %2 : f32
  }
  %d = wax.broadcast arith.mulf(%x[0], %v[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// The variance is of the elements, and the mean is taken from them only afterwards.
// CHECK-LABEL: func.func @the_mean_square_of_what_is_not_centered
// CHECK-NOT: wax.normalize
func.func @the_mean_square_of_what_is_not_centered(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %s = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %q = wax.broadcast arith.mulf(%x[0], %x[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %t = wax.reduce arith.addf(%q) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast (%e = %x[0], %a = %t[], %b = %s[]) : (tensor<8xf32>, tensor<f32>, tensor<f32>) -> tensor<8xf32> {
    %n = arith.constant 0.125 : f32
    %1 = arith.mulf %a, %n : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %b, %n : f32
    %4 = arith.subf %e, %3 : f32
    %5 = arith.mulf %4, %2 : f32
    wax.yield %5 : f32
  }
  return %d : tensor<8xf32>
}
