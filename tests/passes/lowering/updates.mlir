// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,UP
// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,IREE

// CHECK-LABEL: func @a_reverse_reads_from_the_end
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.subi %c3, %[[I]]
// CHECK: tensor.extract %[[X]][%[[AT]],
func.func @a_reverse_reads_from_the_end(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = wax.reverse %x dims [0] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func @a_gather_of_a_slice_reads_through_it
// CHECK-SAME: %[[X:.*]]: tensor<8x3xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.extract %[[X]]
func.func @a_gather_of_a_slice_reads_through_it(%x: tensor<8x3xf32>, %i: tensor<5xi32>) -> tensor<5x3xf32> {
  %0 = wax.slice %x offsets [1, 0] sizes [3, 3] strides [2, 1] : (tensor<8x3xf32>) -> tensor<3x3xf32>
  %1 = wax.gather %0[%i[0], 1] : (tensor<3x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func @an_insert_is_one_of_a_slice
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, %{{.*}}] [2, 3] [1, 1]
func.func @an_insert_is_one_of_a_slice(%u: tensor<2x3xf32>, %x: tensor<8x8xf32>, %o: index) -> tensor<8x8xf32> {
  %0 = wax.insert %u into %x offsets [0, %o] strides [1, 1] : (tensor<2x3xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func @an_insert_with_steps
// UP: tensor.insert_slice %{{.*}} into %{{.*}}[1] [3] [2]
// IREE-NOT: tensor.insert_slice
// IREE: linalg.generic
// IREE: scf.if
func.func @an_insert_with_steps(%u: tensor<3xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = wax.insert %u into %x offsets [1] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @a_scatter_drops_what_lies_outside
// UP: scf.for
// UP: %[[I:.*]] = arith.index_cast
// UP: %[[IN:.*]] = arith.cmpi ult, %[[I]], %c8
// UP: scf.if %[[IN]]
// UP: tensor.insert %{{.*}} into %{{.*}}[%[[I]],
// IREE: %[[ROWS:.*]]:2 = linalg.generic
// IREE: %[[IN:.*]] = arith.cmpi ult
// IREE: arith.select %[[IN]], %{{.*}}, %c0
// IREE: "iree_linalg_ext.scatter"
// IREE-SAME: unique_indices = false
func.func @a_scatter_drops_what_lies_outside(%u: tensor<5x3xf32>, %x: tensor<8x3xf32>, %i: tensor<5xi32>) -> tensor<8x3xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0], 1] : (tensor<5x3xf32>, tensor<8x3xf32>, tensor<5xi32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// CHECK-LABEL: func @a_scatter_of_several_is_one_dispatch_without_unit_dims
// UP: scf.for
// IREE: %[[X:.*]] = tensor.collapse_shape %{{.*}} : tensor<8x1xf32> into tensor<8xf32>
// IREE: "flow.dispatch.region"
// IREE: tensor.insert %{{.*}} : tensor<8xf32>
// IREE: tensor.insert %{{.*}} : tensor<8xi8>
func.func @a_scatter_of_several_is_one_dispatch_without_unit_dims(%u: tensor<5x1xf32>, %x: tensor<8x1xf32>, %y: tensor<8x1xi1>, %i: tensor<5xi32>) -> (tensor<8x1xf32>, tensor<8x1xi1>) {
  %0:2 = wax.scatter (%a = %u) into(%p = %x, %q = %y)[%i[0], 1] : (tensor<5x1xf32>, tensor<8x1xf32>, tensor<8x1xi1>, tensor<5xi32>) -> (tensor<8x1xf32>, tensor<8x1xi1>) {
    %true = arith.constant true
    wax.yield %a, %true : f32, i1
  }
  return %0#0, %0#1 : tensor<8x1xf32>, tensor<8x1xi1>
}

// -----

// CHECK-LABEL: func @an_insert_of_a_known_size_has_it_in_its_type
// CHECK-SAME: %[[U:.*]]: tensor<?xf32>, %[[X:.*]]: tensor<8xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[X]][1] [4] [1] : tensor<4xf32> into tensor<8xf32>
func.func @an_insert_of_a_known_size_has_it_in_its_type(%u: tensor<?xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %c4 = arith.constant 4 : index
  %0 = wax.slice %u offsets [0] sizes [%c4] strides [1] : (tensor<?xf32>) -> tensor<?xf32>
  %1 = wax.insert %0 into %x offsets [1] strides [1] : (tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Upstream lets no box start at a dim's end, not even one of nothing.
// CHECK-LABEL: func @an_insert_of_nothing_at_the_end
// UP: tensor.insert_slice %{{.*}} into %{{.*}}[0] [%{{.*}}] [1]
func.func @an_insert_of_nothing_at_the_end(%u: tensor<?xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = wax.insert %u into %x offsets [8] strides [1] : (tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
