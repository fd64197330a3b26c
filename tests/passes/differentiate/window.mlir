// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<9xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.window %[[ARG0]] dims [0] sizes [3] strides [2] dilations [1] : (tensor<9xf32>) -> tensor<4x3xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.fold arith.addf(%[[ARG1]]) dims [0] sizes [9] strides [2] dilations [1] init(%[[V0]]) : (tensor<4x3xf32>, tensor<f32>) -> tensor<9xf32>
// REVERSE-MODE-NEXT: return %[[V1]], %[[V2]] : tensor<4x3xf32>, tensor<9xf32>
func.func @reverse_mode(%x: tensor<9xf32>) -> tensor<4x3xf32> {
  %0 = wax.window %x dims [0] sizes [3] strides [2] dilations [1] : (tensor<9xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
