// RUN: wax-opt %s --wax-keep-overwritten --split-input-file | FileCheck %s

// The dispatch that makes the source would write where it has yet to read.
// CHECK-LABEL: func.func @moved
// CHECK: %[[X:.*]] = linalg.sqrt
// CHECK: %[[SOURCE:.*]] = linalg.exp
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SOURCE]])
// CHECK: tensor.insert_slice %[[APART]] into %[[X]][1]
func.func @moved(%y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.empty() : tensor<3xf32>
  %3 = linalg.exp ins(%1 : tensor<3xf32>) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
  %4 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// A part of the target, or of an argument that the target is a copy of, is copied.
// CHECK-LABEL: func.func @as_it_is
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]]
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[PART]]
// CHECK: arith.select
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[COPY]])
// CHECK: tensor.insert_slice %[[APART]] into %[[X]]
func.func @as_it_is(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.insert_slice %1 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Each element is computed from the one that it replaces, and IREE copies the argument.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: util.optimization_barrier
func.func @in_place(%y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.empty() : tensor<3xf32>
  %3 = linalg.exp ins(%1 : tensor<3xf32>) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
  %4 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %5 = tensor.insert_slice %3 into %y[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %4, %5 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The source is made before the target is read.
// CHECK-LABEL: func.func @read_later
// CHECK: %[[SOURCE:.*]] = linalg.exp
// CHECK: linalg.negf
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SOURCE]])
// CHECK: tensor.insert_slice %[[APART]]
func.func @read_later(%y: tensor<4xf32>, %z: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<3xf32>
  %3 = linalg.exp ins(%z : tensor<3xf32>) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
  %4 = linalg.negf ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %5 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %4, %5 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What the source is computed from in another dispatch has read the target by then.
// CHECK-LABEL: func.func @read_before
// CHECK-NOT: util.optimization_barrier
func.func @read_before(%y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %made = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = linalg.negf ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    "flow.return"(%5) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  %1 = tensor.extract_slice %made[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.empty() : tensor<3xf32>
  %3 = linalg.exp ins(%1 : tensor<3xf32>) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
  %4 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Rows of the target itself are copied before they are scattered to it, through whatever barrier.
// CHECK-LABEL: func.func @scattered
// CHECK: %[[X:.*]] = linalg.sqrt
// CHECK: %[[BARRIER:.*]] = "util.optimization_barrier"(%[[X]])
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[BARRIER]]
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[COPY]])
// CHECK: "iree_linalg_ext.scatter"(%[[APART]], %{{.*}}, %{{.*}}, %[[X]])
func.func @scattered(%y: tensor<2x4xf32>, %at: tensor<2xi64>, %mask: tensor<2xi1>) -> tensor<2x4xf32> {
  %0 = tensor.empty() : tensor<2x4xf32>
  %x = linalg.sqrt ins(%y : tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %rows = "util.optimization_barrier"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %made = "iree_linalg_ext.scatter"(%rows, %at, %mask, %x) <{dimension_map = array<i64: 0>, unique_indices = false}> ({
  ^bb0(%a: f32, %b: f32):
    "iree_linalg_ext.yield"(%a) : (f32) -> ()
  }) : (tensor<2x4xf32>, tensor<2xi64>, tensor<2xi1>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %made : tensor<2x4xf32>
}

// -----

// A source that is made outside of a branch is not written there.
// CHECK-LABEL: func.func @in_a_branch
// CHECK: scf.if
// CHECK: %[[APART:.*]] = "util.optimization_barrier"
// CHECK: tensor.insert_slice %[[APART]]
func.func @in_a_branch(%y: tensor<4xf32>, %z: tensor<3xf32>, %if: i1) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<3xf32>
  %3 = linalg.exp ins(%z : tensor<3xf32>) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
  %5 = scf.if %if -> tensor<4xf32> {
    %6 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    scf.yield %6 : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %5 : tensor<4xf32>
}

// -----

// Each turn begins with what was made before the loop.
// CHECK-LABEL: func.func @captured
// CHECK: %[[X:.*]] = linalg.sqrt
// CHECK: scf.for
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: arith.select
// CHECK: tensor.insert_slice %{{.*}} into %[[COPY]][1]
func.func @captured(%y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<4xf32> {
    %2 = tensor.extract_slice %a[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %3 = tensor.insert_slice %2 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// -----

// What a turn updates of what it is given stays in place, and so does what it
// makes of one number.
// CHECK-LABEL: func.func @in_turns
// CHECK-NOT: linalg.generic
// CHECK-NOT: util.optimization_barrier
func.func @in_turns(%y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty() : tensor<3xf32>
  %x = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %3 = tensor.extract_slice %a[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %4 = linalg.exp ins(%3 : tensor<3xf32>) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
    %5 = tensor.insert_slice %4 into %a[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    %6 = linalg.sqrt ins(%4 : tensor<3xf32>) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
    %7 = tensor.insert_slice %6 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    scf.yield %5, %7 : tensor<4xf32>, tensor<4xf32>
  }
  return %2#0, %2#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop reads the target, and the update would not wait for it.
// CHECK-LABEL: func.func @read_in_a_loop
// CHECK: %[[X:.*]] = linalg.sqrt
// CHECK: scf.for
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: tensor.insert_slice %{{.*}} into %[[COPY]]
func.func @read_in_a_loop(%y: tensor<4xf32>, %z: tensor<3xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<4xf32> {
    %2 = linalg.add ins(%a, %x : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.insert_slice %z into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The update waits for the loop, of which it reads a result.
// CHECK-LABEL: func.func @after_a_loop
// CHECK: %[[X:.*]] = linalg.sqrt
// CHECK: tensor.insert_slice %{{.*}} into %[[X]]
func.func @after_a_loop(%y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4xf32>
  %x = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<4xf32> {
    %2 = linalg.add ins(%a, %x : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.extract_slice %1[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %4 = tensor.insert_slice %3 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %4 : tensor<4xf32>
}
