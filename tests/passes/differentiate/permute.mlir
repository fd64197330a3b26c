// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x?x2xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<2x4x?xf32>) -> (tensor<2x4x?xf32>, tensor<4x?x2xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.permute %[[ARG0]] [2, 0, 1] : (tensor<4x?x2xf32>) -> tensor<2x4x?xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.permute %[[ARG1]] [1, 2, 0] : (tensor<2x4x?xf32>) -> tensor<4x?x2xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V1]] : tensor<2x4x?xf32>, tensor<4x?x2xf32>
func.func @reverse_mode(%x: tensor<4x?x2xf32>) -> tensor<2x4x?xf32> {
  %0 = wax.permute %x [2, 0, 1] : (tensor<4x?x2xf32>) -> tensor<2x4x?xf32>
  return %0 : tensor<2x4x?xf32>
}
