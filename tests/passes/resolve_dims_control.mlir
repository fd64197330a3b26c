// RUN: wax-opt %s --wax-resolve-dims --canonicalize --split-input-file | FileCheck %s

// What no turn changes is as large as at first, in the loop and after it.
// CHECK-LABEL: func @carried
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: scf.for
// CHECK-NOT: tensor.dim
// CHECK: wax.iota along 0 sizes [%[[N]]]
// CHECK: return %{{.*}}, %[[N]]
func.func @carried(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf32>) {
    %d = tensor.dim %s, %c0 : tensor<?xf32>
    %1 = wax.iota along 0 sizes [%d] : tensor<?xf32>
    %2 = wax.broadcast arith.addf(%s[0], %1[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

// -----

// Two that change places keep their sizes only where these are one.
// CHECK-LABEL: func @swapped
// CHECK: %[[L:.*]]:2 = scf.for
// CHECK: tensor.dim %[[L]]#0, %c0
func.func @swapped(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %t, %s : tensor<?xf32>, tensor<?xf32>
  }
  %d = tensor.dim %0#0, %c0 : tensor<?xf32>
  return %d : index
}

// -----

// A size that grows is given up, and what depends on it, but not another.
// CHECK-LABEL: func @growing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[L:.*]] = scf.for
// CHECK: %[[G:.*]] = tensor.dim %[[L]], %c0
// CHECK: return %[[G]], %[[M]]
func.func @growing(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?x?xf32>) {
    %1 = wax.concat(%s, %s) along 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  %d = tensor.dim %0, %c0 : tensor<?x?xf32>
  %e = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d, %e : index, index
}

// -----

// CHECK-LABEL: func @branches
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: return %[[N]]
func.func @branches(%x: tensor<?xf32>, %p: i1) -> index {
  %c0 = arith.constant 0 : index
  %0 = scf.if %p -> (tensor<?xf32>) {
    %1 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    %1 = wax.map math.tanh(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

// -----

// What a branch needs is checked where it goes there.
// CHECK-LABEL: func @checked_in_its_branch
// CHECK-NOT: cf.assert
// CHECK: scf.if
// CHECK: cf.assert
// CHECK: wax.broadcast
func.func @checked_in_its_branch(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %0 = scf.if %p -> (tensor<?xf32>) {
    %1 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
