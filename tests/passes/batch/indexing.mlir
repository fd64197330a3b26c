// RUN: wax-opt %s "--wax-batch=function=rows_at_one_index arguments=0 size=4" | FileCheck %s --check-prefix=ROWS-AT-ONE-INDEX
// RUN: wax-opt %s "--wax-batch=function=one_table_at_rows arguments=1 size=4" | FileCheck %s --check-prefix=ONE-TABLE-AT-ROWS
// RUN: wax-opt %s "--wax-batch=function=rows_at_rows arguments=0,1 size=4" | FileCheck %s --check-prefix=ROWS-AT-ROWS
// RUN: wax-opt %s "--wax-batch=function=scattered arguments=0,2 size=4" | FileCheck %s --check-prefix=SCATTERED

// ROWS-AT-ONE-INDEX: func.func @rows_at_one_index(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xi32>) -> tensor<4x3x5xf32> {
// ROWS-AT-ONE-INDEX-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][0, %[[ARG1]][1], 2] : (tensor<4x9x5xf32>, tensor<3xi32>) -> tensor<4x3x5xf32>
// ROWS-AT-ONE-INDEX-NEXT: return %[[V0]] : tensor<4x3x5xf32>
func.func @rows_at_one_index(%x: tensor<9x5xf32>, %i: tensor<3xi32>) -> tensor<3x5xf32> {
  %0 = wax.gather %x[%i[0], 1] : (tensor<9x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// ONE-TABLE-AT-ROWS: func.func @one_table_at_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3xi32>) -> tensor<4x3x5xf32> {
// ONE-TABLE-AT-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][%[[ARG1]][0, 1], 2] : (tensor<9x5xf32>, tensor<4x3xi32>) -> tensor<4x3x5xf32>
// ONE-TABLE-AT-ROWS-NEXT: return %[[V0]] : tensor<4x3x5xf32>
func.func @one_table_at_rows(%x: tensor<9x5xf32>, %i: tensor<3xi32>) -> tensor<3x5xf32> {
  %0 = wax.gather %x[%i[0], 1] : (tensor<9x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// ROWS-AT-ROWS: func.func @rows_at_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3xi32>) -> tensor<4x3x5xf32> {
// ROWS-AT-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][0, %[[ARG1]][0, 1], 2] : (tensor<4x9x5xf32>, tensor<4x3xi32>) -> tensor<4x3x5xf32>
// ROWS-AT-ROWS-NEXT: return %[[V0]] : tensor<4x3x5xf32>
func.func @rows_at_rows(%x: tensor<9x5xf32>, %i: tensor<3xi32>) -> tensor<3x5xf32> {
  %0 = wax.gather %x[%i[0], 1] : (tensor<9x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// SCATTERED: func.func @scattered(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<9x5xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4x3xi32>) -> tensor<4x9x5xf32> {
// SCATTERED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][1, 2]) sizes [4] : (tensor<9x5xf32>) -> tensor<4x9x5xf32> {
// SCATTERED-NEXT: wax.yield %[[A]] : f32
// SCATTERED-NEXT: }
// SCATTERED-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.scatter arith.addf(%[[ARG0]]) into(%[[V0]])[0, %[[ARG2]][0, 1], 2] : (tensor<4x3x5xf32>, tensor<4x9x5xf32>, tensor<4x3xi32>) -> tensor<4x9x5xf32>
// SCATTERED-NEXT: return %[[V1]] : tensor<4x9x5xf32>
func.func @scattered(%u: tensor<3x5xf32>, %x: tensor<9x5xf32>, %i: tensor<3xi32>) -> tensor<9x5xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0], 1] : (tensor<3x5xf32>, tensor<9x5xf32>, tensor<3xi32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}
