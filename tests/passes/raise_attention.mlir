// RUN: wax-opt %s --wax-raise=wanted=attention | FileCheck %s
// RUN: wax-opt %s --wax-raise --wax-decompose --wax-verify-normal-form -o /dev/null

// CHECK-LABEL: func.func @scaled
// CHECK-SAME: (%[[Q:.*]]: tensor<5x16xf32>, %[[K:.*]]: tensor<7x16xf32>, %[[V:.*]]: tensor<7x3xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.attention (%{{.*}} = %[[Q]], %{{.*}} = %[[K]], %{{.*}} = %[[V]])
// CHECK-SAME: {accumulator = f32, dims = [array<i64: 0, 3>, array<i64: 2, 3>, array<i64: 2, 1>], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 2.500000e-01 : f64}
// CHECK: return %[[R]]
func.func @scaled(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1]) : (tensor<5x7xf32>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %c, %x : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Of queries that begin at the second key; what is not seen is far away.
// CHECK-LABEL: func.func @causal
// CHECK: wax.attention {{.*}} {accumulator = f32, causal_dim = 0 : i64, causal_offset = 1 : i64, {{.*}}, fill = -1.000000e+09 : f64, {{.*}}, scale = 2.500000e-01 : f64}
func.func @causal(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %i = wax.iota along 0 : tensor<5xi32>
  %j = wax.iota along 0 : tensor<7xi32>
  %s = wax.broadcast (%x = %s0[0, 1], %n = %i[0], %o = %j[1]) : (tensor<5x7xf32>, tensor<5xi32>, tensor<7xi32>) -> tensor<5x7xf32> {
    %c = arith.constant 4.0 : f32
    %fill = arith.constant -1.0e9 : f32
    %two = arith.constant 2 : i32
    %1 = arith.divf %x, %c : f32
    %2 = arith.addi %n, %two : i32
    %3 = arith.cmpi sgt, %2, %o : i32
    %y = arith.select %3, %1, %fill : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Divided at last, and zeros where no key is seen.
// CHECK-LABEL: func.func @masked
// CHECK: wax.attention {{.*}} {accumulator = f32, dims = [array<i64: 0, 3>, array<i64: 2, 3>, array<i64: 2, 1>, array<i64: 0, 2>, array<i64: 2>], fill = 0xFFF0000000000000 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>, scale = 2.500000e-01 : f64, zero_unmatched}
func.func @masked(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>, %w: tensor<5x7xi1>, %b: tensor<7xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1], %n = %b[1], %o = %w[0, 1]) : (tensor<5x7xf32>, tensor<7xf32>, tensor<5x7xi1>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %fill = arith.constant 0xFF800000 : f32
    %1 = arith.mulf %c, %x : f32
    %2 = arith.addf %1, %n : f32
    %y = arith.select %o, %2, %fill : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %none = arith.constant 0.0 : f32
    %inf = arith.constant 0x7F800000 : f32
    %1 = math.absf %b : f32
    %2 = arith.cmpf one, %1, %inf : f32
    %3 = arith.select %2, %b, %none : f32
    %4 = arith.subf %a, %3 : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %f = wax.broadcast arith.mulf(%e[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %g = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  %r = wax.broadcast (%a = %g[0, 1], %b = %t[0]) : (tensor<5x3xf32>, tensor<5xf32>) -> tensor<5x3xf32> {
    %none = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %1 = arith.cmpf oeq, %b, %none : f32
    %2 = arith.select %1, %one, %b : f32
    %3 = arith.divf %a, %2 : f32
    wax.yield %3 : f32
  }
  return %r : tensor<5x3xf32>
}

// The division makes NaN of zeros, or exponentials are NaN before.
// CHECK-LABEL: func.func @guarded_once
// CHECK: wax.attention
// CHECK-NOT: zero_unmatched
// CHECK: wax.return
func.func @guarded_once(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1]) : (tensor<5x7xf32>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %c, %x : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %f = wax.broadcast arith.mulf(%e[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %g = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  %r = wax.broadcast (%a = %g[0, 1], %b = %t[0]) : (tensor<5x3xf32>, tensor<5xf32>) -> tensor<5x3xf32> {
    %none = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %1 = arith.cmpf oeq, %b, %none : f32
    %2 = arith.select %1, %one, %b : f32
    %3 = arith.divf %a, %2 : f32
    wax.yield %3 : f32
  }
  return %r : tensor<5x3xf32>
}

// What is nearly alike.

// CHECK-LABEL: func.func @over_queries
// CHECK-NOT: wax.attention
func.func @over_queries(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1]) : (tensor<5x7xf32>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %c, %x : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [0] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[1]) : (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[1]) : (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @scores_that_others_read
// CHECK-NOT: wax.attention
func.func @scores_that_others_read(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> (tensor<5x3xf32>, tensor<5x7xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1]) : (tensor<5x7xf32>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %c, %x : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r, %s : tensor<5x3xf32>, tensor<5x7xf32>
}

// CHECK-LABEL: func.func @scaled_after_the_mask
// CHECK-NOT: wax.attention
func.func @scaled_after_the_mask(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>, %w: tensor<5x7xi1>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1], %o = %w[0, 1]) : (tensor<5x7xf32>, tensor<5x7xi1>) -> tensor<5x7xf32> {
    %c = arith.constant 0.25 : f32
    %fill = arith.constant -1.0e9 : f32
    %1 = arith.select %o, %x, %fill : f32
    %y = arith.mulf %c, %1 : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @two_fills
// CHECK-NOT: wax.attention
func.func @two_fills(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>, %w: tensor<5x7xi1>, %u: tensor<7xi1>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1], %o = %w[0, 1], %n = %u[1]) : (tensor<5x7xf32>, tensor<5x7xi1>, tensor<7xi1>) -> tensor<5x7xf32> {
    %fill = arith.constant -1.0e9 : f32
    %gone = arith.constant 0xFF800000 : f32
    %1 = arith.select %o, %x, %fill : f32
    %y = arith.select %n, %1, %gone : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @capped
// CHECK-NOT: wax.attention
func.func @capped(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %s = wax.broadcast (%x = %s0[0, 1]) : (tensor<5x7xf32>) -> tensor<5x7xf32> {
    %y = math.tanh %x : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Keys up to the query are hidden.
// CHECK-LABEL: func.func @keys_behind
// CHECK-NOT: wax.attention
func.func @keys_behind(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %i = wax.iota along 0 : tensor<5xi32>
  %j = wax.iota along 0 : tensor<7xi32>
  %s = wax.broadcast (%x = %s0[0, 1], %n = %i[0], %o = %j[1]) : (tensor<5x7xf32>, tensor<5xi32>, tensor<7xi32>) -> tensor<5x7xf32> {
    %c = arith.constant 4.0 : f32
    %fill = arith.constant -1.0e9 : f32
    %two = arith.constant 2 : i32
    %1 = arith.divf %x, %c : f32
    %2 = arith.addi %n, %two : i32
    %3 = arith.cmpi slt, %2, %o : i32
    %y = arith.select %3, %1, %fill : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @a_counter_that_overflows
// CHECK-NOT: wax.attention
func.func @a_counter_that_overflows(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<5x7x16xf32>
  %s0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<5x7xf32>
  %i = wax.iota along 0 : tensor<5xi8>
  %j = wax.iota along 0 : tensor<7xi8>
  %s = wax.broadcast (%x = %s0[0, 1], %n = %i[0], %o = %j[1]) : (tensor<5x7xf32>, tensor<5xi8>, tensor<7xi8>) -> tensor<5x7xf32> {
    %c = arith.constant 4.0 : f32
    %fill = arith.constant -1.0e9 : f32
    %two = arith.constant 2 : i8
    %1 = arith.divf %x, %c : f32
    %2 = arith.addi %n, %two : i8
    %3 = arith.cmpi sgt, %2, %o : i8
    %y = arith.select %3, %1, %fill : f32
    wax.yield %y : f32
  }
  %m = wax.reduce arith.maximumf(%s) over [1] init(%low) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %e = wax.broadcast (%a = %s[0, 1], %b = %m[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32> {
    %4 = arith.subf %a, %b : f32
    %5 = math.exp %4 : f32
    wax.yield %5 : f32
  }
  %t = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %d = wax.broadcast arith.divf(%e[0, 1], %t[0]) : (tensor<5x7xf32>, tensor<5xf32>) -> tensor<5x7xf32>
  %f = wax.broadcast arith.mulf(%d[0, 2], %v[2, 1]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3x7xf32>
  %r = wax.reduce arith.addf(%f) over [2] init(%zero) : (tensor<5x3x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
