// RUN: wax-opt %s "--wax-batch=function=permuted size=4" | FileCheck %s --check-prefix=PERMUTED
// RUN: wax-opt %s "--wax-batch=function=reshaped" | FileCheck %s --check-prefix=RESHAPED
// RUN: wax-opt %s "--wax-batch=function=turned size=4" | FileCheck %s --check-prefix=TURNED
// RUN: wax-opt %s "--wax-batch=function=padded arguments=0 size=4" | FileCheck %s --check-prefix=PADDED
// RUN: wax-opt %s "--wax-batch=function=padded_by_row arguments=1 size=4" | FileCheck %s --check-prefix=PADDED-BY-ROW
// RUN: wax-opt %s "--wax-batch=function=set_beside_each_other arguments=1 size=4" | FileCheck %s --check-prefix=SET-BESIDE-EACH-OTHER

// PERMUTED: func.func @permuted(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x5xf32>) -> tensor<4x5x3xf32> {
// PERMUTED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.permute %[[ARG0]] [0, 2, 1] : (tensor<4x3x5xf32>) -> tensor<4x5x3xf32>
// PERMUTED-NEXT: return %[[V0]] : tensor<4x5x3xf32>
func.func @permuted(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = wax.permute %x [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// RESHAPED: func.func @reshaped(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<?x6x?xf32>) -> tensor<?x2x3x?xf32> {
// RESHAPED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reshape %[[ARG0]] {{\[\[}}0], [1], [2]] into {{\[\[}}0], [1, 2], [3]] : (tensor<?x6x?xf32>) -> tensor<?x2x3x?xf32>
// RESHAPED-NEXT: return %[[V0]] : tensor<?x2x3x?xf32>
func.func @reshaped(%x: tensor<6x?xf32>) -> tensor<2x3x?xf32> {
  %0 = wax.reshape %x [[0], [1]] into [[0, 1], [2]] : (tensor<6x?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

// TURNED: func.func @turned(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
// TURNED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.reverse %[[ARG0]] dims [2] : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
// TURNED-NEXT: return %[[V0]] : tensor<4x3x5xf32>
func.func @turned(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = wax.reverse %x dims [1] : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// PADDED: func.func @padded(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<f32>) -> tensor<4x8xf32> {
// PADDED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.pad %[[ARG0]] with %[[ARG1]] low [0, 1] high [0, 2] interior [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x8xf32>
// PADDED-NEXT: return %[[V0]] : tensor<4x8xf32>
func.func @padded(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<8xf32> {
  %0 = wax.pad %x with %v low [1] high [2] interior [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// PADDED-BY-ROW: func.func @padded_by_row(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> tensor<4x6xf32> {
// PADDED-BY-ROW-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<[true, false, false, false, true, true]> : tensor<6xi1>
// PADDED-BY-ROW-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// PADDED-BY-ROW-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.pad %[[ARG0]] with %[[V1]] low [1] high [2] interior [0] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
// PADDED-BY-ROW-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast arith.select(%[[V0]][1], %[[ARG1]][0], %[[V2]][1]) : (tensor<6xi1>, tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// PADDED-BY-ROW-NEXT: return %[[V3]] : tensor<4x6xf32>
func.func @padded_by_row(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  %0 = wax.pad %x with %v low [1] high [2] interior [0] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// SET-BESIDE-EACH-OTHER: func.func @set_beside_each_other(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x2xf32>) -> tensor<4x5xf32> {
// SET-BESIDE-EACH-OTHER-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][1]) sizes [4] : (tensor<3xf32>) -> tensor<4x3xf32> {
// SET-BESIDE-EACH-OTHER-NEXT: wax.yield %[[A]] : f32
// SET-BESIDE-EACH-OTHER-NEXT: }
// SET-BESIDE-EACH-OTHER-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.concat (%[[V0]], %[[ARG1]]) along 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
// SET-BESIDE-EACH-OTHER-NEXT: return %[[V1]] : tensor<4x5xf32>
func.func @set_beside_each_other(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<5xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
