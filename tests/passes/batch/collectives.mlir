// RUN: wax-opt %s "--wax-batch=function=over_this_batch size=4 axis=i" | FileCheck %s --check-prefix=OVER-THIS-BATCH
// RUN: wax-opt %s "--wax-batch=function=over_another size=4 axis=j" | FileCheck %s --check-prefix=OVER-ANOTHER

// OVER-THIS-BATCH: func.func @over_this_batch(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<4xi32>) {
// OVER-THIS-BATCH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// OVER-THIS-BATCH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[ARG0]]) over [0] init(%[[V0]]) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
// OVER-THIS-BATCH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<4xi32>
// OVER-THIS-BATCH-NEXT: return %[[V1]], %[[ARG0]], %[[V2]] : tensor<3xf32>, tensor<4x3xf32>, tensor<4xi32>
func.func @over_this_batch(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<i32>) {
  %0 = wax.psum %x over "i" : (tensor<3xf32>) -> tensor<3xf32>
  %1 = wax.all_gather %x over "i" sizes [4] : (tensor<3xf32>) -> tensor<4x3xf32>
  %2 = wax.axis_index "i" : () -> tensor<i32>
  return %0, %1, %2 : tensor<3xf32>, tensor<4x3xf32>, tensor<i32>
}

// OVER-ANOTHER: func.func @over_another(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x2x3xf32>, tensor<i32>) {
// OVER-ANOTHER-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.psum %[[ARG0]] over "i" : (tensor<4x3xf32>) -> tensor<4x3xf32>
// OVER-ANOTHER-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.all_gather %[[ARG0]] over "i" sizes [2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
// OVER-ANOTHER-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.permute %[[V1]] [1, 0, 2] : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
// OVER-ANOTHER-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.axis_index "i" : () -> tensor<i32>
// OVER-ANOTHER-NEXT: return %[[V0]], %[[V2]], %[[V3]] : tensor<4x3xf32>, tensor<4x2x3xf32>, tensor<i32>
func.func @over_another(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>, tensor<i32>) {
  %0 = wax.psum %x over "i" : (tensor<3xf32>) -> tensor<3xf32>
  %1 = wax.all_gather %x over "i" sizes [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = wax.axis_index "i" : () -> tensor<i32>
  return %0, %1, %2 : tensor<3xf32>, tensor<2x3xf32>, tensor<i32>
}
