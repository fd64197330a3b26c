// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x?x16xf32>, %k: tensor<2x?x16xf32>, %v: tensor<2x?x3xf32>, %m: tensor<?x?xi1>, %n: index) -> tensor<2x?x3xf32> {
  // CHECK: wax.attention (
  // CHECK-SAME: {accumulator = f32, causal_dim = 1 : i64, causal_offset = -1 : i64, dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>, array<i64: 1, 3>],
  // CHECK-SAME: fill = 0xFFF0000000000000 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, scale = 2.500000e-01 : f64, zero_unmatched}
  %0 = wax.attention (%a = %q, %b = %k, %c = %v, %d = %m, %s = %n)
      {accumulator = f32, causal_dim = 1 : i64, causal_offset = -1 : i64,
       dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>, array<i64: 1, 3>],
       fill = 0xFFF0000000000000 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, scale = 2.5e-01 : f64,
       zero_unmatched}
      : (tensor<2x?x16xf32>, tensor<2x?x16xf32>, tensor<2x?x3xf32>, tensor<?x?xi1>, index) -> tensor<2x?x3xf32> {
    %r = wax.iota along 0 sizes [%s] : tensor<2x?x3xf32>
    wax.return %r : tensor<2x?x3xf32>
  }
  return %0 : tensor<2x?x3xf32>
}
