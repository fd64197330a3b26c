// RUN: wax-opt %s "--wax-batch=function=with_places size=4" | FileCheck %s --check-prefix=WITH-PLACES

// WITH-PLACES: func.func @with_places(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
// WITH-PLACES-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.iota along 1 : tensor<4x8xi32>
// WITH-PLACES-NEXT: %[[V1:[a-zA-Z0-9_]+]]:2 = wax.sort (%[[A:[a-zA-Z0-9_]+]], %[[B:[a-zA-Z0-9_]+]] = %[[ARG0]], %[[C:[a-zA-Z0-9_]+]], %[[D:[a-zA-Z0-9_]+]] = %[[V0]]) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
// WITH-PLACES-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// WITH-PLACES-NEXT: wax.yield %[[V2]] : i1
// WITH-PLACES-NEXT: }
// WITH-PLACES-NEXT: return %[[V1]]#0, %[[V1]]#1 : tensor<4x8xf32>, tensor<4x8xi32>
func.func @with_places(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %n = wax.iota along 0 : tensor<8xi32>
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 0 : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
    %before = arith.cmpf olt, %a, %b : f32
    wax.yield %before : i1
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
