// RUN: wax-opt %s "--wax-batch=function=of_rows size=4" | FileCheck %s --check-prefix=OF-ROWS
// RUN: wax-opt %s "--wax-batch=function=places size=4" | FileCheck %s --check-prefix=PLACES
// RUN: wax-opt %s "--wax-batch=function=from_another_start arguments=1 size=4" | FileCheck %s --check-prefix=FROM-ANOTHER-START

// OF-ROWS: func.func @of_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x5xf32>) -> tensor<4x3xf32> {
// OF-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// OF-ROWS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[ARG0]]) over [2] init(%[[V0]]) : (tensor<4x3x5xf32>, tensor<f32>) -> tensor<4x3xf32>
// OF-ROWS-NEXT: return %[[V1]] : tensor<4x3xf32>
func.func @of_rows(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// PLACES: func.func @places(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x5xf32>) -> tensor<4xi32> {
// PLACES-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0xFF800000> : tensor<f32>
// PLACES-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0> : tensor<i32>
// PLACES-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.iota along 1 : tensor<4x5xi32>
// PLACES-NEXT: %[[V3:[a-zA-Z0-9_]+]]:2 = wax.reduce (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]], %[[B:[a-zA-Z0-9_]+]] = %[[V2]]) over [1] init(%[[ACC:[a-zA-Z0-9_]+]] = %[[V0]], %[[ACC_0:[a-zA-Z0-9_]+]] = %[[V1]]) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
// PLACES-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf ogt, %[[A]], %[[ACC]] : f32
// PLACES-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[A]], %[[ACC]] : f32
// PLACES-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[B]], %[[ACC_0]] : i32
// PLACES-NEXT: wax.yield %[[V5]], %[[V6]] : f32, i32
// PLACES-NEXT: }
// PLACES-NEXT: return %[[V3]]#1 : tensor<4xi32>
// Counting goes along all rows: it is no repetition.
func.func @places(%x: tensor<5xf32>) -> tensor<i32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %none = wax.constant dense<0> : tensor<i32>
  %n = wax.iota along 0 : tensor<5xi32>
  %m, %i = wax.reduce (%a = %x, %k = %n) over [0] init(%best = %low, %at = %none)
      : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %j = arith.select %more, %k, %at : i32
    wax.yield %v, %j : f32, i32
  }
  return %i : tensor<i32>
}

// FROM-ANOTHER-START: func.func @from_another_start(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> tensor<4xf32> {
// FROM-ANOTHER-START-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<false> : tensor<i1>
// FROM-ANOTHER-START-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// FROM-ANOTHER-START-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][1]) sizes [4] : (tensor<5xf32>) -> tensor<4x5xf32> {
// FROM-ANOTHER-START-NEXT: wax.yield %[[A]] : f32
// FROM-ANOTHER-START-NEXT: }
// FROM-ANOTHER-START-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG1]][0]) sizes [5] : (tensor<4xf32>) -> tensor<4x5xf32> {
// FROM-ANOTHER-START-NEXT: wax.yield %[[A]] : f32
// FROM-ANOTHER-START-NEXT: }
// FROM-ANOTHER-START-NEXT: %[[V4:[a-zA-Z0-9_]+]]:2 = wax.reduce (%[[A]] = %[[V2]], %[[B:[a-zA-Z0-9_]+]] = %[[V3]]) over [1] init(%[[ACC:[a-zA-Z0-9_]+]] = %[[V1]], %[[ACC_0:[a-zA-Z0-9_]+]] = %[[V0]]) : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>) {
// FROM-ANOTHER-START-NEXT: %[[TRUE:[a-zA-Z0-9_]+]] = arith.constant true
// FROM-ANOTHER-START-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.select %[[ACC_0]], %[[ACC]], %[[B]] : f32
// FROM-ANOTHER-START-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[V6]] : f32
// FROM-ANOTHER-START-NEXT: wax.yield %[[V7]], %[[TRUE]] : f32, i1
// FROM-ANOTHER-START-NEXT: }
// FROM-ANOTHER-START-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.broadcast arith.select(%[[V4]]#1[0], %[[V4]]#0[0], %[[ARG1]][0]) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// FROM-ANOTHER-START-NEXT: return %[[V5]] : tensor<4xf32>
func.func @from_another_start(%x: tensor<5xf32>, %start: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%start) : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
