// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=forward_mode" | FileCheck %s --check-prefix=FORWARD-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4x8xf32>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.iota along 1 : tensor<4x8xi32>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]]:2 = wax.sort (%[[A:[a-zA-Z0-9_]+]], %[[B:[a-zA-Z0-9_]+]] = %[[ARG0]], %[[C:[a-zA-Z0-9_]+]], %[[D:[a-zA-Z0-9_]+]] = %[[V1]]) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
// REVERSE-MODE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// REVERSE-MODE-NEXT: wax.yield %[[V4]] : i1
// REVERSE-MODE-NEXT: }
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.scatter arith.addf(%[[ARG1]]) into(%[[V0]])[0, %[[V2]]#1[0, 1]] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
// REVERSE-MODE-NEXT: return %[[V2]]#0, %[[V3]] : tensor<4x8xf32>, tensor<4x8xf32>
func.func @reverse_mode(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = arith.cmpf olt, %a, %b : f32
    wax.yield %1 : i1
  }
  return %0 : tensor<4x8xf32>
}

// FORWARD-MODE: func.func @forward_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// FORWARD-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]]:2 = wax.sort (%[[A:[a-zA-Z0-9_]+]], %[[B:[a-zA-Z0-9_]+]] = %[[ARG0]], %[[C:[a-zA-Z0-9_]+]], %[[D:[a-zA-Z0-9_]+]] = %[[ARG1]]) along 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// FORWARD-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// FORWARD-MODE-NEXT: wax.yield %[[V1]] : i1
// FORWARD-MODE-NEXT: }
// FORWARD-MODE-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<4x8xf32>, tensor<4x8xf32>
func.func @forward_mode(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = arith.cmpf olt, %a, %b : f32
    wax.yield %1 : i1
  }
  return %0 : tensor<4x8xf32>
}
