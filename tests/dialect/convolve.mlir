// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @image
// CHECK: wax.convolve %{{.*}}[b, 0, 1, f], %{{.*}}[0, 1, i, o] to [b, 0, 1, f] strides [2, 2] low [1, 1] high [1, 1] {note} : (tensor<?x32x32x16xf32>, tensor<3x3x16x8xf32>) -> tensor<?x16x16x8xf32>
func.func @image(%x: tensor<?x32x32x16xf32>, %w: tensor<3x3x16x8xf32>) {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [2, 2] low [1, 1] high [1, 1] {note} : (tensor<?x32x32x16xf32>, tensor<3x3x16x8xf32>) -> tensor<?x16x16x8xf32>
  return
}

// CHECK-LABEL: func.func @dilated_and_grouped
// CHECK: to [0, f, b] strides [1] low [-1] high [2] lhs_dilations [2] rhs_dilations [3] feature_groups 4 : (tensor<1x8x9xf16>, tensor<12x2x5xf16>) -> tensor<6x12x1xf32>
func.func @dilated_and_grouped(%x: tensor<1x8x9xf16>, %w: tensor<12x2x5xf16>) {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [0, f, b] strides [1] low [-1] high [2] lhs_dilations [2] rhs_dilations [3] feature_groups 4 : (tensor<1x8x9xf16>, tensor<12x2x5xf16>) -> tensor<6x12x1xf32>
  return
}

// CHECK-LABEL: func.func @groups_of_batches
// CHECK: wax.convolve %{{.*}}[b, f], %{{.*}}[i, o] to [f, b] strides [] low [] high [] batch_groups 3 : (tensor<6x4xi8>, tensor<4x9xi8>) -> tensor<9x2xi32>
func.func @groups_of_batches(%x: tensor<6x4xi8>, %w: tensor<4x9xi8>) {
  %0 = wax.convolve %x[b, f], %w[i, o] to [f, b] strides [] low [] high [] batch_groups 3 : (tensor<6x4xi8>, tensor<4x9xi8>) -> tensor<9x2xi32>
  return
}

// CHECK-LABEL: func.func @three_dims
// CHECK: [b, 2, 0, 1, f], %{{.*}}[0, 1, 2, i, o] to [b, 0, 1, 2, f]
func.func @three_dims(%x: tensor<1x4x5x6x3xcomplex<f32>>, %w: tensor<2x3x2x3x4xcomplex<f32>>) {
  %0 = wax.convolve %x[b, 2, 0, 1, f], %w[0, 1, 2, i, o] to [b, 0, 1, 2, f] strides [1, 1, 1] low [0, 0, 0] high [0, 0, 0] : (tensor<1x4x5x6x3xcomplex<f32>>, tensor<2x3x2x3x4xcomplex<f32>>) -> tensor<1x4x4x3x4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @nothing_but_padding
// CHECK: -> tensor<1x3x4xf32>
func.func @nothing_but_padding(%x: tensor<1x0x3xf32>, %w: tensor<2x3x4xf32>) {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [2] high [2] : (tensor<1x0x3xf32>, tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  return
}

// CHECK-LABEL: func.func @far_apart
// CHECK: -> tensor<1x0x1xf32>
// CHECK: lhs_dilations [2147483647] : {{.*}} -> tensor<1x2x1xf32>
func.func @far_apart(%x: tensor<1x2x1xf32>, %w: tensor<2x1x1xf32>) {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2147483647] low [0] high [0] rhs_dilations [2147483647] : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x0x1xf32>
  %1 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2147483646] low [0] high [0] lhs_dilations [2147483647] : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  return
}
