// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @product_of_matrices
func.func @product_of_matrices(%x: tensor<4x?xbf16>, %w: tensor<?x5xbf16>) -> tensor<4x5xf32> {
  // CHECK: wax.contract (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) {accumulator = f32, dims = [array<i64: 0, 2>, array<i64: 2, 1>]} : (tensor<4x?xbf16>, tensor<?x5xbf16>) -> tensor<4x5xf32> {
  // CHECK: wax.broadcast (%{{.*}} = %[[A]][0, 2], %{{.*}} = %[[B]][2, 1])
  // CHECK: wax.return %{{.*}} : tensor<4x5xf32>
  %r = wax.contract (%a = %x, %b = %w) {accumulator = f32, dims = [array<i64: 0, 2>, array<i64: 2, 1>]}
      : (tensor<4x?xbf16>, tensor<?x5xbf16>) -> tensor<4x5xf32> {
    %zero = wax.constant dense<0.0> : tensor<f32>
    %p = wax.broadcast (%s = %a[0, 2], %t = %b[2, 1]) : (tensor<4x?xbf16>, tensor<?x5xbf16>) -> tensor<4x5x?xf32> {
      %1 = arith.extf %s : bf16 to f32
      %2 = arith.extf %t : bf16 to f32
      %3 = arith.mulf %1, %2 : f32
      wax.yield %3 : f32
    }
    %sum = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x?xf32>, tensor<f32>) -> tensor<4x5xf32>
    wax.return %sum : tensor<4x5xf32>
  }
  return %r : tensor<4x5xf32>
}

// What is computed is the decomposition's own matter: sizes are operands too.
// CHECK-LABEL: func.func @given_sizes
func.func @given_sizes(%x: tensor<?xi8>, %n: index) -> tensor<i32> {
  // CHECK: wax.contract (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) {accumulator = i32, dims = [array<i64: 0>, array<i64: 0>], is_unsigned} : (tensor<?xi8>, tensor<?xi8>, index) -> tensor<i32>
  %r = wax.contract (%a = %x, %b = %x, %s = %n) {accumulator = i32, dims = [array<i64: 0>, array<i64: 0>], is_unsigned}
      : (tensor<?xi8>, tensor<?xi8>, index) -> tensor<i32> {
    %zero = wax.constant dense<0> : tensor<i32>
    wax.return %zero : tensor<i32>
  }
  return %r : tensor<i32>
}
