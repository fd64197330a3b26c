// What IREE makes good code of: two spatial dims with the features behind them, and products of matrices.
// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=UPSTREAM

// Upstream, a nest reads its operands as they are.
// UPSTREAM-NOT: flow.dispatch.region

// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 + d5 * 3, d6)>
// CHECK-LABEL: func @features_go_last
// CHECK: %[[IMAGE:.*]] = "flow.dispatch.region"
// CHECK: indexing_maps = [#[[$IMAGE]],
// CHECK: -> tensor<2x9x8x4xf32>
// CHECK: %[[KERNEL:.*]] = "flow.dispatch.region"
// CHECK: -> tensor<3x2x4x6xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$READ]], {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[IMAGE]], %[[KERNEL]]
// CHECK: -> tensor<2x4x5x6xf32>
// CHECK: linalg.generic
// CHECK: -> tensor<2x6x4x5xf32>
func.func @features_go_last(%x: tensor<2x4x9x8xf32>, %w: tensor<6x4x3x2xf32>) -> tensor<2x6x4x5xf32> {
  %0 = wax.convolve %x[b, f, 0, 1], %w[o, i, 0, 1] to [b, f, 0, 1] strides [2, 1] low [0, 0] high [0, 0] rhs_dilations [1, 3] : (tensor<2x4x9x8xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// -----

// They are already: nothing is copied.
// CHECK-LABEL: func @nothing_to_copy
// CHECK-NOT: flow.dispatch.region
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @nothing_to_copy(%x: tensor<2x9x8x4xf32>, %w: tensor<3x2x4x6xf32>) -> tensor<2x7x7x6xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [0, 0] high [0, 0] : (tensor<2x9x8x4xf32>, tensor<3x2x4x6xf32>) -> tensor<2x7x7x6xf32>
  return %0 : tensor<2x7x7x6xf32>
}

// -----

// One spatial dim becomes two, inside of a dispatch so that IREE leaves them.
// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-LABEL: func @one_spatial_dim
// CHECK: tensor.expand_shape %{{.*}} into tensor<?x1x9x4xf32>
// CHECK: tensor.expand_shape %{{.*}} into tensor<1x3x4x6xf32>
// CHECK: "flow.dispatch.region"
// CHECK: linalg.generic {indexing_maps = [#[[$READ]],
// CHECK: tensor.collapse_shape %{{.*}} into tensor<?x7x6xf32>
func.func @one_spatial_dim(%x: tensor<?x9x4xf32>, %w: tensor<3x4x6xf32>) -> tensor<?x7x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<?x9x4xf32>, tensor<3x4x6xf32>) -> tensor<?x7x6xf32>
  return %0 : tensor<?x7x6xf32>
}

// -----

// Windows that share no element are the rows of a matrix.
// CHECK-LABEL: func @patches
// CHECK: "flow.dispatch.region"
// CHECK: -> tensor<2x2x3x4x3x2xf32>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<12x24xf32>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<6x24xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @patches(%x: tensor<2x4x6x6xf32>, %w: tensor<6x4x3x2xf32>) -> tensor<2x6x2x3xf32> {
  %0 = wax.convolve %x[b, f, 0, 1], %w[o, i, 0, 1] to [b, f, 0, 1] strides [3, 2] low [0, 0] high [0, 0] : (tensor<2x4x6x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x2x3xf32>
  return %0 : tensor<2x6x2x3xf32>
}

// -----

// A matrix for each group.
// CHECK-LABEL: func @groups
// CHECK: "flow.dispatch.region"
// CHECK: -> tensor<2x2x7x3x4xf32>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<2x14x12xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @groups(%x: tensor<2x9x8xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x7x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 : (tensor<2x9x8xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// -----

// The first of three dims is unfolded.
// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2, d3, d5)>
// CHECK-LABEL: func @three_spatial_dims
// CHECK: "flow.dispatch.region"
// CHECK: indexing_maps = [#[[$READ]],
// CHECK: -> tensor<2x4x6x7x3x4xf32>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<8x6x7x12xf32>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<2x2x12x5xf32>
// CHECK: tensor.expand_shape %{{.*}} into tensor<2x4x5x6x5xf32>
func.func @three_spatial_dims(%x: tensor<2x6x6x7x4xf32>, %w: tensor<3x2x2x4x5xf32>) -> tensor<2x4x5x6x5xf32> {
  %0 = wax.convolve %x[b, 0, 1, 2, f], %w[0, 1, 2, i, o] to [b, 0, 1, 2, f] strides [1, 1, 1] low [0, 0, 0] high [0, 0, 0] : (tensor<2x6x6x7x4xf32>, tensor<3x2x2x4x5xf32>) -> tensor<2x4x5x6x5xf32>
  return %0 : tensor<2x4x5x6x5xf32>
}

// -----

// As many copies as elements of the kernel would be too many.
// CHECK-LABEL: func @too_many_copies
// CHECK-NOT: flow.dispatch.region
func.func @too_many_copies(%x: tensor<2x900x8xf32>, %w: tensor<65x4x6xf32>) -> tensor<2x836x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 : (tensor<2x900x8xf32>, tensor<65x4x6xf32>) -> tensor<2x836x6xf32>
  return %0 : tensor<2x836x6xf32>
}
