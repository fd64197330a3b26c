// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// Sizes of results follow from the relation of the operation.

// CHECK-LABEL: func.func @dim_of_broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK: return %[[D]], %[[C8]], %[[N]] : index, index, index
func.func @dim_of_broadcast(%x: tensor<?x8xf32>, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = wax.broadcast math.exp(%x[1, 2]) sizes [%n] : (tensor<?x8xf32>) -> tensor<?x?x?xf32>
  %a = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %b, %c, %a : index, index, index
}

// CHECK-LABEL: func.func @dim_of_concat_and_pad
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[D1:.*]] = tensor.dim %[[Y]], %[[C0]]
// CHECK: %[[S:.*]] = arith.addi %[[D0]], %[[D1]] : index
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[C3]] : index
// CHECK: return %[[T]] : index
func.func @dim_of_concat_and_pad(%x: tensor<?xf32>, %y: tensor<?xf32>, %v: tensor<f32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = wax.concat (%x, %y) along 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = wax.pad %0 with %v low [1] high [2] interior [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = tensor.dim %1, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func.func @dim_of_merge
// CHECK: %[[S:.*]] = arith.muli
// CHECK: return %[[S]] : index
func.func @dim_of_merge(%x: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = wax.reshape %x [[0, 1]] into [[0]] : (tensor<?x?xf32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func.func @static_sizes_flow
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK: %[[A:.*]] = wax.broadcast (%{{.*}} = %[[X]][1]) sizes [3] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: %[[B:.*]] = wax.map math.exp(%[[A]]) : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: %[[C:.*]] = wax.reshape %[[B]] {{.*}} : (tensor<3x4xf32>) -> tensor<12xf32>
// CHECK: %[[D:.*]] = wax.slice %[[C]] offsets [0] sizes [3] strides [1] : (tensor<12xf32>) -> tensor<3xf32>
// CHECK: %[[E:.*]] = tensor.cast %[[D]] : tensor<3xf32> to tensor<?xf32>
// CHECK: return %[[E]]
func.func @static_sizes_flow(%x: tensor<4xf32>) -> tensor<?xf32> {
  %c3 = arith.constant 3 : index
  %0 = wax.broadcast (%a = %x[1]) sizes [%c3] : (tensor<4xf32>) -> tensor<?x4xf32> {
    wax.yield %a : f32
  }
  %1 = wax.map math.exp(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = wax.reshape %1 [[0, 1]] into [[0]] : (tensor<?x4xf32>) -> tensor<?xf32>
  %3 = wax.slice %2 offsets [0] sizes [%c3] strides [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// CHECK-LABEL: func.func @negative_size_stays
// CHECK: sizes [%{{.*}}]
func.func @negative_size_stays(%x: tensor<4xf32>) -> tensor<?x4xf32> {
  %n = arith.constant -3 : index
  %0 = wax.broadcast (%a = %x[1]) sizes [%n] : (tensor<4xf32>) -> tensor<?x4xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x4xf32>
}

// A size that does not fit is left to the check at run time.
// CHECK-LABEL: func.func @sizes_that_do_not_fit_stay
// CHECK: wax.reshape %{{.*}} sizes [%{{.*}}] : (tensor<6xf32>) -> tensor<?xf32>
// CHECK: wax.slice %{{.*}} sizes [%{{.*}}] strides [1] : (tensor<6xf32>) -> tensor<?xf32>
func.func @sizes_that_do_not_fit_stay(%x: tensor<6xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = arith.constant 7 : index
  %0 = wax.reshape %x [[0]] into [[0]] sizes [%n] : (tensor<6xf32>) -> tensor<?xf32>
  %1 = wax.slice %x offsets [0] sizes [%n] strides [1] : (tensor<6xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// Operands of different sizes stay as they are, for the check at run time.
// CHECK-LABEL: func.func @casts_that_contradict_stay
// CHECK: wax.broadcast arith.addf(%{{.*}}[0], %{{.*}}[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
func.func @casts_that_contradict_stay(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %y : tensor<5xf32> to tensor<?xf32>
  %2 = wax.broadcast arith.addf(%0[0], %1[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: func.func @equal_operations_are_one
// CHECK-COUNT-1: wax.map
// CHECK-NOT: wax.map
// CHECK: return
func.func @equal_operations_are_one(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    %y = arith.divf %one, %a : f32
    wax.yield %y : f32
  }
  %1 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    %y = arith.divf %one, %a : f32
    wax.yield %y : f32
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @different_kernels_stay
// CHECK-COUNT-2: wax.map
func.func @different_kernels_stay(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = wax.map math.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = wax.map math.exp2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @unused_operations_go
// CHECK-NEXT: return
func.func @unused_operations_go(%x: tensor<4xi32>, %z: tensor<i32>) {
  %0 = wax.map (%a = %x) : (tensor<4xi32>) -> tensor<4xi32> {
    %q = arith.divsi %a, %a : i32
    wax.yield %q : i32
  }
  %1 = wax.reduce arith.addi(%0) over [0] init(%z) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return
}

// A constant that the result's type rules out stays, for the passes to refuse.
// CHECK-LABEL: @a_size_that_does_not_fit
func.func @a_size_that_does_not_fit(%x: tensor<1x4xi1>) -> tensor<?x1x4xi1> {
  // CHECK: wax.broadcast (%{{.*}} = %{{.*}}[0, 2]) sizes [%{{.*}}]
  %c0 = arith.constant 0 : index
  %0 = wax.broadcast (%a = %x[0, 2]) sizes [%c0] : (tensor<1x4xi1>) -> tensor<?x1x4xi1> {
    wax.yield %a : i1
  }
  return %0 : tensor<?x1x4xi1>
}
