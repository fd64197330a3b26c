// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,UPSTREAM
// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,IREE

// CHECK-LABEL: func @permute_is_a_transpose
// CHECK-SAME: %[[X:.*]]: tensor<?x3x4xf32>
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<4x?x3xf32>
// CHECK: linalg.transpose ins(%[[X]] : tensor<?x3x4xf32>) outs(%[[E]] : tensor<4x?x3xf32>) permutation = [2, 0, 1]
func.func @permute_is_a_transpose(%x: tensor<?x3x4xf32>) -> tensor<4x?x3xf32> {
  %0 = wax.permute %x [2, 0, 1] : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
  return %0 : tensor<4x?x3xf32>
}

// -----

// CHECK-LABEL: func @reshape_merges_then_splits
// CHECK-SAME: %[[X:.*]]: tensor<6x4x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c2
// CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %c4
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]] : tensor<6x4x?xf32> into tensor<6x?xf32>
// CHECK: tensor.expand_shape %[[M]] {{\[}}[0, 1], [2]] output_shape [2, 3, %[[SIZE]]] : tensor<6x?xf32> into tensor<2x3x?xf32>
func.func @reshape_merges_then_splits(%x: tensor<6x4x?xf32>) -> tensor<2x3x?xf32> {
  %0 = wax.reshape %x [[0], [1, 2]] into [[0, 1], [2]] : (tensor<6x4x?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

// -----

// CHECK-LABEL: func @reshape_drops_and_makes_unit_dims
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<1x5x1xf32> into tensor<1x5xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] output_shape [1, 1, 5, 1] : tensor<1x5x1xf32> into tensor<1x1x5x1xf32>
func.func @reshape_drops_and_makes_unit_dims(%x: tensor<1x5x1xf32>) -> (tensor<1x5xf32>, tensor<1x1x5x1xf32>) {
  %0 = wax.reshape %x [[], [0], [1], [2]] into [[0], [], [1], []] : (tensor<1x5x1xf32>) -> tensor<1x5xf32>
  %1 = wax.reshape %x [[], [], [0], [1], [2], []] into [[0], [1], [], [2], [], [3]] : (tensor<1x5x1xf32>) -> tensor<1x1x5x1xf32>
  return %0, %1 : tensor<1x5xf32>, tensor<1x1x5x1xf32>
}

// -----

// CHECK-LABEL: func @reshape_to_and_from_rank_0
// CHECK: %[[S:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK: return %[[S]], %[[E]]
func.func @reshape_to_and_from_rank_0(%x: tensor<1x1xf32>, %y: tensor<f32>) -> (tensor<f32>, tensor<1xf32>) {
  %0 = wax.reshape %x [[0], [1]] into [[], []] : (tensor<1x1xf32>) -> tensor<f32>
  %1 = wax.reshape %y [[]] into [[0]] : (tensor<f32>) -> tensor<1xf32>
  return %0, %1 : tensor<f32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func @reshape_with_a_unit_dim_known_at_run_time
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[N]], %c1
// CHECK: cf.assert %[[ONE]]
// CHECK: %[[Y:.*]] = tensor.cast %[[X]] : tensor<?x3xf32> to tensor<1x3xf32>
// CHECK: tensor.collapse_shape %[[Y]] {{.*}} into tensor<3xf32>
func.func @reshape_with_a_unit_dim_known_at_run_time(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %0 = wax.reshape %x [[0], [1]] into [[], [0]] : (tensor<?x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @reshape_splits_a_dim_into_two_unknown_ones
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[M:.*]]: index, %[[N:.*]]: index
// UPSTREAM: %[[SHAPE:.*]] = tensor.from_elements %[[M]], %[[N]] : tensor<2xindex>
// UPSTREAM: tensor.reshape %[[X]](%[[SHAPE]])
// IREE: tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [%[[M]], %[[N]]]
func.func @reshape_splits_a_dim_into_two_unknown_ones(%x: tensor<?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %0 = wax.reshape %x [[0]] into [[0, 1]] sizes [%m, %n] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @a_static_slice_has_no_clamps
// CHECK-NOT: arith
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [2, 3] [2, 2] : tensor<4x5xf32> to tensor<2x3xf32>
func.func @a_static_slice_has_no_clamps(%x: tensor<4x5xf32>) -> tensor<2x3xf32> {
  %0 = wax.slice %x offsets [1, 0] sizes [2, 3] strides [2, 2] : (tensor<4x5xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @a_slice_at_a_value_is_clamped
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[O:.*]]: index
// CHECK: %[[LOW:.*]] = arith.minsi %[[O]], %c3
// CHECK: %[[START:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK: tensor.extract_slice %[[X]][%[[START]]] [3] [2] : tensor<8xf32> to tensor<3xf32>
func.func @a_slice_at_a_value_is_clamped(%x: tensor<8xf32>, %o: index) -> tensor<3xf32> {
  %0 = wax.slice %x offsets [%o] sizes [3] strides [2] : (tensor<8xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @a_constant_value_is_clamped_as_any_value
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c3
// CHECK: arith.minsi %[[LAST]], %c9
func.func @a_constant_value_is_clamped_as_any_value(%x: tensor<?xf32>) -> tensor<3xf32> {
  %c9 = arith.constant 9 : index
  %0 = wax.slice %x offsets [%c9] sizes [3] strides [1] : (tensor<?xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
