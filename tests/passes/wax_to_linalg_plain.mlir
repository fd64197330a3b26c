// RUN: wax-opt %s --wax-to-linalg=optimize=false | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg="target=iree optimize=false" | FileCheck %s --check-prefix=IREE
// RUN: wax-opt %s --wax-to-linalg | FileCheck %s --check-prefix=FUSED

// Only what the target asks for is done: what is written twice is computed
// twice, and a product is set up before it is summed.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.addf
// CHECK: return

// But for IREE, which computes once what is written twice.
// IREE-LABEL: func.func @main
// IREE-COUNT-1: arith.negf
// IREE-NOT: arith.negf
// IREE: iterator_types = ["parallel", "parallel", "parallel"]
// IREE: arith.mulf
// IREE: iterator_types = ["parallel", "parallel", "reduction"]
// IREE: arith.addf
// IREE: return

// FUSED-LABEL: func.func @main
// FUSED-COUNT-1: arith.negf
// FUSED-NOT: arith.negf
// FUSED: iterator_types = ["parallel", "parallel", "reduction"]
// FUSED: arith.mulf
// FUSED: arith.addf
// FUSED: return
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.map arith.negf(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = wax.map arith.negf(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = wax.broadcast arith.mulf(%0[0, 2], %1[2, 1]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4x4xf32>
  %3 = wax.reduce arith.addf(%2) over [2] init(%zero) : (tensor<4x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
