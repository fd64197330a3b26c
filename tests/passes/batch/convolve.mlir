// RUN: wax-opt %s "--wax-batch=function=rows_of_lhs arguments=0 size=4" | FileCheck %s --check-prefix=ROWS-OF-LHS
// RUN: wax-opt %s "--wax-batch=function=rows_of_lhs_in_batch_groups arguments=0 size=3" | FileCheck %s --check-prefix=ROWS-OF-LHS-IN-BATCH-GROUPS
// RUN: wax-opt %s "--wax-batch=function=rows_of_rhs arguments=1 size=4" | FileCheck %s --check-prefix=ROWS-OF-RHS
// RUN: wax-opt %s "--wax-batch=function=rows_of_rhs_in_batch_groups arguments=1 size=3" | FileCheck %s --check-prefix=ROWS-OF-RHS-IN-BATCH-GROUPS
// RUN: wax-opt %s "--wax-batch=function=rows_of_both arguments=0,1 size=4" | FileCheck %s --check-prefix=ROWS-OF-BOTH
// RUN: wax-opt %s "--wax-batch=function=rows_of_both_in_batch_groups arguments=0,1 size=3" | FileCheck %s --check-prefix=ROWS-OF-BOTH-IN-BATCH-GROUPS

// ROWS-OF-LHS: func.func @rows_of_lhs(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x2x9x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3x4x6xf32>) -> tensor<4x2x7x6xf32> {
// ROWS-OF-LHS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG0]] {{\[\[}}0, 1], [2], [3]] into {{\[\[}}0], [1], [2]] : (tensor<4x2x9x8xf32>) -> tensor<8x9x8xf32>
// ROWS-OF-LHS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.convolve %[[V0]][b, 0, f], %[[ARG1]][0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 : (tensor<8x9x8xf32>, tensor<3x4x6xf32>) -> tensor<8x7x6xf32>
// ROWS-OF-LHS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reshape %[[V1]] {{\[\[}}0], [1], [2]] into {{\[\[}}0, 1], [2], [3]] : (tensor<8x7x6xf32>) -> tensor<4x2x7x6xf32>
// ROWS-OF-LHS-NEXT: return %[[V2]] : tensor<4x2x7x6xf32>
func.func @rows_of_lhs(%x: tensor<2x9x8xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x7x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2
      : (tensor<2x9x8xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// ROWS-OF-LHS-IN-BATCH-GROUPS: func.func @rows_of_lhs_in_batch_groups(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3x2x4x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<6x4x5xf32>) -> tensor<3x1x6x5xf32> {
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG0]] {{\[\[}}0], [1], [2], [3]] into {{\[\[}}0], [1, 2], [3], [4]] : (tensor<3x2x4x9xf32>) -> tensor<3x2x1x4x9xf32>
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.permute %[[V0]] [1, 0, 2, 3, 4] : (tensor<3x2x1x4x9xf32>) -> tensor<2x3x1x4x9xf32>
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reshape %[[V1]] {{\[\[}}0, 1, 2], [3], [4]] into {{\[\[}}0], [1], [2]] : (tensor<2x3x1x4x9xf32>) -> tensor<6x4x9xf32>
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.convolve %[[V2]][b, f, 0], %[[ARG1]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 2 : (tensor<6x4x9xf32>, tensor<6x4x5xf32>) -> tensor<3x6x5xf32>
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reshape %[[V3]] {{\[\[}}0], [1], [2]] into {{\[\[}}0, 1], [2], [3]] : (tensor<3x6x5xf32>) -> tensor<3x1x6x5xf32>
// ROWS-OF-LHS-IN-BATCH-GROUPS-NEXT: return %[[V4]] : tensor<3x1x6x5xf32>
func.func @rows_of_lhs_in_batch_groups(%x: tensor<2x4x9xf32>, %w: tensor<6x4x5xf32>) -> tensor<1x6x5xf32> {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 2
      : (tensor<2x4x9xf32>, tensor<6x4x5xf32>) -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}

// ROWS-OF-RHS: func.func @rows_of_rhs(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<2x9x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3x4x6xf32>) -> tensor<4x2x7x6xf32> {
// ROWS-OF-RHS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG1]] {{\[\[}}0], [1], [2], [3]] into {{\[\[}}0], [1], [2], [3, 4]] : (tensor<4x3x4x6xf32>) -> tensor<4x3x4x2x3xf32>
// ROWS-OF-RHS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.permute %[[V0]] [1, 2, 3, 0, 4] : (tensor<4x3x4x2x3xf32>) -> tensor<3x4x2x4x3xf32>
// ROWS-OF-RHS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reshape %[[V1]] {{\[\[}}0], [1], [2, 3, 4]] into {{\[\[}}0], [1], [2]] : (tensor<3x4x2x4x3xf32>) -> tensor<3x4x24xf32>
// ROWS-OF-RHS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][b, 0, f], %[[V2]][0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 : (tensor<2x9x8xf32>, tensor<3x4x24xf32>) -> tensor<2x7x24xf32>
// ROWS-OF-RHS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reshape %[[V3]] {{\[\[}}0], [1], [2]] into {{\[\[}}0], [1], [2, 3, 4]] : (tensor<2x7x24xf32>) -> tensor<2x7x2x4x3xf32>
// ROWS-OF-RHS-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.permute %[[V4]] [3, 0, 1, 2, 4] : (tensor<2x7x2x4x3xf32>) -> tensor<4x2x7x2x3xf32>
// ROWS-OF-RHS-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.reshape %[[V5]] {{\[\[}}0], [1], [2], [3, 4]] into {{\[\[}}0], [1], [2], [3]] : (tensor<4x2x7x2x3xf32>) -> tensor<4x2x7x6xf32>
// ROWS-OF-RHS-NEXT: return %[[V6]] : tensor<4x2x7x6xf32>
func.func @rows_of_rhs(%x: tensor<2x9x8xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x7x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2
      : (tensor<2x9x8xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// ROWS-OF-RHS-IN-BATCH-GROUPS: func.func @rows_of_rhs_in_batch_groups(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<2x4x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3x6x4x5xf32>) -> tensor<3x1x6x5xf32> {
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG1]] {{\[\[}}0], [1], [2], [3]] into {{\[\[}}0], [1, 2], [3], [4]] : (tensor<3x6x4x5xf32>) -> tensor<3x2x3x4x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.permute %[[V0]] [1, 0, 2, 3, 4] : (tensor<3x2x3x4x5xf32>) -> tensor<2x3x3x4x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reshape %[[V1]] {{\[\[}}0, 1, 2], [3], [4]] into {{\[\[}}0], [1], [2]] : (tensor<2x3x3x4x5xf32>) -> tensor<18x4x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.convolve %[[ARG0]][b, f, 0], %[[V2]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 2 : (tensor<2x4x9xf32>, tensor<18x4x5xf32>) -> tensor<1x18x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reshape %[[V3]] {{\[\[}}0], [1], [2]] into {{\[\[}}0], [1, 2, 3], [4]] : (tensor<1x18x5xf32>) -> tensor<1x2x3x3x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.permute %[[V4]] [2, 0, 1, 3, 4] : (tensor<1x2x3x3x5xf32>) -> tensor<3x1x2x3x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.reshape %[[V5]] {{\[\[}}0], [1], [2, 3], [4]] into {{\[\[}}0], [1], [2], [3]] : (tensor<3x1x2x3x5xf32>) -> tensor<3x1x6x5xf32>
// ROWS-OF-RHS-IN-BATCH-GROUPS-NEXT: return %[[V6]] : tensor<3x1x6x5xf32>
func.func @rows_of_rhs_in_batch_groups(%x: tensor<2x4x9xf32>, %w: tensor<6x4x5xf32>) -> tensor<1x6x5xf32> {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 2
      : (tensor<2x4x9xf32>, tensor<6x4x5xf32>) -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}

// ROWS-OF-BOTH: func.func @rows_of_both(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x2x9x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3x4x6xf32>) -> tensor<4x2x7x6xf32> {
// ROWS-OF-BOTH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.permute %[[ARG0]] [1, 2, 0, 3] : (tensor<4x2x9x8xf32>) -> tensor<2x9x4x8xf32>
// ROWS-OF-BOTH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reshape %[[V0]] {{\[\[}}0], [1], [2, 3]] into {{\[\[}}0], [1], [2]] : (tensor<2x9x4x8xf32>) -> tensor<2x9x32xf32>
// ROWS-OF-BOTH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.permute %[[ARG1]] [1, 2, 0, 3] : (tensor<4x3x4x6xf32>) -> tensor<3x4x4x6xf32>
// ROWS-OF-BOTH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.reshape %[[V2]] {{\[\[}}0], [1], [2, 3]] into {{\[\[}}0], [1], [2]] : (tensor<3x4x4x6xf32>) -> tensor<3x4x24xf32>
// ROWS-OF-BOTH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.convolve %[[V1]][b, 0, f], %[[V3]][0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 8 : (tensor<2x9x32xf32>, tensor<3x4x24xf32>) -> tensor<2x7x24xf32>
// ROWS-OF-BOTH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.reshape %[[V4]] {{\[\[}}0], [1], [2]] into {{\[\[}}0], [1], [2, 3]] : (tensor<2x7x24xf32>) -> tensor<2x7x4x6xf32>
// ROWS-OF-BOTH-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.permute %[[V5]] [2, 0, 1, 3] : (tensor<2x7x4x6xf32>) -> tensor<4x2x7x6xf32>
// ROWS-OF-BOTH-NEXT: return %[[V6]] : tensor<4x2x7x6xf32>
func.func @rows_of_both(%x: tensor<2x9x8xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x7x6xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2
      : (tensor<2x9x8xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// ROWS-OF-BOTH-IN-BATCH-GROUPS: func.func @rows_of_both_in_batch_groups(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3x2x4x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3x6x4x5xf32>) -> tensor<3x1x6x5xf32> {
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG0]] {{\[\[}}0, 1], [2], [3]] into {{\[\[}}0], [1], [2]] : (tensor<3x2x4x9xf32>) -> tensor<6x4x9xf32>
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG1]] {{\[\[}}0, 1], [2], [3]] into {{\[\[}}0], [1], [2]] : (tensor<3x6x4x5xf32>) -> tensor<18x4x5xf32>
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.convolve %[[V0]][b, f, 0], %[[V1]][o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 6 : (tensor<6x4x9xf32>, tensor<18x4x5xf32>) -> tensor<1x18x5xf32>
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.reshape %[[V2]] {{\[\[}}0], [1], [2]] into {{\[\[}}0], [1, 2], [3]] : (tensor<1x18x5xf32>) -> tensor<1x3x6x5xf32>
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.permute %[[V3]] [1, 0, 2, 3] : (tensor<1x3x6x5xf32>) -> tensor<3x1x6x5xf32>
// ROWS-OF-BOTH-IN-BATCH-GROUPS-NEXT: return %[[V4]] : tensor<3x1x6x5xf32>
func.func @rows_of_both_in_batch_groups(%x: tensor<2x4x9xf32>, %w: tensor<6x4x5xf32>) -> tensor<1x6x5xf32> {
  %0 = wax.convolve %x[b, f, 0], %w[o, i, 0] to [b, f, 0] strides [1] low [0] high [0] batch_groups 2
      : (tensor<2x4x9xf32>, tensor<6x4x5xf32>) -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}
