// RUN: wax-opt %s --wax-bound-sizes --split-input-file | FileCheck %s

// 2^30 * 2^30 * 4 bytes are not below 2^62, 2^29 * 2^29 * 4 are.

// CHECK-LABEL: func @a_loop_carries_two_open_sizes
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[COLUMNS:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[FITS:.*]] = arith.cmpi ule, %[[ROWS]], %c1073741823
// CHECK-DAG: cf.assert %[[FITS]], "argument 1, dim 0: must be at most 1073741823, {{.*}}declare max= of the other dims"
// CHECK-DAG: %[[FEW:.*]] = arith.minui %[[ROWS]], %c1073741823
// CHECK-DAG: %[[NARROW:.*]] = arith.minui %[[COLUMNS]], %c1073741823
// CHECK: %[[TIED:.*]] = "flow.tensor.tie_shape"(%[[X]], %[[FEW]], %[[NARROW]])
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[TIED]])
func.func @a_loop_carries_two_open_sizes(%n: index, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x?xf32>) {
    %1 = tensor.insert %f into %a[%i, %i] : tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @a_declared_bound_is_enough
// CHECK: arith.minui %{{.*}}, %c64
// CHECK: arith.minui %{{.*}}, %c2147483647
// CHECK: "flow.tensor.tie_shape"
func.func @a_declared_bound_is_enough(%n: index, %x: tensor<?x?xf32> {wax.dims = affine_map<()[s0, s1] -> (s0, s1)>}) -> tensor<?x?xf32>
    attributes {wax.symbols = [{name = "b", min = 2, max = 64}, {name = "n", min = 2, max = 9223372036854775807}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x?xf32>) {
    %1 = tensor.insert %f into %a[%i, %i] : tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @what_is_computed_of_one_size_counts
// CHECK: cf.assert %{{.*}}, "argument 'x', dim 0: must be at most 1048575
func.func @what_is_computed_of_one_size_counts(%n: index, %x: tensor<?xf32> {wax.name = "x"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %square = arith.muli %d, %d : index
  %cube = arith.muli %square, %d : index
  %e = tensor.empty(%cube) : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<?xf32>) {
    %1 = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// One open size of IREE's 31 bits always fits, and a dispatch decides nothing on the host.

// CHECK-LABEL: func @one_open_size
// CHECK-NOT: cf.assert
func.func @one_open_size(%n: index, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x8xf32>) {
    %1 = tensor.insert %f into %a[%i, %i] : tensor<?x8xf32>
    scf.yield %1 : tensor<?x8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func @no_control_flow
// CHECK-NOT: cf.assert
func.func @no_control_flow(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
