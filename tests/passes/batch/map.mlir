// RUN: wax-opt %s "--wax-batch=function=rows size=4" | FileCheck %s --check-prefix=ROWS
// RUN: wax-opt %s "--wax-batch=function=of_unknown_size" | FileCheck %s --check-prefix=OF-UNKNOWN-SIZE
// RUN: wax-opt %s "--wax-batch=function=the_same_for_all arguments=0 size=4" | FileCheck %s --check-prefix=THE-SAME-FOR-ALL
// RUN: wax-opt %s "--wax-batch=function=repeated_at_the_edge arguments=0 results=0 size=4" | FileCheck %s --check-prefix=REPEATED-AT-THE-EDGE

// ROWS: func.func @rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>) -> tensor<4x3xf32> {
// ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG0]]) : (tensor<4x3xf32>) -> tensor<4x3xf32>
// ROWS-NEXT: return %[[V0]] : tensor<4x3xf32>
func.func @rows(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// OF-UNKNOWN-SIZE: func.func @of_unknown_size(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<?x?xf32> {wax.name = "x"}) -> tensor<?x?xf32> {
// OF-UNKNOWN-SIZE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG0]]) : (tensor<?x?xf32>) -> tensor<?x?xf32>
// OF-UNKNOWN-SIZE-NEXT: return %[[V0]] : tensor<?x?xf32>
func.func @of_unknown_size(%x: tensor<?xf32> {wax.name = "x"}) -> tensor<?xf32> {
  %0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// THE-SAME-FOR-ALL: func.func @the_same_for_all(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>) {
// THE-SAME-FOR-ALL-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG1]]) : (tensor<3xf32>) -> tensor<3xf32>
// THE-SAME-FOR-ALL-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast arith.addf(%[[ARG0]][0, 1], %[[V0]][1]) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
// THE-SAME-FOR-ALL-NEXT: return %[[V0]], %[[V1]] : tensor<3xf32>, tensor<4x3xf32>
// What does not depend on the rows is computed once.
func.func @the_same_for_all(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = wax.map math.exp(%y) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = wax.broadcast arith.addf(%x[0], %0[0]) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// REPEATED-AT-THE-EDGE: func.func @repeated_at_the_edge(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xf32>) -> tensor<4x3xf32> {
// REPEATED-AT-THE-EDGE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG1]]) : (tensor<3xf32>) -> tensor<3xf32>
// REPEATED-AT-THE-EDGE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V0]][1]) sizes [4] : (tensor<3xf32>) -> tensor<4x3xf32> {
// REPEATED-AT-THE-EDGE-NEXT: wax.yield %[[A]] : f32
// REPEATED-AT-THE-EDGE-NEXT: }
// REPEATED-AT-THE-EDGE-NEXT: return %[[V1]] : tensor<4x3xf32>
func.func @repeated_at_the_edge(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = wax.map math.exp(%y) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
