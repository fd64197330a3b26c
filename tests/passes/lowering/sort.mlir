// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=IREE

// What one run holds is sorted by insertion, and nothing merged.
// CHECK-LABEL: func @one_run
// CHECK-SAME: %[[X:.*]]: tensor<16xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c1
// CHECK:   %[[A:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK:   scf.while
// CHECK:     %[[B:.*]] = tensor.extract
// CHECK:     %[[L:.*]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// CHECK:     %[[MOVES:.*]] = arith.andi %{{.*}}, %[[L]] : i1
// CHECK:     scf.condition(%[[MOVES]])
// CHECK:   tensor.insert %[[A]]
// CHECK-NOT: scf.while
// CHECK: return
func.func @one_run(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<16xf32>) -> tensor<16xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<16xf32>
}

// -----

// Of 17 elements two runs are merged from one half of memory into the other, without a branch.
// CHECK-LABEL: func @two_runs
// CHECK: tensor.empty() : tensor<2x17xf32>
// CHECK: tensor.empty() : tensor<2x17xi32>
// CHECK: scf.while
// CHECK: scf.while
// CHECK:   %[[LEFT:.*]] = tensor.extract %{{.*}} : tensor<2x17xf32>
// CHECK:   %[[LEFT_N:.*]] = tensor.extract %{{.*}} : tensor<2x17xi32>
// CHECK:   %[[RIGHT:.*]] = tensor.extract %{{.*}} : tensor<2x17xf32>
// CHECK:   %[[RIGHT_N:.*]] = tensor.extract %{{.*}} : tensor<2x17xi32>
// CHECK:   %[[L:.*]] = arith.cmpf olt, %[[RIGHT]], %[[LEFT]] : f32
// CHECK:   arith.select %[[L]], %[[RIGHT]], %[[LEFT]] : f32
// CHECK:   arith.select %[[L]], %[[RIGHT_N]], %[[LEFT_N]] : i32
// CHECK: tensor.extract_slice {{.*}}[0, 0] [1, 17] [1, 1] : tensor<2x17xf32> to tensor<17xf32>
// IREE-LABEL: func @two_runs
// IREE: tensor.collapse_shape {{.*}} : tensor<2x17xf32> into tensor<34xf32>
// IREE: tensor.extract_slice {{.*}}[0] [17] [1]
func.func @two_runs(%x: tensor<17xf32>, %n: tensor<17xi32>) -> (tensor<17xf32>, tensor<17xi32>) {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 0 : (tensor<17xf32>, tensor<17xi32>) -> (tensor<17xf32>, tensor<17xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0#0, %0#1 : tensor<17xf32>, tensor<17xi32>
}

// -----

// Rows are dealt to workgroups.
// CHECK-LABEL: func @rows
// CHECK-NOT: flow
// IREE-LABEL: func @rows
// IREE: %[[GROUPS:.*]] = arith.minui %{{.*}}, %c64
// IREE: "flow.dispatch.region"
// IREE:   scf.forall (%{{.*}}) in (%[[GROUPS]])
// IREE:   tensor.parallel_insert_slice {{.*}} into tensor<2x?x?xf32>
// IREE:   "flow.return"
// IREE-NOT: scf
// IREE: return
func.func @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<?x?xf32>) -> tensor<?x?xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<?x?xf32>
}

// -----

// Columns are made rows, and rows columns again.
// CHECK-LABEL: func @columns
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
// CHECK: scf.for
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
func.func @columns(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<4x5xf32>) -> tensor<4x5xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<4x5xf32>
}

// -----

// A dim of size 1 is no reason to move anything.
// CHECK-LABEL: func @nothing_follows
// CHECK-NOT: linalg.transpose
func.func @nothing_follows(%x: tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<4x5x1xf32>
}

// -----

// CHECK-LABEL: func @no_elements
// CHECK-NOT: scf
// IREE-LABEL: func @no_elements
// IREE-NOT: flow
func.func @no_elements(%x: tensor<0x9xf32>) -> tensor<0x9xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<0x9xf32>) -> tensor<0x9xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<0x9xf32>
}

// -----

// One element is in order.
// CHECK-LABEL: func @rows_of_one
// CHECK-SAME: %[[X:.*]]: tensor<?x1xf32>
// CHECK-NOT: scf
// CHECK: return %[[X]]
func.func @rows_of_one(%x: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<?x1xf32>) -> tensor<?x1xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<?x1xf32>
}
