// RUN: wax-opt %s --wax-lower --cse --wax-fuse-expansions --split-input-file | FileCheck %s

// CHECK-LABEL: func @a_matmul_is_one_contraction
// CHECK-SAME: %[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16x4xf32>
// CHECK-COUNT-1: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] :
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.addf %[[P]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @a_matmul_is_one_contraction(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4x16xf32>
  %0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<8x4x16xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @the_widening_of_operands_comes_along
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x16xf16>, tensor<16x4xf16>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @the_widening_of_operands_comes_along(%a: tensor<8x16xf16>, %b: tensor<16x4xf16>) -> tensor<8x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast (%x = %a[0, 2], %y = %b[2, 1]) : (tensor<8x16xf16>, tensor<16x4xf16>) -> tensor<8x4x16xf32> {
    %wx = arith.extf %x : f16 to f32
    %wy = arith.extf %y : f16 to f32
    %xy = arith.mulf %wx, %wy : f32
    wax.yield %xy : f32
  }
  %0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<8x4x16xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @what_does_not_expand_is_left_alone
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: return
func.func @what_does_not_expand_is_left_alone(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %e = wax.map math.exp(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @a_product_with_two_uses_is_computed_once
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[P]] :
// CHECK: linalg.generic {{.*}} ins(%[[P]] :
// CHECK: return
func.func @a_product_with_two_uses_is_computed_once(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%a[0], %b[1]) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %0 = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @an_elementwise_step_in_between_is_fused_too
// CHECK-COUNT-1: linalg.generic {{.*}} "reduction"
// CHECK: arith.subf
// CHECK: math.absf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @an_elementwise_step_in_between_is_fused_too(%a: tensor<8x16xf32>, %b: tensor<4x16xf32>) -> tensor<8x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %d = wax.broadcast arith.subf(%a[0, 2], %b[1, 2]) : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4x16xf32>
  %m = wax.map math.absf(%d) : (tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
  %0 = wax.reduce arith.addf(%m) over [2] init(%zero) : (tensor<8x4x16xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// What is not read tells the sizes of the windows.
// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2)>
// CHECK-LABEL: func @pooling_is_one_reduction
// CHECK-SAME: %[[X:.*]]: tensor<4x9xf32>
// CHECK: %[[SHAPE:.*]] = tensor.empty() : tensor<3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$READ]], {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[SHAPE]] :
// CHECK: arith.maximumf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @pooling_is_one_reduction(%x: tensor<4x9xf32>) -> tensor<4x4xf32> {
  %least = wax.constant dense<0xFF800000> : tensor<f32>
  %w = wax.window %x dims [1] sizes [3] strides [2] dilations [1] : (tensor<4x9xf32>) -> tensor<4x4x3xf32>
  %0 = wax.reduce arith.maximumf(%w) over [2] init(%least) : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
