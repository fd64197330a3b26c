// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=callees_are_inlined" | FileCheck %s --check-prefix=CALLEES-ARE-INLINED
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=what_nothing_reaches_is_zero" | FileCheck %s --check-prefix=WHAT-NOTHING-REACHES-IS-ZERO
// RUN: wax-opt %s "--wax-differentiate=mode=reverse arguments=1 function=chosen_argument" | FileCheck %s --check-prefix=CHOSEN-ARGUMENT

// CALLEES-ARE-INLINED: func.func @callees_are_inlined(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CALLEES-ARE-INLINED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32> {
// CALLEES-ARE-INLINED-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[A]] : f32
// CALLEES-ARE-INLINED-NEXT: wax.yield %[[V4]] : f32
// CALLEES-ARE-INLINED-NEXT: }
// CALLEES-ARE-INLINED-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map (%[[A]] = %[[V0]]) : (tensor<4xf32>) -> tensor<4xf32> {
// CALLEES-ARE-INLINED-NEXT: %[[V4]] = arith.addf %[[A]], %[[A]] : f32
// CALLEES-ARE-INLINED-NEXT: wax.yield %[[V4]] : f32
// CALLEES-ARE-INLINED-NEXT: }
// CALLEES-ARE-INLINED-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.map (%[[A]] = %[[ARG1]]) : (tensor<4xf32>) -> tensor<4xf32> {
// CALLEES-ARE-INLINED-NEXT: %[[V4]] = arith.addf %[[A]], %[[A]] : f32
// CALLEES-ARE-INLINED-NEXT: wax.yield %[[V4]] : f32
// CALLEES-ARE-INLINED-NEXT: }
// CALLEES-ARE-INLINED-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.map (%[[A]] = %[[V2]]) : (tensor<4xf32>) -> tensor<4xf32> {
// CALLEES-ARE-INLINED-NEXT: %[[V4]] = arith.addf %[[A]], %[[A]] : f32
// CALLEES-ARE-INLINED-NEXT: wax.yield %[[V4]] : f32
// CALLEES-ARE-INLINED-NEXT: }
// CALLEES-ARE-INLINED-NEXT: return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = arith.addf %a, %a : f32
    wax.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}
func.func @callees_are_inlined(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// WHAT-NOTHING-REACHES-IS-ZERO: func.func @what_nothing_reaches_is_zero(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<2xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
// WHAT-NOTHING-REACHES-IS-ZERO-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<2xf32>
// WHAT-NOTHING-REACHES-IS-ZERO-NEXT: return %[[ARG0]], %[[ARG2]], %[[V0]] : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
func.func @what_nothing_reaches_is_zero(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHOSEN-ARGUMENT: func.func @chosen_argument(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHOSEN-ARGUMENT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.mulf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHOSEN-ARGUMENT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// CHOSEN-ARGUMENT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[A]] : f32
// CHOSEN-ARGUMENT-NEXT: wax.yield %[[V2]] : f32
// CHOSEN-ARGUMENT-NEXT: }
// CHOSEN-ARGUMENT-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @chosen_argument(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
