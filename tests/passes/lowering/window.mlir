// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2 * 3)>
// CHECK-LABEL: func @window_reads_where_loops_meet
// CHECK: linalg.generic {indexing_maps = [#[[$READ]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]}
func.func @window_reads_where_loops_meet(%x: tensor<?x9xf32>) -> tensor<?x3x2xf32> {
  %0 = wax.window %x dims [1] sizes [2] strides [2] dilations [3] : (tensor<?x9xf32>) -> tensor<?x3x2xf32>
  return %0 : tensor<?x3x2xf32>
}

// -----

// CHECK-LABEL: func @fold_reads_what_windows_have
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: tensor.extract
// CHECK: arith.select
func.func @fold_reads_what_windows_have(%x: tensor<4x3xf32>, %i: tensor<f32>) -> tensor<9xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%i) : (tensor<4x3xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// CHECK-LABEL: func @fold_of_no_element_is_init
// CHECK-NOT: tensor.extract %{{.*}}[%
// CHECK: return
func.func @fold_of_no_element_is_init(%x: tensor<0x?xf32>, %i: tensor<f32>) -> tensor<9xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%i) : (tensor<0x?xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3 * 3, d4)>
// CHECK-LABEL: func @convolve_is_one_loop_nest
// CHECK: tensor.pad %{{.*}} low[0, 1, 0] high[0, 2, 0]
// CHECK: linalg.generic {indexing_maps = [#[[$READ]], {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @convolve_is_one_loop_nest(%x: tensor<2x9x4xf16>, %w: tensor<3x4x6xf16>) -> tensor<2x3x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2] low [1] high [2] rhs_dilations [3] : (tensor<2x9x4xf16>, tensor<3x4x6xf16>) -> tensor<2x3x6xf32>
  return %0 : tensor<2x3x6xf32>
}

// -----

// CHECK-LABEL: func @groups_are_a_loop
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [2, 9, 2, 4]
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [3, 4, 2, 3]
// CHECK: linalg.generic
// CHECK: arith.extsi
// CHECK: tensor.collapse_shape
func.func @groups_are_a_loop(%x: tensor<2x9x8xi8>, %w: tensor<3x4x6xi8>) -> tensor<2x7x6xi32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 : (tensor<2x9x8xi8>, tensor<3x4x6xi8>) -> tensor<2x7x6xi32>
  return %0 : tensor<2x7x6xi32>
}

// -----

// A division of what may be negative rounds down.
// CHECK-LABEL: func @sizes_of_a_dynamic_kernel
// CHECK: arith.divsi
// CHECK: arith.remsi
// CHECK: arith.select
func.func @sizes_of_a_dynamic_kernel(%x: tensor<2x9x2xf32>, %w: tensor<?x3x2xf32>) -> tensor<2x3x?xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, o, i] to [b, f, 0] strides [2] low [1] high [2] : (tensor<2x9x2xf32>, tensor<?x3x2xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

// -----

// Windows side by side are a dim of their own.
// CHECK: #[[$SPLIT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func @windows_side_by_side
// CHECK: %[[BLOCKS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [4, 2, %{{.*}}] : tensor<8x?xf32> into tensor<4x2x?xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$SPLIT]], {{.*}} ins(%[[BLOCKS]]
func.func @windows_side_by_side(%x: tensor<8x?xf32>) -> tensor<4x?x2xf32> {
  %0 = wax.window %x dims [0] sizes [2] strides [2] dilations [1] : (tensor<8x?xf32>) -> tensor<4x?x2xf32>
  return %0 : tensor<4x?x2xf32>
}

// -----

// The last element is in no window.
// CHECK-LABEL: func @windows_that_do_not_fill
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @windows_that_do_not_fill(%x: tensor<9xf32>) -> tensor<4x2xf32> {
  %0 = wax.window %x dims [0] sizes [2] strides [2] dilations [1] : (tensor<9xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// There is no loop over the only window, nor over the only element of each.
// CHECK: #[[$ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 3, d3)>
// CHECK-LABEL: func @windows_of_one_element_and_one_window
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x7xf32>)
// CHECK: %[[READ:.*]] = tensor.extract_slice %[[X]][0, 0] [%{{.*}}, 2] [1, 5] : tensor<?x7xf32> to tensor<?x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], {{.*}} ins(%[[READ]]
func.func @windows_of_one_element_and_one_window(%x: tensor<?x7xf32>) -> tensor<?x1x1x2xf32> {
  %0 = wax.window %x dims [0, 1] sizes [1, 2] strides [3, 4] dilations [9, 5] : (tensor<?x7xf32>) -> tensor<?x1x1x2xf32>
  return %0 : tensor<?x1x1x2xf32>
}
