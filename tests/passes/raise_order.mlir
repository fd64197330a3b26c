// RUN: wax-opt %s --wax-raise | FileCheck %s
// RUN: wax-opt %s --wax-raise -mlir-print-debuginfo | FileCheck %s --check-prefix=LINES
// RUN: not wax-opt %s --wax-raise=wanted=matmul 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: 'matmul' is no recognised operation

// What does not belong to it stays where it is; locations are those of all its parts, the result's first.
// CHECK-LABEL: func.func @among_others
// CHECK: wax.map math.sin
// CHECK: wax.contract
// CHECK: wax.map math.cos
// LINES: } loc(#[[ALL:.*]])
// LINES-DAG: #[[FIRST:.*]] = loc("f.py":3:0)
// LINES-DAG: #[[SECOND:.*]] = loc("f.py":2:0)
// LINES-DAG: #[[ALL]] = loc(fused[#[[FIRST]], #[[SECOND]]])
func.func @among_others(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32> loc("f.py":1:0)
  %p = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("f.py":2:0)
  %s = wax.map math.sin(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %r = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32> loc("f.py":3:0)
  %c = wax.map math.cos(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %r, %s, %c : tensor<f32>, tensor<8xf32>, tensor<8xf32>
}

// Attention is more than the softmax and products that are in it.
// CHECK-LABEL: func.func @the_largest_first
// CHECK: wax.softmax
// CHECK-NOT: wax.contract
// CHECK: wax.return
func.func @the_largest_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %d = wax.broadcast arith.subf(%x[0], %m[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = wax.map math.exp(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %s = wax.reduce arith.addf(%e) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %r = wax.broadcast arith.divf(%e[0], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
