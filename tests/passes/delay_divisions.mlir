// RUN: wax-opt %s --wax-delay-divisions --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-delay-divisions --split-input-file -o %t.once
// RUN: wax-opt %t.once --wax-delay-divisions --split-input-file -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: wax-opt %s --wax-delay-divisions --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// Exponentials are scaled by the power of 2 next below 1 / 24.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[X:.*]]: tensor<16x24xf32>, %[[V:.*]]: tensor<24x8xf32>
// CHECK: %[[MAX:.*]] = wax.reduce arith.maximumf(%[[X]])
// CHECK-NEXT: %[[E:.*]] = wax.broadcast (%{{.*}} = %[[X]][0, 1], %{{.*}} = %[[MAX]][0])
// CHECK: %[[EXP:.*]] = math.exp
// CHECK-NEXT: %[[C:.*]] = arith.constant 3.125000e-02 : f32
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[EXP]], %[[C]]
// CHECK-NEXT: wax.yield %[[SCALED]]
// CHECK: %[[S:.*]] = wax.reduce arith.addf(%[[E]]) over [1]
// CHECK-NEXT: %[[P:.*]] = wax.broadcast arith.mulf(%[[E]][0, 2], %[[V]][2, 1]) {{.*}} -> tensor<16x8x24xf32>
// CHECK: %[[M:.*]] = wax.reduce arith.addf(%[[P]]) over [2]
// CHECK-NEXT: %[[R:.*]] = wax.broadcast arith.divf(%[[M]][0, 1], %[[S]][0])
// CHECK-NEXT: return %[[R]]
// LOC-LABEL: func @rows
// LOC: math.exp {{.*}} loc([[EXPLINE:#[a-z0-9]+]])
// LOC: wax.broadcast arith.mulf{{.*}} loc([[SUMLINE:#[a-z0-9]+]])
// LOC: wax.reduce{{.*}} loc([[SUMLINE]])
// LOC: wax.broadcast arith.divf{{.*}} loc([[DIVLINE:#[a-z0-9]+]])
// LOC-DAG: [[SUMLINE]] = loc("user.py":4:1)
// LOC-DAG: [[DIVLINE]] = loc("user.py":3:1)
func.func @rows(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %e = wax.broadcast (%a = %x[0, 1], %b = %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32> {
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    wax.yield %2 : f32
  }
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast (%a = %e[0, 1], %b = %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32> {
    %1 = arith.divf %a, %b : f32 loc("user.py":3:1)
    wax.yield %1 : f32
  }
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32> loc("user.py":4:1)
  return %r : tensor<16x8xf32>
}

// -----

// `v.T @ p.T`, and a product with the reciprocal of a sum whose dim was kept;
// queries are open.
// CHECK-LABEL: func @transposed
// CHECK: %[[E:.*]] = wax.map
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK: %[[S:.*]] = wax.reduce arith.addf(%[[E]]) over [1]
// CHECK: %[[P:.*]] = wax.broadcast arith.mulf(%{{.*}}[2, 0], %[[E]][1, 2]) {{.*}} -> tensor<8x?x24xf32>
// CHECK: %[[M:.*]] = wax.reduce arith.addf(%[[P]]) over [2]
// CHECK-NEXT: %[[R:.*]] = wax.broadcast arith.divf(%[[M]][0, 1], %[[S]][1])
// CHECK-NEXT: return %[[R]]
func.func @transposed(%x: tensor<?x24xf32>, %v: tensor<24x8xf32>) -> tensor<8x?xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<?x24xf32>, tensor<f32>) -> tensor<?xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<?x24xf32>, tensor<?xf32>) -> tensor<?x24xf32>
  %e = wax.map math.exp(%d) : (tensor<?x24xf32>) -> tensor<?x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<?x24xf32>, tensor<f32>) -> tensor<?xf32>
  %k = wax.reshape %s [[0], []] into [[0], [1]] : (tensor<?xf32>) -> tensor<?x1xf32>
  %i = wax.map (%a = %k) : (tensor<?x1xf32>) -> tensor<?x1xf32> {
    %one = arith.constant 1.0 : f32
    %1 = arith.divf %one, %a : f32
    wax.yield %1 : f32
  }
  %j = wax.reshape %i [[0], [1]] into [[0], []] : (tensor<?x1xf32>) -> tensor<?xf32>
  %w = wax.broadcast arith.mulf(%j[0], %e[0, 1]) : (tensor<?xf32>, tensor<?x24xf32>) -> tensor<?x24xf32>
  %wt = wax.permute %w [1, 0] : (tensor<?x24xf32>) -> tensor<24x?xf32>
  %vt = wax.permute %v [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
  %p = wax.broadcast arith.mulf(%vt[0, 2], %wt[2, 1]) : (tensor<8x24xf32>, tensor<24x?xf32>) -> tensor<8x?x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<8x?x24xf32>, tensor<f32>) -> tensor<8x?xf32>
  return %r : tensor<8x?xf32>
}

// -----

// Over two dims, with a dim of size 1 that is dropped, guarded, in f64, of
// values that are widened, all in one kernel.
// CHECK-LABEL: func @one_kernel
// CHECK: %[[E:.*]] = wax.broadcast
// CHECK: math.exp
// CHECK-NEXT: arith.constant 1.562500e-02 : f64
// CHECK: %[[D:.*]] = wax.reshape %[[E]] {{\[}}[0], [1], [2], [3]] into {{\[}}[], [0], [1], [2]] : (tensor<1x4x6x7xf64>) -> tensor<4x6x7xf64>
// CHECK: %[[S:.*]] = wax.reduce arith.addf(%[[D]]) over [1, 2]
// CHECK: wax.broadcast (%{{.*}} = %[[D]][0, 2, 3], %{{.*}} = %arg1[3, 2, 1])
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK: %[[M:.*]] = wax.reduce arith.addf(%{{.*}}) over [2, 3]
// CHECK-NEXT: %[[R:.*]] = wax.broadcast (%[[A:.*]] = %[[M]][0, 1], %[[B:.*]] = %[[S]][0])
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[B]]
// CHECK: %[[SAFE:.*]] = arith.select %[[IS]], %{{.*}}, %[[B]]
// CHECK: arith.divf %[[A]], %[[SAFE]]
// CHECK: return %[[R]]
func.func @one_kernel(%x: tensor<1x4x6x7xf64>, %v: tensor<7x6x5xf32>) -> tensor<4x5xf64> {
  %low = wax.constant dense<0xFFF0000000000000> : tensor<f64>
  %zero = wax.constant dense<0.0> : tensor<f64>
  %m = wax.reduce arith.maximumf(%x) over [2, 3] init(%low) : (tensor<1x4x6x7xf64>, tensor<f64>) -> tensor<1x4xf64>
  %e = wax.broadcast (%a = %x[0, 1, 2, 3], %b = %m[0, 1]) : (tensor<1x4x6x7xf64>, tensor<1x4xf64>) -> tensor<1x4x6x7xf64> {
    %inf = arith.constant 0x7FF0000000000000 : f64
    %c0 = arith.constant 0.0 : f64
    %1 = math.absf %b : f64
    %2 = arith.cmpf one, %1, %inf : f64
    %3 = arith.select %2, %b, %c0 : f64
    %4 = arith.subf %a, %3 : f64
    %5 = math.exp %4 : f64
    wax.yield %5 : f64
  }
  %s = wax.reduce arith.addf(%e) over [2, 3] init(%zero) : (tensor<1x4x6x7xf64>, tensor<f64>) -> tensor<1x4xf64>
  %t = wax.reshape %s [[0], [1]] into [[], [0]] : (tensor<1x4xf64>) -> tensor<4xf64>
  %f = wax.reshape %e [[0], [1], [2], [3]] into [[], [0], [1], [2]] : (tensor<1x4x6x7xf64>) -> tensor<4x6x7xf64>
  %p = wax.broadcast (%a = %f[0, 1, 2], %b = %t[0], %c = %v[2, 1, 3]) : (tensor<4x6x7xf64>, tensor<4xf64>, tensor<7x6x5xf32>) -> tensor<4x6x7x5xf64> {
    %c0 = arith.constant 0.0 : f64
    %c1 = arith.constant 1.0 : f64
    %1 = arith.cmpf oeq, %b, %c0 : f64
    %2 = arith.select %1, %c1, %b : f64
    %3 = arith.divf %a, %2 : f64
    %4 = arith.extf %c : f32 to f64
    %5 = arith.mulf %3, %4 : f64
    wax.yield %5 : f64
  }
  %r = wax.reduce arith.addf(%p) over [1, 2] init(%zero) : (tensor<4x6x7x5xf64>, tensor<f64>) -> tensor<4x5xf64>
  return %r : tensor<4x5xf64>
}

// -----

// Both factors are such.
// CHECK-LABEL: func @of_two
// CHECK-NOT: arith.divf
// CHECK: wax.broadcast arith.mulf(%{{.*}}[0, 2], %{{.*}}[1, 2]) {{.*}} -> tensor<4x5x24xf32>
// CHECK-COUNT-2: wax.broadcast arith.divf({{.*}}) : (tensor<4x5xf32>
// CHECK-NOT: arith.divf
func.func @of_two(%x: tensor<4x24xf32>, %y: tensor<5x24xf32>) -> tensor<4x5xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<4x24xf32>, tensor<f32>) -> tensor<4xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<4x24xf32>, tensor<4xf32>) -> tensor<4x24xf32>
  %e = wax.map math.exp(%d) : (tensor<4x24xf32>) -> tensor<4x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<4x24xf32>, tensor<f32>) -> tensor<4xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<4x24xf32>, tensor<4xf32>) -> tensor<4x24xf32>
  %m1 = wax.reduce arith.maximumf(%y) over [1] init(%low) : (tensor<5x24xf32>, tensor<f32>) -> tensor<5xf32>
  %d1 = wax.broadcast arith.subf(%y[0, 1], %m1[0]) : (tensor<5x24xf32>, tensor<5xf32>) -> tensor<5x24xf32>
  %e1 = wax.map math.exp(%d1) : (tensor<5x24xf32>) -> tensor<5x24xf32>
  %s1 = wax.reduce arith.addf(%e1) over [1] init(%zero) : (tensor<5x24xf32>, tensor<f32>) -> tensor<5xf32>
  %w1 = wax.broadcast arith.divf(%e1[0, 1], %s1[0]) : (tensor<5x24xf32>, tensor<5xf32>) -> tensor<5x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %w1[1, 2]) : (tensor<4x24xf32>, tensor<5x24xf32>) -> tensor<4x5x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x24xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----

// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for
// CHECK: math.exp
// CHECK: wax.reduce arith.addf(%{{.*}}) over [2]
// CHECK-NEXT: wax.broadcast arith.divf
// CHECK-NEXT: scf.yield
func.func @in_a_loop(%x: tensor<16x24xf32>, %v: tensor<24x24xf32>, %q: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %u = wax.slice %v offsets [0, 0] sizes [24, 8] strides [1, 1] : (tensor<24x24xf32>) -> tensor<24x8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %q) -> (tensor<16x8xf32>) {
    %z = wax.broadcast (%a = %x[0, 1], %b = %h[0, 2]) : (tensor<16x24xf32>, tensor<16x8xf32>) -> tensor<16x24x8xf32> {
      %1 = arith.addf %a, %b : f32
      wax.yield %1 : f32
    }
    %y = wax.reduce arith.addf(%z) over [2] init(%zero) : (tensor<16x24x8xf32>, tensor<f32>) -> tensor<16x24xf32>
    %m = wax.reduce arith.maximumf(%y) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
    %d = wax.broadcast arith.subf(%y[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
    %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
    %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
    %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
    %p = wax.broadcast arith.mulf(%w[0, 2], %u[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
    %n = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
    scf.yield %n : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// Results are as many as weights.
// CHECK-LABEL: func @as_many_results
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @as_many_results(%x: tensor<16x24xf32>, %v: tensor<24x24xf32>) -> tensor<16x24xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x24xf32>) -> tensor<16x24x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x24x24xf32>, tensor<f32>) -> tensor<16x24xf32>
  return %r : tensor<16x24xf32>
}

// -----

// How many keys there are is not known.
// CHECK-LABEL: func @open_keys
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x?
// CHECK-NOT: arith.divf
func.func @open_keys(%x: tensor<16x?xf32>, %v: tensor<?x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x?xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x?xf32>, tensor<16xf32>) -> tensor<16x?xf32>
  %e = wax.map math.exp(%d) : (tensor<16x?xf32>) -> tensor<16x?xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x?xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x?xf32>, tensor<16xf32>) -> tensor<16x?xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x?xf32>, tensor<?x8xf32>) -> tensor<16x8x?xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x?xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// How many results there are is not known.
// CHECK-LABEL: func @open_width
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @open_width(%x: tensor<16x24xf32>, %v: tensor<24x?xf32>) -> tensor<16x?xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x?xf32>) -> tensor<16x?x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x?x24xf32>, tensor<f32>) -> tensor<16x?xf32>
  return %r : tensor<16x?xf32>
}

// -----

// There is no key, and a result is 0.
// CHECK-LABEL: func @no_keys
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x0
// CHECK-NOT: arith.divf
func.func @no_keys(%x: tensor<16x0xf32>, %v: tensor<0x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x0xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x0xf32>, tensor<16xf32>) -> tensor<16x0xf32>
  %e = wax.map math.exp(%d) : (tensor<16x0xf32>) -> tensor<16x0xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x0xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x0xf32>, tensor<16xf32>) -> tensor<16x0xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x0xf32>, tensor<0x8xf32>) -> tensor<16x8x0xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x0xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func @weights_are_read
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @weights_are_read(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> (tensor<16x8xf32>, tensor<16x24xf32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r, %w : tensor<16x8xf32>, tensor<16x24xf32>
}

// -----

// CHECK-LABEL: func @exponentials_are_read
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @exponentials_are_read(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> (tensor<16x8xf32>, tensor<16x24xf32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r, %e : tensor<16x8xf32>, tensor<16x24xf32>
}

// -----

// CHECK-LABEL: func @sums_are_read
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @sums_are_read(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r, %s : tensor<16x8xf32>, tensor<16xf32>
}

// -----

// Exponentials may be of any size.
// CHECK-LABEL: func @no_maximum
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @no_maximum(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.map arith.negf(%x) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func @another_maximum
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @another_maximum(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>, %y: tensor<16x24xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%y) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func @another_sum
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @another_sum(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>, %y: tensor<16x24xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %f = wax.map math.exp(%y) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%f) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// The divisor depends on what is summed over.
// CHECK-LABEL: func @over_another_dim
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x16
// CHECK-NOT: arith.divf
func.func @over_another_dim(%x: tensor<16x16xf32>, %v: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[1]) : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %e = wax.map math.exp(%d) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[1]) : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8x16xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x16xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func @sum_over_another_dim
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x16
// CHECK-NOT: arith.divf
func.func @sum_over_another_dim(%x: tensor<16x16xf32>, %v: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %e = wax.map math.exp(%d) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8x16xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x16xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// Both factors are the same weights.
// CHECK-LABEL: func @squared
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @squared(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> tensor<16x16xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %w[1, 2]) : (tensor<16x24xf32>, tensor<16x24xf32>) -> tensor<16x16x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x16x24xf32>, tensor<f32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

// CHECK-LABEL: func @weights_are_summed
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @weights_are_summed(%x: tensor<16x24xf32>, %v: tensor<24x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8x24xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  %c = wax.reduce arith.addf(%w) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  return %r, %c : tensor<16x8xf32>, tensor<16xf32>
}

// -----

// CHECK-LABEL: func @in_half_floats
// CHECK: wax.broadcast arith.divf(%{{.*}}) : (tensor<16x24
// CHECK-NOT: arith.divf
func.func @in_half_floats(%x: tensor<16x24xf16>, %v: tensor<24x8xf16>) -> tensor<16x8xf16> {
  %low = wax.constant dense<0xFC00> : tensor<f16>
  %zero = wax.constant dense<0.0> : tensor<f16>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf16>, tensor<f16>) -> tensor<16xf16>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf16>, tensor<16xf16>) -> tensor<16x24xf16>
  %e = wax.map math.exp(%d) : (tensor<16x24xf16>) -> tensor<16x24xf16>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf16>, tensor<f16>) -> tensor<16xf16>
  %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<16x24xf16>, tensor<16xf16>) -> tensor<16x24xf16>
  %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<16x24xf16>, tensor<24x8xf16>) -> tensor<16x8x24xf16>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf16>, tensor<f16>) -> tensor<16x8xf16>
  return %r : tensor<16x8xf16>
}

// -----

// Weights are rounded before they are multiplied.
// CHECK-LABEL: func @rounded
// CHECK: arith.divf {{.*}} : f32
// CHECK-NEXT: arith.truncf
// CHECK-NOT: arith.divf
func.func @rounded(%x: tensor<16x24xf32>, %v: tensor<24x8xbf16>) -> tensor<16x8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %d = wax.broadcast arith.subf(%x[0, 1], %m[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xf32>
  %e = wax.map math.exp(%d) : (tensor<16x24xf32>) -> tensor<16x24xf32>
  %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %w = wax.broadcast (%a = %e[0, 1], %b = %s[0]) : (tensor<16x24xf32>, tensor<16xf32>) -> tensor<16x24xbf16> {
    %1 = arith.divf %a, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    wax.yield %2 : bf16
  }
  %p = wax.broadcast (%a = %w[0, 2], %b = %v[2, 1]) : (tensor<16x24xbf16>, tensor<24x8xbf16>) -> tensor<16x8x24xf32> {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    wax.yield %3 : f32
  }
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<16x8x24xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
