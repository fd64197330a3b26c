// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<6x?xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<2x3x?xf32>) -> (tensor<2x3x?xf32>, tensor<6x?xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG0]] {{\[\[}}0], [1]] into {{\[\[}}0, 1], [2]] : (tensor<6x?xf32>) -> tensor<2x3x?xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG1]] {{\[\[}}0, 1], [2]] into {{\[\[}}0], [1]] : (tensor<2x3x?xf32>) -> tensor<6x?xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V1]] : tensor<2x3x?xf32>, tensor<6x?xf32>
func.func @reverse_mode(%x: tensor<6x?xf32>) -> tensor<2x3x?xf32> {
  %0 = wax.reshape %x [[0], [1]] into [[0, 1], [2]] : (tensor<6x?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}
