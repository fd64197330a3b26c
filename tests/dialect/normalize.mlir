// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @layer_norm
func.func @layer_norm(%x: tensor<4x?xbf16>, %w: tensor<?xbf16>, %b: tensor<?xf32>) -> tensor<4x?xbf16> {
  // CHECK: wax.normalize (%[[X:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) {accumulator = f32, bias_dims = array<i64: 1>, centered, dims = array<i64: 1>, epsilon = 1.000000e-05 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0>, raw_moments, weight_dims = array<i64: 1>} : (tensor<4x?xbf16>, tensor<?xbf16>, tensor<?xf32>) -> tensor<4x?xbf16> {
  // CHECK-NEXT: wax.return %[[X]] : tensor<4x?xbf16>
  %r = wax.normalize (%a = %x, %c = %w, %d = %b)
      {accumulator = f32, bias_dims = array<i64: 1>, centered, dims = array<i64: 1>, epsilon = 1.0e-5 : f64,
       operandSegmentSizes = array<i32: 1, 1, 1, 0>, raw_moments, weight_dims = array<i64: 1>}
      : (tensor<4x?xbf16>, tensor<?xbf16>, tensor<?xf32>) -> tensor<4x?xbf16> {
    wax.return %a : tensor<4x?xbf16>
  }
  return %r : tensor<4x?xbf16>
}

// CHECK-LABEL: func.func @root_mean_square
func.func @root_mean_square(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // CHECK: wax.normalize (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) {accumulator = f32, dims = array<i64: 0>, epsilon = 0.000000e+00 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (tensor<4xf32>, index) -> tensor<4xf32>
  %r = wax.normalize (%a = %x, %s = %n)
      {accumulator = f32, dims = array<i64: 0>, epsilon = 0.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0, 1>}
      : (tensor<4xf32>, index) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
