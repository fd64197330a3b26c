// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=forward_mode" | FileCheck %s --check-prefix=FORWARD-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<10x4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xi32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<10x4xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<10x4xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][%[[ARG1]][0], 1] : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.map (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]]) : (tensor<3xi32>) -> tensor<3xi32> {
// REVERSE-MODE-NEXT: %[[C9_I32:[a-zA-Z0-9_]+]] = arith.constant 9 : i32
// REVERSE-MODE-NEXT: %[[C0_I32:[a-zA-Z0-9_]+]] = arith.constant 0 : i32
// REVERSE-MODE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.maxsi %[[A]], %[[C0_I32]] : i32
// REVERSE-MODE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.minsi %[[V4]], %[[C9_I32]] : i32
// REVERSE-MODE-NEXT: wax.yield %[[V5]] : i32
// REVERSE-MODE-NEXT: }
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.scatter arith.addf(%[[ARG2]]) into(%[[V0]])[%[[V2]][0], 1] : (tensor<3x4xf32>, tensor<10x4xf32>, tensor<3xi32>) -> tensor<10x4xf32>
// REVERSE-MODE-NEXT: return %[[V1]], %[[V3]] : tensor<3x4xf32>, tensor<10x4xf32>
func.func @reverse_mode(%t: tensor<10x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = wax.gather %t[%i[0], 1] : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// FORWARD-MODE: func.func @forward_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<10x4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xi32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<10x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
// FORWARD-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][%[[ARG1]][0], 1] : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
// FORWARD-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.gather %[[ARG2]][%[[ARG1]][0], 1] : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
// FORWARD-MODE-NEXT: return %[[V0]], %[[V1]] : tensor<3x4xf32>, tensor<3x4xf32>
func.func @forward_mode(%t: tensor<10x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = wax.gather %t[%i[0], 1] : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
