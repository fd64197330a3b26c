// RUN: wax-opt %s --wax-raise=wanted=softmax | FileCheck %s
// RUN: wax-opt %s --wax-simplify --cse -o %t.before
// RUN: wax-opt %s --wax-raise --wax-decompose --wax-simplify --cse --wax-verify-normal-form -o %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func.func @of_rows
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.softmax (%[[A:.*]] = %[[X]]) {accumulator = f32, dims = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK: wax.reduce arith.maximumf(%[[A]])
// CHECK: return %[[R]]
func.func @of_rows(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  %e = wax.map math.exp(%d) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// One kernel, dims kept as 1, a product with the reciprocal.
// CHECK-LABEL: func.func @written_otherwise
// CHECK: wax.softmax {{.*}} {accumulator = f32, dims = array<i64: 1, 2>} : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
func.func @written_otherwise(%x: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1, 2] init(%low) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<4xf32>
  %e = wax.broadcast (%a = %x[0, 1, 2], %b = %m[0]) : (tensor<4x8x2xf32>, tensor<4xf32>) -> tensor<4x8x2xf32> {
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    wax.yield %2 : f32
  }
  %s = wax.reduce arith.addf(%e) over [1, 2] init(%zero) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<4xf32>
  %k = wax.reshape %s [[0], []] into [[0], [1]] : (tensor<4xf32>) -> tensor<4x1xf32>
  %i = wax.map (%a = %k) : (tensor<4x1xf32>) -> tensor<4x1xf32> {
    %one = arith.constant 1.0 : f32
    %1 = arith.divf %one, %a : f32
    wax.yield %1 : f32
  }
  %j = wax.reshape %i [[0], [1]] into [[0], []] : (tensor<4x1xf32>) -> tensor<4xf32>
  %r = wax.broadcast arith.mulf(%j[0], %e[0, 1, 2]) : (tensor<4xf32>, tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %r : tensor<4x8x2xf32>
}

// CHECK-LABEL: func.func @half_floats
// CHECK: wax.softmax {{.*}} {accumulator = f32, dims = array<i64: 0>} : (tensor<?xbf16>) -> tensor<?xbf16>
func.func @half_floats(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %low = wax.constant dense<0xFF80> : tensor<bf16>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<?xbf16>, tensor<bf16>) -> tensor<bf16>
  %e = wax.broadcast (%a = %x[0], %b = %m[]) : (tensor<?xbf16>, tensor<bf16>) -> tensor<?xf32> {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.subf %1, %2 : f32
    %4 = math.exp %3 : f32
    wax.yield %4 : f32
  }
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast (%a = %e[0], %b = %s[]) : (tensor<?xf32>, tensor<f32>) -> tensor<?xbf16> {
    %1 = arith.divf %a, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    wax.yield %2 : bf16
  }
  return %r : tensor<?xbf16>
}

// What is nearly alike.

// It overflows.
// CHECK-LABEL: func.func @without_a_maximum
// CHECK-NOT: wax.softmax
func.func @without_a_maximum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %e = wax.map math.exp(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @sums_over_another_dim
// CHECK-NOT: wax.softmax
func.func @sums_over_another_dim(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %e = wax.map math.exp(%d) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r = wax.broadcast arith.divf(%e[0, 1], %s[1]) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// The rows' sums divide columns.
// CHECK-LABEL: func.func @divided_by_other_sums
// CHECK-NOT: wax.softmax
func.func @divided_by_other_sums(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %e = wax.map math.exp(%d) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r = wax.broadcast arith.divf(%e[0, 1], %s[1]) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @the_maximum_of_another
// CHECK-NOT: wax.softmax
func.func @the_maximum_of_another(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%y) over [0] init(%low) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// It does not keep NaN.
// CHECK-LABEL: func.func @another_maximum
// CHECK-NOT: wax.softmax
func.func @another_maximum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maxnumf(%x) over [0] init(%low) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @powers_of_two
// CHECK-NOT: wax.softmax
func.func @powers_of_two(%x: tensor<8xf32>) -> tensor<8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp2(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @a_share_that_others_read
// CHECK-NOT: wax.softmax
func.func @a_share_that_others_read(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<f32>
}

// Of equal elements there are more in the sum than in the result.
// CHECK-LABEL: func.func @sums_of_more
// CHECK-NOT: wax.softmax
func.func @sums_of_more() -> tensor<8xf32> {
  %one = wax.constant dense<1.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %x = wax.broadcast (%a = %one[]) sizes [8] : (tensor<f32>) -> tensor<8xf32> {
    wax.yield %a : f32
  }
  %y = wax.broadcast (%a = %one[]) sizes [9] : (tensor<f32>) -> tensor<9xf32> {
    wax.yield %a : f32
  }
  %m = wax.reduce arith.maximumf(%y) over [0] init(%low) : (tensor<9xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %g = wax.broadcast arith.subf(%y[0], %m[]) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  %f = wax.map math.exp(%g) : (tensor<9xf32>) -> tensor<9xf32>
  %s = wax.reduce arith.addf(%f) over [0] init(%zero) : (tensor<9xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
