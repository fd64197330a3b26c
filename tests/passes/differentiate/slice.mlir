// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=computed_offset" | FileCheck %s --check-prefix=COMPUTED-OFFSET
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=side_by_side" | FileCheck %s --check-prefix=SIDE-BY-SIDE
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=overlapping" | FileCheck %s --check-prefix=OVERLAPPING

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

// What was taken side by side, in any order, is set together before it is added to what else there is.
// SIDE-BY-SIDE: func.func @side_by_side(%[[X:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[A:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[B:[a-zA-Z0-9_]+]]: tensor<1x2xf32>, %[[C:[a-zA-Z0-9_]+]]: tensor<1x2xf32>, %[[D:[a-zA-Z0-9_]+]]: tensor<2x2xf32>)
// SIDE-BY-SIDE: %[[ALL:.*]] = wax.concat (%[[B]], %[[D]], %[[C]]) along 0
// SIDE-BY-SIDE-NEXT: %[[SUM:.*]] = wax.broadcast arith.addf(%[[A]][0, 1], %[[ALL]][0, 1])
// SIDE-BY-SIDE-NEXT: return {{.*}}, %[[SUM]] :
func.func @side_by_side(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>) {
  %0 = wax.slice %x offsets [1, 0] sizes [2, 2] strides [1, 1] : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %1 = wax.slice %x offsets [0, 0] sizes [1, 2] strides [1, 1] : (tensor<4x2xf32>) -> tensor<1x2xf32>
  %2 = wax.slice %x offsets [3, 0] sizes [1, 2] strides [1, 1] : (tensor<4x2xf32>) -> tensor<1x2xf32>
  return %x, %1, %2, %0 : tensor<4x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>
}

// OVERLAPPING-LABEL: func.func @overlapping(
// OVERLAPPING-NOT: wax.concat
// OVERLAPPING: wax.pad
// OVERLAPPING: wax.pad
// OVERLAPPING: arith.addf
func.func @overlapping(%x: tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<3x2xf32>) {
  %0 = wax.slice %x offsets [1, 0] sizes [2, 2] strides [1, 1] : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %1 = wax.slice %x offsets [0, 0] sizes [3, 2] strides [1, 1] : (tensor<4x2xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<3x2xf32>
}
