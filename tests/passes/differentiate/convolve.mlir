// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=forward_mode" | FileCheck %s --check-prefix=FORWARD-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<1x8x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<12x2x5xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<1x12x5xf32>) -> (tensor<1x12x5xf32>, tensor<1x8x9xf32>, tensor<12x2x5xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][b, f, 0], %[[ARG1]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4 : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reverse %[[ARG1]] dims [2] : (tensor<12x2x5xf32>) -> tensor<12x2x5xf32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reshape %[[V1]] {{\[\[}}0], [1], [2]] into {{\[\[}}0, 1], [2], [3]] : (tensor<12x2x5xf32>) -> tensor<4x3x2x5xf32>
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.permute %[[V2]] [1, 0, 2, 3] : (tensor<4x3x2x5xf32>) -> tensor<3x4x2x5xf32>
// REVERSE-MODE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reshape %[[V3]] {{\[\[}}0], [1, 2], [3]] into {{\[\[}}0], [1], [2]] : (tensor<3x4x2x5xf32>) -> tensor<3x8x5xf32>
// REVERSE-MODE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG2]][b, f, 0], %[[V4]][i, o, 0] to [b, f, 0] strides [1] low [4] high [4] feature_groups 4 : (tensor<1x12x5xf32>, tensor<3x8x5xf32>) -> tensor<1x8x9xf32>
// REVERSE-MODE-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][f, b, 0], %[[ARG2]][i, o, 0] to [f, b, 0] strides [1] low [0] high [0] batch_groups 4 : (tensor<1x8x9xf32>, tensor<1x12x5xf32>) -> tensor<12x2x5xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V5]], %[[V6]] : tensor<1x12x5xf32>, tensor<1x8x9xf32>, tensor<12x2x5xf32>
func.func @reverse_mode(%x: tensor<1x8x9xf32>, %w: tensor<12x2x5xf32>) -> tensor<1x12x5xf32> {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4
      : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
  return %0 : tensor<1x12x5xf32>
}

// FORWARD-MODE: func.func @forward_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<1x8x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<12x2x5xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<1x8x9xf32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<12x2x5xf32>) -> (tensor<1x12x5xf32>, tensor<1x12x5xf32>) {
// FORWARD-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][b, f, 0], %[[ARG1]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4 : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
// FORWARD-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG2]][b, f, 0], %[[ARG1]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4 : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
// FORWARD-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][b, f, 0], %[[ARG3]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4 : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
// FORWARD-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast arith.addf(%[[V1]][0, 1, 2], %[[V2]][0, 1, 2]) : (tensor<1x12x5xf32>, tensor<1x12x5xf32>) -> tensor<1x12x5xf32>
// FORWARD-MODE-NEXT: return %[[V0]], %[[V3]] : tensor<1x12x5xf32>, tensor<1x12x5xf32>
func.func @forward_mode(%x: tensor<1x8x9xf32>, %w: tensor<12x2x5xf32>) -> tensor<1x12x5xf32> {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0] feature_groups 4
      : (tensor<1x8x9xf32>, tensor<12x2x5xf32>) -> tensor<1x12x5xf32>
  return %0 : tensor<1x12x5xf32>
}
