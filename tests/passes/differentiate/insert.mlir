// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<2xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: index, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<2xf32>, tensor<8xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<2xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.insert %[[ARG0]] into %[[ARG1]] offsets [%[[ARG2]]] strides [3] : (tensor<2xf32>, tensor<8xf32>) -> tensor<8xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.slice %[[ARG3]] offsets [%[[ARG2]]] sizes [2] strides [3] : (tensor<8xf32>) -> tensor<2xf32>
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.insert %[[V0]] into %[[ARG3]] offsets [%[[ARG2]]] strides [3] : (tensor<2xf32>, tensor<8xf32>) -> tensor<8xf32>
// REVERSE-MODE-NEXT: return %[[V1]], %[[V2]], %[[V3]] : tensor<8xf32>, tensor<2xf32>, tensor<8xf32>
func.func @reverse_mode(%u: tensor<2xf32>, %x: tensor<8xf32>, %o: index) -> tensor<8xf32> {
  %0 = wax.insert %u into %x offsets [%o] strides [3] : (tensor<2xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
