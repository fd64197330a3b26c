// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-DAG: #[[$IDS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func @a_look_up_is_one_loop_nest_with_clamped_indices
// CHECK-SAME: %[[TABLE:.*]]: tensor<1000x64xf32>, %[[IDS:.*]]: tensor<4x?xi32>
// CHECK: linalg.generic {indexing_maps = [#[[$IDS]], #[[$ID]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[IDS]] : tensor<4x?xi32>)
// CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[LOW:.*]] = arith.maxsi %[[I]], %c0
// CHECK: %[[AT:.*]] = arith.minsi %[[LOW]], %c999
// CHECK: %[[J:.*]] = linalg.index 2
// CHECK: %[[V:.*]] = tensor.extract %[[TABLE]][%[[AT]], %[[J]]]
// CHECK: linalg.yield %[[V]]
func.func @a_look_up_is_one_loop_nest_with_clamped_indices(%table: tensor<1000x64xf32>, %ids: tensor<4x?xi32>) -> tensor<4x?x64xf32> {
  %0 = wax.gather %table[%ids[0, 1], 2] : (tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<4x?x64xf32>
  return %0 : tensor<4x?x64xf32>
}

// -----

// CHECK-LABEL: func @an_unknown_dim_must_have_an_element
// CHECK-SAME: %[[TABLE:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[TABLE]], %c0
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %[[N]], %c1
// CHECK: cf.assert %[[SOME]], "{{.*}}[gather_c4]
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: arith.minsi %{{.*}}, %[[LAST]]
func.func @an_unknown_dim_must_have_an_element(%table: tensor<?xf32>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  %0 = wax.gather %table[%ids[0]] : (tensor<?xf32>, tensor<4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @iota_counts_with_the_loop
// CHECK: tensor.empty(%{{.*}}) : tensor<?x3xi32>
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.index_cast %[[I]] : index to i32
func.func @iota_counts_with_the_loop(%n: index) -> tensor<?x3xi32> {
  %0 = wax.iota along 0 sizes [%n] : tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}

// -----

// CHECK-LABEL: func @a_constant_is_dense
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
func.func @a_constant_is_dense() -> tensor<2xf32> {
  %0 = wax.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
