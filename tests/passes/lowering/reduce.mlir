// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func @loops_keep_the_order_of_dims
// CHECK-SAME: %[[X:.*]]: tensor<2x?x4xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK: %[[START:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[E]] : tensor<?xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["reduction", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[X]] : tensor<2x?x4xf32>) outs(%[[START]] : tensor<?xf32>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[ACC]] : f32
// CHECK: linalg.yield %[[S]]
func.func @loops_keep_the_order_of_dims(%x: tensor<2x?x4xf32>) -> tensor<?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0, 2] init(%zero) : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// acc - -x is acc + x, and no compiler takes it for a sum that it may reorder.
// CHECK-LABEL: func @a_sum_without_combine_stays_in_order
// CHECK: ^bb0(%[[A:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK: %[[N:.*]] = arith.negf %[[A]] : f32
// CHECK: %[[S:.*]] = arith.subf %[[ACC]], %[[N]] : f32
// CHECK: linalg.yield %[[S]]
func.func @a_sum_without_combine_stays_in_order(%x: tensor<4xf32>, %start: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%start) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @an_init_that_is_computed_is_spread
// CHECK-SAME: %[[X:.*]]: tensor<4x5xf32>, %[[INIT:.*]]: tensor<f32>
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<f32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x5xf32>) outs(%[[START]] : tensor<4xf32>)
func.func @an_init_that_is_computed_is_spread(%x: tensor<4x5xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = wax.reduce arith.addf(%x) over [1] init(%init) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @several_accumulators_are_one_generic
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xi32>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %[[N:.*]]: i32, %[[BEST:.*]]: f32, %[[AT:.*]]: i32):
// CHECK: %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[BEST]] : f32
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @several_accumulators_are_one_generic(%x: tensor<4x8xf32>, %n: tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %none = wax.constant dense<-1> : tensor<i32>
  %v, %i = wax.reduce (%a = %x, %k = %n) over [1] init(%best = %low, %at = %none)
      : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %value = arith.select %more, %a, %best : f32
    %index = arith.select %more, %k, %at : i32
    wax.yield %value, %index : f32, i32
  }
  return %v, %i : tensor<4xf32>, tensor<4xi32>
}
