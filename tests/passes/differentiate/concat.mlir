// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=forward_mode" | FileCheck %s --check-prefix=FORWARD-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<?x2xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<4x2xf32>, tensor<?x2xf32>) {
// REVERSE-MODE-NEXT: %[[C0:[a-zA-Z0-9_]+]] = arith.constant 0 : index
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.concat (%[[ARG0]], %[[ARG1]]) along 0 : (tensor<4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.slice %[[ARG2]] offsets [0, 0] sizes [4, 2] strides [1, 1] : (tensor<?x2xf32>) -> tensor<4x2xf32>
// REVERSE-MODE-NEXT: %[[DIM:[a-zA-Z0-9_]+]] = tensor.dim %[[ARG1]], %[[C0]] : tensor<?x2xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.slice %[[ARG2]] offsets [4, 0] sizes [%[[DIM]], 2] strides [1, 1] : (tensor<?x2xf32>) -> tensor<?x2xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<?x2xf32>, tensor<4x2xf32>, tensor<?x2xf32>
func.func @reverse_mode(%x: tensor<4x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// FORWARD-MODE: func.func @forward_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<?x2xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
// FORWARD-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.concat (%[[ARG0]], %[[ARG1]]) along 0 : (tensor<4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// FORWARD-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.concat (%[[ARG2]], %[[ARG3]]) along 0 : (tensor<4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// FORWARD-MODE-NEXT: return %[[V0]], %[[V1]] : tensor<?x2xf32>, tensor<?x2xf32>
func.func @forward_mode(%x: tensor<4x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
