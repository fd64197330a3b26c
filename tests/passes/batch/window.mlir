// RUN: wax-opt %s "--wax-batch=function=windows size=4" | FileCheck %s --check-prefix=WINDOWS
// RUN: wax-opt %s "--wax-batch=function=folded arguments=0 size=4" | FileCheck %s --check-prefix=FOLDED
// RUN: wax-opt %s "--wax-batch=function=folded_from_another_start arguments=1 size=4" | FileCheck %s --check-prefix=FOLDED-FROM-ANOTHER-START

// WINDOWS: func.func @windows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>) -> tensor<4x4x5x3xf32> {
// WINDOWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.window %[[ARG0]] dims [1] sizes [3] strides [2] dilations [1] : (tensor<4x9x5xf32>) -> tensor<4x4x5x3xf32>
// WINDOWS-NEXT: return %[[V0]] : tensor<4x4x5x3xf32>
func.func @windows(%x: tensor<9x5xf32>) -> tensor<4x5x3xf32> {
  %0 = wax.window %x dims [0] sizes [3] strides [2] dilations [1] : (tensor<9x5xf32>) -> tensor<4x5x3xf32>
  return %0 : tensor<4x5x3xf32>
}

// FOLDED: func.func @folded(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x4x5x3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<f32>) -> tensor<4x9x5xf32> {
// FOLDED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.fold arith.addf(%[[ARG0]]) dims [1] sizes [9] strides [2] dilations [1] init(%[[ARG1]]) : (tensor<4x4x5x3xf32>, tensor<f32>) -> tensor<4x9x5xf32>
// FOLDED-NEXT: return %[[V0]] : tensor<4x9x5xf32>
func.func @folded(%x: tensor<4x5x3xf32>, %start: tensor<f32>) -> tensor<9x5xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%start) : (tensor<4x5x3xf32>, tensor<f32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}

// FOLDED-FROM-ANOTHER-START: func.func @folded_from_another_start(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> tensor<4x9xf32> {
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][1, 2]) sizes [4] : (tensor<4x3xf32>) -> tensor<4x4x3xf32> {
// FOLDED-FROM-ANOTHER-START-NEXT: wax.yield %[[A]] : f32
// FOLDED-FROM-ANOTHER-START-NEXT: }
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<4xi64>
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<3xi64>
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[V1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V2]][1]) : (tensor<4xi64>, tensor<3xi64>) -> tensor<4x3xi64> {
// FOLDED-FROM-ANOTHER-START-NEXT: %[[C2_I64:[a-zA-Z0-9_]+]] = arith.constant 2 : i64
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.muli %[[A]], %[[C2_I64]] : i64
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.addi %[[V6]], %[[B]] : i64
// FOLDED-FROM-ANOTHER-START-NEXT: wax.yield %[[V7]] : i64
// FOLDED-FROM-ANOTHER-START-NEXT: }
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG1]][0]) sizes [9] : (tensor<4xf32>) -> tensor<4x9xf32> {
// FOLDED-FROM-ANOTHER-START-NEXT: wax.yield %[[A]] : f32
// FOLDED-FROM-ANOTHER-START-NEXT: }
// FOLDED-FROM-ANOTHER-START-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.scatter arith.addf(%[[V0]]) into(%[[V4]])[0, %[[V3]][1, 2]] : (tensor<4x4x3xf32>, tensor<4x9xf32>, tensor<4x3xi64>) -> tensor<4x9xf32>
// FOLDED-FROM-ANOTHER-START-NEXT: return %[[V5]] : tensor<4x9xf32>
func.func @folded_from_another_start(%x: tensor<4x3xf32>, %start: tensor<f32>) -> tensor<9xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%start) : (tensor<4x3xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
