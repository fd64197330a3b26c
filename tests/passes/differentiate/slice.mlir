// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=computed_offset" | FileCheck %s --check-prefix=COMPUTED-OFFSET

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xf32>) -> (tensor<3xf32>, tensor<9xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.slice %[[ARG0]] offsets [1] sizes [3] strides [2] : (tensor<9xf32>) -> tensor<3xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.pad %[[ARG1]] with %[[V0]] low [1] high [3] interior [1] : (tensor<3xf32>, tensor<f32>) -> tensor<9xf32>
// REVERSE-MODE-NEXT: return %[[V1]], %[[V2]] : tensor<3xf32>, tensor<9xf32>
func.func @reverse_mode(%x: tensor<9xf32>) -> tensor<3xf32> {
  %0 = wax.slice %x offsets [1] sizes [3] strides [2] : (tensor<9xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// COMPUTED-OFFSET: func.func @computed_offset(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: index, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<3xf32>) -> (tensor<3xf32>, tensor<9xf32>) {
// COMPUTED-OFFSET-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<9xf32>
// COMPUTED-OFFSET-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.slice %[[ARG0]] offsets [%[[ARG1]]] sizes [3] strides [2] : (tensor<9xf32>) -> tensor<3xf32>
// COMPUTED-OFFSET-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.insert %[[ARG2]] into %[[V0]] offsets [%[[ARG1]]] strides [2] : (tensor<3xf32>, tensor<9xf32>) -> tensor<9xf32>
// COMPUTED-OFFSET-NEXT: return %[[V1]], %[[V2]] : tensor<3xf32>, tensor<9xf32>
func.func @computed_offset(%x: tensor<9xf32>, %o: index) -> tensor<3xf32> {
  %0 = wax.slice %x offsets [%o] sizes [3] strides [2] : (tensor<9xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
