// RUN: wax-opt %s --wax-inline-checkpoints | FileCheck %s
// RUN: wax-opt %s "--wax-to-linalg=target=iree" | FileCheck %s --check-prefix=IREE
// RUN: wax-opt %s --wax-to-linalg | FileCheck %s --check-prefix=UPSTREAM

// CHECK-LABEL: func.func @body_in_its_place
// CHECK-NOT: wax.barrier
// CHECK: %[[S:.*]] = wax.map math.sin(%{{.*}})
// CHECK-NEXT: return %[[S]]
func.func @body_in_its_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [["dots"]] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.name %a "x" : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.map math.sin(%1) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The smaller operand is enough, and waits for the cotangent.
// CHECK-LABEL: func.func @as_few_barriers_as_are_needed
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4x8xf32>, %[[CT:.*]]: tensor<4x8xf32>)
// CHECK: %[[G:.*]] = wax.map math.sin(%[[CT]])
// CHECK-NEXT: %[[B:.*]] = wax.barrier %[[X]] after %[[G]]
// CHECK-NEXT: %[[P:.*]] = wax.broadcast arith.mulf(%[[B]][0], %[[W]][0, 1])
// CHECK-NEXT: wax.broadcast arith.mulf(%[[P]][0, 1], %[[G]][0, 1])
// CHECK-NOT: wax.barrier

// IREE-LABEL: func.func @as_few_barriers_as_are_needed
// IREE: %[[HOLDS:.*]] = "util.optimization_barrier"(%true) : (i1) -> i1
// IREE: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x8xf32>) outs(%{{.*}} : tensor<4xf32>)
// IREE-NEXT: ^bb0(%[[IN:.*]]: f32, %[[AFTER:.*]]: f32, %{{.*}}: f32):
// IREE-NEXT: %[[BIT:.*]] = arith.cmpf oeq, %[[AFTER]], %{{.*}} : f32
// IREE-NEXT: %[[SAME:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// IREE-NEXT: arith.select %[[SAME]], %[[IN]], %{{.*}} : f32

// UPSTREAM-LABEL: func.func @as_few_barriers_as_are_needed
// UPSTREAM-NOT: select
// UPSTREAM: return
func.func @as_few_barriers_as_are_needed(%x: tensor<4xf32>, %w: tensor<4x8xf32>, %ct: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = wax.map math.sin(%ct) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = wax.checkpoint (%a = %x, %b = %w, %c = %g) saving [] recomputed [0, 1]
      : (tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = wax.broadcast arith.mulf(%a[0], %b[0, 1]) : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = wax.broadcast arith.mulf(%1[0, 1], %c[0, 1]) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    wax.return %2 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// What is computed of one operand alone needs that one too.
// CHECK-LABEL: func.func @each_operation_is_apart
// CHECK: wax.barrier
// CHECK-NOT: wax.barrier
func.func @each_operation_is_apart(%x: tensor<4xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = wax.checkpoint (%a = %x, %b = %w) saving [] recomputed [0, 1] : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = wax.map math.sin(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = wax.broadcast arith.mulf(%a[0], %1[0, 1]) : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    wax.return %2 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mergeable
// CHECK-NOT: wax.barrier
// CHECK: return
func.func @mergeable(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.checkpoint (%a = %x) saving [] recomputed [0] mergeable : (tensor<?xf32>) -> tensor<?xf32> {
    %1 = wax.map math.sin(%a) : (tensor<?xf32>) -> tensor<?xf32>
    wax.return %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// What a body calls is inlined into it before.
// CHECK-LABEL: func.func @calls
// UPSTREAM-LABEL: func.func @calls
// UPSTREAM-NOT: call @
// UPSTREAM: return
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
