// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=IREE

// Along the last dim the accumulator is carried beside the tensor.
// CHECK-LABEL: func @along_the_last_dim
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[INIT:.*]]: tensor<f32>
// CHECK-DAG: %[[START:.*]] = tensor.extract %[[INIT]][]
// CHECK-DAG: %[[E:.*]] = tensor.empty
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[ROWS:.*]] = %[[E]])
// CHECK:   scf.for %[[J:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[OUT:.*]] = %[[ROWS]], %[[ACC:.*]] = %[[START]])
// CHECK:     %[[A:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK:     %[[S:.*]] = arith.addf %[[A]], %[[ACC]] : f32
// CHECK:     %[[W:.*]] = tensor.insert %[[S]] into %[[OUT]][%[[I]], %[[J]]]
// CHECK:     scf.yield %[[W]], %[[S]]

// All of it is one dispatch, whose workgroups have rows of their own.
// IREE-LABEL: func @along_the_last_dim
// IREE: %[[GROUPS:.*]] = arith.minui %{{.*}}, %c64
// IREE: "flow.dispatch.region"
// IREE:   scf.forall (%{{.*}}) in (%[[GROUPS]])
// IREE:     scf.for
// IREE:       scf.for
// IREE:     tensor.parallel_insert_slice
// IREE:   mapping = [#iree_linalg_ext.split_reduction_mapping<0>]
// IREE:   "flow.return"
// IREE-NOT: scf.for
// IREE: return
func.func @along_the_last_dim(%x: tensor<?x?xf32>, %init: tensor<f32>) -> tensor<?x?xf32> {
  %0 = wax.scan arith.addf(%x) along 1 init(%init) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// An exclusive scan writes the accumulator before it folds.
// CHECK-LABEL: func @exclusive_and_reverse
// CHECK: scf.for %[[T:.*]] = %c0 to %c9 step %c1 iter_args(%[[OUT:.*]] = %{{.*}}, %[[ACC:.*]] = %{{.*}})
// CHECK:   %[[I:.*]] = arith.subi %c8, %[[T]] : index
// CHECK:   %[[A:.*]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK:   %[[S:.*]] = arith.muli %[[A]], %[[ACC]] : i32
// CHECK:   tensor.insert %[[ACC]] into %[[OUT]][%[[I]]]
func.func @exclusive_and_reverse(%x: tensor<9xi32>, %init: tensor<i32>) -> tensor<9xi32> {
  %0 = wax.scan arith.muli(%x) along 0 exclusive reverse init(%init) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}

// -----

// Along another dim, memory is read in its order: a turn reads what the one before has written.
// CHECK-LABEL: func @along_the_first_dim
// CHECK: %[[FIRST:.*]] = scf.for %[[C:.*]] = %c0 to %c5 step %c1
// CHECK:   tensor.insert %{{.*}} into %{{.*}}[%c0, %[[C]]]
// CHECK: scf.for %[[R:.*]] = %c1 to %c4 step %c1 iter_args(%[[OUT:.*]] = %[[FIRST]])
// CHECK:   %[[B:.*]] = arith.subi %[[R]], %c1 : index
// CHECK:   scf.for %[[C:.*]] = %c0 to %c5 step %c1 iter_args(%[[ROW:.*]] = %[[OUT]])
// CHECK-DAG: %[[ACC:.*]] = tensor.extract %[[ROW]][%[[B]], %[[C]]]
// CHECK-DAG: %[[A:.*]] = tensor.extract %{{.*}}[%[[R]], %[[C]]]
// CHECK:     %[[S:.*]] = arith.addf %[[A]], %[[ACC]] : f32
// CHECK:     tensor.insert %[[S]] into %[[ROW]][%[[R]], %[[C]]]
func.func @along_the_first_dim(%x: tensor<4x5xf32>, %init: tensor<f32>) -> tensor<4x5xf32> {
  %0 = wax.scan arith.addf(%x) along 0 init(%init) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// The dims on either side are merged, and those of size 1 left out.
// CHECK-LABEL: func @dims_are_merged
// CHECK-SAME: %[[X:.*]]: tensor<2x3x7x1xf32>
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2, 3]] : tensor<2x3x7x1xf32> into tensor<6x7xf32>
// CHECK: tensor.extract %[[M]]
// CHECK: tensor.expand_shape {{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [2, 3, 7, 1] : tensor<6x7xf32> into tensor<2x3x7x1xf32>
func.func @dims_are_merged(%x: tensor<2x3x7x1xf32>, %init: tensor<f32>) -> tensor<2x3x7x1xf32> {
  %0 = wax.scan arith.addf(%x) along 2 init(%init) : (tensor<2x3x7x1xf32>, tensor<f32>) -> tensor<2x3x7x1xf32>
  return %0 : tensor<2x3x7x1xf32>
}

// -----

// Booleans are bytes within a dispatch.
// CHECK-LABEL: func @booleans
// CHECK-NOT: i8
// IREE-LABEL: func @booleans
// IREE: "flow.dispatch.region"
// IREE:   arith.extui %{{.*}} : i1 to i8
// IREE:   tensor.insert {{.*}} : tensor<6xi8>
// IREE: linalg.generic
// IREE:   arith.trunci %{{.*}} : i8 to i1
func.func @booleans(%x: tensor<6xi1>, %init: tensor<i1>) -> tensor<6xi1> {
  %0 = wax.scan arith.ori(%x) along 0 init(%init) : (tensor<6xi1>, tensor<i1>) -> tensor<6xi1>
  return %0 : tensor<6xi1>
}

// -----

// CHECK-LABEL: func @no_elements
// CHECK-NOT: scf.for
// IREE-LABEL: func @no_elements
// IREE-NOT: flow
func.func @no_elements(%x: tensor<4x0xf32>, %init: tensor<f32>) -> tensor<4x0xf32> {
  %0 = wax.scan arith.addf(%x) along 0 init(%init) : (tensor<4x0xf32>, tensor<f32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}
