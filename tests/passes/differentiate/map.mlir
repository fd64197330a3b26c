// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sine" | FileCheck %s --check-prefix=SINE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=sine_forward" | FileCheck %s --check-prefix=SINE-FORWARD
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=conversions_stop_at_integers" | FileCheck %s --check-prefix=CONVERSIONS-STOP-AT-INTEGERS

// SINE: func.func @sine(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x?xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
// SINE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.sin(%[[ARG0]]) : (tensor<4x?xf32>) -> tensor<4x?xf32>
// SINE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0, 1], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0, 1]) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32> {
// SINE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.cos %[[A]] : f32
// SINE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// SINE-NEXT: wax.yield %[[V3]] : f32
// SINE-NEXT: }
// SINE-NEXT: return %[[V0]], %[[V1]] : tensor<4x?xf32>, tensor<4x?xf32>
func.func @sine(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.map math.sin(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// SINE-FORWARD: func.func @sine_forward(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// SINE-FORWARD-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.sin(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// SINE-FORWARD-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// SINE-FORWARD-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.cos %[[A]] : f32
// SINE-FORWARD-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// SINE-FORWARD-NEXT: wax.yield %[[V3]] : f32
// SINE-FORWARD-NEXT: }
// SINE-FORWARD-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @sine_forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CONVERSIONS-STOP-AT-INTEGERS: func.func @conversions_stop_at_integers(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xbf16>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xbf16>) {
// CONVERSIONS-STOP-AT-INTEGERS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map arith.extf(%[[ARG0]]) : (tensor<4xbf16>) -> tensor<4xf32>
// CONVERSIONS-STOP-AT-INTEGERS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map arith.fptosi(%[[ARG0]]) : (tensor<4xbf16>) -> tensor<4xi32>
// CONVERSIONS-STOP-AT-INTEGERS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.map arith.truncf(%[[ARG1]]) : (tensor<4xf32>) -> tensor<4xbf16>
// CONVERSIONS-STOP-AT-INTEGERS-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xi32>, tensor<4xbf16>
func.func @conversions_stop_at_integers(%x: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = wax.map arith.extf(%x) : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = wax.map arith.fptosi(%x) : (tensor<4xbf16>) -> tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}
