// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<f32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<9xf32>) -> (tensor<9xf32>, tensor<4xf32>, tensor<f32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<[true, false, true, false, true, false, true, true, true]> : tensor<9xi1>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.pad %[[ARG0]] with %[[ARG1]] low [-1] high [3] interior [1] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.slice %[[ARG2]] offsets [1] sizes [3] strides [2] : (tensor<9xf32>) -> tensor<3xf32>
// REVERSE-MODE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.pad %[[V3]] with %[[V1]] low [1] high [0] interior [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
// REVERSE-MODE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<9xi1>, tensor<9xf32>) -> tensor<9xf32> {
// REVERSE-MODE-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// REVERSE-MODE-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.select %[[A]], %[[B]], %[[CST]] : f32
// REVERSE-MODE-NEXT: wax.yield %[[V7]] : f32
// REVERSE-MODE-NEXT: }
// REVERSE-MODE-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V5]]) over [0] init(%[[V1]]) : (tensor<9xf32>, tensor<f32>) -> tensor<f32>
// REVERSE-MODE-NEXT: return %[[V2]], %[[V4]], %[[V6]] : tensor<9xf32>, tensor<4xf32>, tensor<f32>
func.func @reverse_mode(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<9xf32> {
  %0 = wax.pad %x with %v low [-1] high [3] interior [1] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
