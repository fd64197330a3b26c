// RUN: wax-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @windows_along_no_dim
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @windows_along_no_dim(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.window %x dims [] sizes [] strides [] dilations [] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @windows_of_a_splat
// CHECK-NEXT: %[[C:.*]] = wax.constant dense<2.000000e+00> : tensor<3x2xf32>
// CHECK-NEXT: return %[[C]]
func.func @windows_of_a_splat() -> tensor<3x2xf32> {
  %c = wax.constant dense<2.0> : tensor<4xf32>
  %0 = wax.window %c dims [0] sizes [2] strides [1] dilations [1] : (tensor<4xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @windows_of_a_constant
// CHECK-NEXT: %[[C:.*]] = wax.constant dense<{{\[\[}}1, 5], [3, 7]]> : tensor<2x2xi8>
// CHECK-NEXT: return %[[C]]
func.func @windows_of_a_constant() -> tensor<2x2xi8> {
  %c = wax.constant dense<[1, 2, 3, 4, 5, 6, 7]> : tensor<7xi8>
  %0 = wax.window %c dims [0] sizes [2] strides [2] dilations [4] : (tensor<7xi8>) -> tensor<2x2xi8>
  return %0 : tensor<2x2xi8>
}

// CHECK-LABEL: func.func @windows_of_one_element
// CHECK-NEXT: wax.reshape %{{.*}} {{\[\[}}0], [1], []] into {{\[\[}}0], [1], [2]] : (tensor<4x?xf32>) -> tensor<4x?x1xf32>
func.func @windows_of_one_element(%x: tensor<4x?xf32>) -> tensor<4x?x1xf32> {
  %0 = wax.window %x dims [1] sizes [1] strides [1] dilations [3] : (tensor<4x?xf32>) -> tensor<4x?x1xf32>
  return %0 : tensor<4x?x1xf32>
}

// CHECK-LABEL: func.func @windows_of_one_element_that_skip_stay
// CHECK-NEXT: wax.window
func.func @windows_of_one_element_that_skip_stay(%x: tensor<4xf32>) -> tensor<2x1xf32> {
  %0 = wax.window %x dims [0] sizes [1] strides [2] dilations [1] : (tensor<4xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @windows_along_one_dim_after_another
// CHECK-NEXT: wax.window %{{.*}} dims [0, 1] sizes [3, 2] strides [1, 2] dilations [2, 1] : (tensor<9x8xf32>) -> tensor<5x4x3x2xf32>
// CHECK-NEXT: return
func.func @windows_along_one_dim_after_another(%x: tensor<9x8xf32>) -> tensor<5x4x3x2xf32> {
  %0 = wax.window %x dims [0] sizes [3] strides [1] dilations [2] : (tensor<9x8xf32>) -> tensor<5x8x3xf32>
  %1 = wax.window %0 dims [1] sizes [2] strides [2] dilations [1] : (tensor<5x8x3xf32>) -> tensor<5x4x3x2xf32>
  return %1 : tensor<5x4x3x2xf32>
}

// CHECK-LABEL: func.func @windows_of_windows_stay
// CHECK-COUNT-2: wax.window
func.func @windows_of_windows_stay(%x: tensor<9xf32>) -> tensor<6x3x2xf32> {
  %0 = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %1 = wax.window %0 dims [0] sizes [2] strides [1] dilations [1] : (tensor<7x3xf32>) -> tensor<6x3x2xf32>
  return %1 : tensor<6x3x2xf32>
}

// CHECK-LABEL: func.func @fold_along_no_dim
// CHECK-NEXT: wax.broadcast arith.subf(%{{.*}}[0, 1], %{{.*}}[]) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
// CHECK-NEXT: return
func.func @fold_along_no_dim(%x: tensor<4x?xf32>, %i: tensor<f32>) -> tensor<4x?xf32> {
  %0 = wax.fold (%e = %x) dims [] sizes [] strides [] dilations [] init(%a = %i) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32> {
    %r = arith.subf %e, %a : f32
    wax.yield %r : f32
  }
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @fold_of_no_window
// CHECK-NOT: wax.fold
// CHECK: wax.broadcast {{.*}} sizes [4] : (tensor<f32>) -> tensor<4xf32>
func.func @fold_of_no_window(%x: tensor<0x5xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [4] strides [1] dilations [1] init(%i) : (tensor<0x5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @zeros_around_become_padding
// CHECK-NEXT: wax.convolve {{.*}} strides [2] low [3] high [2] lhs_dilations [3] : (tensor<1x8x4xf32>, tensor<3x4x5xf32>) -> tensor<1x13x5xf32>
// CHECK-NEXT: return
func.func @zeros_around_become_padding(%x: tensor<1x8x4xf32>, %w: tensor<3x4x5xf32>) -> tensor<1x13x5xf32> {
  %z = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.pad %x with %z low [0, 2, 0] high [0, 2, 0] interior [0, 2, 0] : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x26x4xf32>
  %1 = wax.convolve %0[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2] low [1] high [0] : (tensor<1x26x4xf32>, tensor<3x4x5xf32>) -> tensor<1x13x5xf32>
  return %1 : tensor<1x13x5xf32>
}

// CHECK-LABEL: func.func @other_padding_stays
// CHECK-COUNT-3: wax.pad
func.func @other_padding_stays(%x: tensor<1x8x4xf32>, %w: tensor<3x4x5xf32>) -> (tensor<1x8x5xf32>, tensor<1x8x5xf32>, tensor<2x6x5xf32>) {
  %z = wax.constant dense<-0.0> : tensor<f32>
  %0 = wax.pad %x with %z low [0, 1, 0] high [0, 1, 0] interior [0, 0, 0] : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x10x4xf32>
  %1 = wax.convolve %0[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<1x10x4xf32>, tensor<3x4x5xf32>) -> tensor<1x8x5xf32>
  %p = wax.constant dense<0.0> : tensor<f32>
  %2 = wax.pad %x with %p low [0, -1, 0] high [0, 1, 0] interior [0, 0, 0] : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x8x4xf32>
  %3 = wax.convolve %2[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [1] high [1] : (tensor<1x8x4xf32>, tensor<3x4x5xf32>) -> tensor<1x8x5xf32>
  %4 = wax.pad %x with %p low [1, 0, 0] high [0, 0, 0] interior [0, 0, 0] : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<2x8x4xf32>
  %5 = wax.convolve %4[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return %1, %3, %5 : tensor<1x8x5xf32>, tensor<1x8x5xf32>, tensor<2x6x5xf32>
}
