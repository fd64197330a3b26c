// RUN: wax-opt %s "--wax-batch=function=joins_what_has_no_rows arguments=1 size=4" | FileCheck %s --check-prefix=JOINS-WHAT-HAS-NO-ROWS
// RUN: wax-opt %s "--wax-batch=function=free_dims size=4" | FileCheck %s --check-prefix=FREE-DIMS

// JOINS-WHAT-HAS-NO-ROWS: func.func @joins_what_has_no_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x5xf32>) -> tensor<4x3x5xf32> {
// JOINS-WHAT-HAS-NO-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.mulf(%[[ARG0]][1, 2], %[[ARG1]][0, 2]) : (tensor<3x5xf32>, tensor<4x5xf32>) -> tensor<4x3x5xf32>
// JOINS-WHAT-HAS-NO-ROWS-NEXT: return %[[V0]] : tensor<4x3x5xf32>
// Nothing is repeated.
func.func @joins_what_has_no_rows(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> tensor<3x5xf32> {
  %0 = wax.broadcast arith.mulf(%x[0, 1], %y[1]) : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// FREE-DIMS: func.func @free_dims(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> tensor<4x3x5xf32> {
// FREE-DIMS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0]) sizes [3, 5] : (tensor<4xf32>) -> tensor<4x3x5xf32> {
// FREE-DIMS-NEXT: wax.yield %[[A]] : f32
// FREE-DIMS-NEXT: }
// FREE-DIMS-NEXT: return %[[V0]] : tensor<4x3x5xf32>
func.func @free_dims(%x: tensor<f32>) -> tensor<3x5xf32> {
  %0 = wax.broadcast (%a = %x[]) sizes [3, 5] : (tensor<f32>) -> tensor<3x5xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<3x5xf32>
}
