// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x?xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reverse %[[ARG0]] dims [1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reverse %[[ARG1]] dims [1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V1]] : tensor<4x?xf32>, tensor<4x?xf32>
func.func @reverse_mode(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.reverse %x dims [1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
