// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sum" | FileCheck %s --check-prefix=SUM
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=recurrence" | FileCheck %s --check-prefix=RECURRENCE

// SUM: func.func @sum(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// SUM-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// SUM-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.scan arith.addf(%[[ARG0]]) along 1 exclusive init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// SUM-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.scan arith.addf(%[[ARG1]]) along 1 exclusive reverse init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// SUM-NEXT: return %[[V1]], %[[V2]] : tensor<4x8xf32>, tensor<4x8xf32>
func.func @sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan arith.addf(%x) along 1 exclusive init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// RECURRENCE: func.func @recurrence(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// RECURRENCE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// RECURRENCE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.scan (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]]) along 0 init(%[[ACC:[a-zA-Z0-9_]+]] = %[[V0]]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
// RECURRENCE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[ACC]], %[[A]] : f32
// RECURRENCE-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.addf %[[V5]], %[[A]] : f32
// RECURRENCE-NEXT: wax.yield %[[V6]] : f32
// RECURRENCE-NEXT: }
// RECURRENCE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.scan (%[[A]] = %[[ARG0]]) along 0 exclusive init(%[[ACC]] = %[[V0]]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
// RECURRENCE-NEXT: %[[V5]] = arith.mulf %[[ACC]], %[[A]] : f32
// RECURRENCE-NEXT: %[[V6]] = arith.addf %[[V5]], %[[A]] : f32
// RECURRENCE-NEXT: wax.yield %[[V6]] : f32
// RECURRENCE-NEXT: }
// RECURRENCE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.scan (%[[A]] = %[[ARG0]], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]]) along 0 exclusive reverse init(%[[ACC]] = %[[V0]]) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
// RECURRENCE-NEXT: %[[V5]] = arith.addf %[[ACC]], %[[B]] : f32
// RECURRENCE-NEXT: %[[V6]] = arith.mulf %[[V5]], %[[A]] : f32
// RECURRENCE-NEXT: wax.yield %[[V6]] : f32
// RECURRENCE-NEXT: }
// RECURRENCE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[V2]][0], %[[B]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[V3]][0]) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
// RECURRENCE-NEXT: %[[V5]] = arith.addf %[[C]], %[[B]] : f32
// RECURRENCE-NEXT: %[[V6]] = arith.mulf %[[V5]], %[[A]] : f32
// RECURRENCE-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.addf %[[V5]], %[[V6]] : f32
// RECURRENCE-NEXT: wax.yield %[[V7]] : f32
// RECURRENCE-NEXT: }
// RECURRENCE-NEXT: return %[[V1]], %[[V4]] : tensor<8xf32>, tensor<8xf32>
func.func @recurrence(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan (%a = %x) along 0 init(%acc = %zero) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
    %1 = arith.mulf %acc, %a : f32
    %2 = arith.addf %1, %a : f32
    wax.yield %2 : f32
  }
  return %0 : tensor<8xf32>
}
