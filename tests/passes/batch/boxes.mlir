// RUN: wax-opt %s "--wax-batch=function=a_box arguments=0 size=4" | FileCheck %s --check-prefix=A-BOX
// RUN: wax-opt %s "--wax-batch=function=a_box_elsewhere_in_each_row size=4" | FileCheck %s --check-prefix=A-BOX-ELSEWHERE-IN-EACH-ROW
// RUN: wax-opt %s "--wax-batch=function=boxes_of_one_operand arguments=1 size=4" | FileCheck %s --check-prefix=BOXES-OF-ONE-OPERAND
// RUN: wax-opt %s "--wax-batch=function=written arguments=0,1 size=4" | FileCheck %s --check-prefix=WRITTEN
// RUN: wax-opt %s "--wax-batch=function=written_elsewhere_in_each_row size=4" | FileCheck %s --check-prefix=WRITTEN-ELSEWHERE-IN-EACH-ROW

// A-BOX: func.func @a_box(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<i32>) -> tensor<4x3x5xf32> {
// A-BOX-NEXT: %[[EXTRACTED:[a-zA-Z0-9_]+]] = tensor.extract %[[ARG1]][] : tensor<i32>
// A-BOX-NEXT: %[[V0:[a-zA-Z0-9_]+]] = arith.index_cast %[[EXTRACTED]] : i32 to index
// A-BOX-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.slice %[[ARG0]] offsets [0, %[[V0]], 0] sizes [4, 3, 5] strides [1, 2, 1] : (tensor<4x9x5xf32>) -> tensor<4x3x5xf32>
// A-BOX-NEXT: return %[[V1]] : tensor<4x3x5xf32>
func.func @a_box(%x: tensor<9x5xf32>, %o: tensor<i32>) -> tensor<3x5xf32> {
  %e = tensor.extract %o[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %0 = wax.slice %x offsets [%i, 0] sizes [3, 5] strides [2, 1] : (tensor<9x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A-BOX-ELSEWHERE-IN-EACH-ROW: func.func @a_box_elsewhere_in_each_row(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xi32>) -> tensor<4x3x2xf32> {
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map arith.extsi(%[[ARG1]]) : (tensor<4xi32>) -> tensor<4xi64>
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.slice %[[ARG0]] offsets [0, 0, 1] sizes [4, 9, 2] strides [1, 1, 1] : (tensor<4x9x5xf32>) -> tensor<4x9x2xf32>
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<3xi64>
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V2]][1]) : (tensor<4xi64>, tensor<3xi64>) -> tensor<4x3xi32> {
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[C2_I64:[a-zA-Z0-9_]+]] = arith.constant 2 : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[C4_I64:[a-zA-Z0-9_]+]] = arith.constant 4 : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[C0_I64:[a-zA-Z0-9_]+]] = arith.constant 0 : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.maxsi %[[A]], %[[C0_I64]] : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.minsi %[[V5]], %[[C4_I64]] : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.muli %[[B]], %[[C2_I64]] : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.addi %[[V6]], %[[V7]] : i64
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.trunci %[[V8]] : i64 to i32
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: wax.yield %[[V9]] : i32
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: }
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.gather %[[V1]][0, %[[V3]][0, 1], 2] : (tensor<4x9x2xf32>, tensor<4x3xi32>) -> tensor<4x3x2xf32>
// A-BOX-ELSEWHERE-IN-EACH-ROW-NEXT: return %[[V4]] : tensor<4x3x2xf32>
func.func @a_box_elsewhere_in_each_row(%x: tensor<9x5xf32>, %o: tensor<i32>) -> tensor<3x2xf32> {
  %e = tensor.extract %o[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %0 = wax.slice %x offsets [%i, 1] sizes [3, 2] strides [2, 1] : (tensor<9x5xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// BOXES-OF-ONE-OPERAND: func.func @boxes_of_one_operand(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xi32>) -> tensor<4x3x5xf32> {
// BOXES-OF-ONE-OPERAND-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map arith.extsi(%[[ARG1]]) : (tensor<4xi32>) -> tensor<4xi64>
// BOXES-OF-ONE-OPERAND-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<3xi64>
// BOXES-OF-ONE-OPERAND-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V1]][1]) : (tensor<4xi64>, tensor<3xi64>) -> tensor<4x3xi32> {
// BOXES-OF-ONE-OPERAND-NEXT: %[[C6_I64:[a-zA-Z0-9_]+]] = arith.constant 6 : i64
// BOXES-OF-ONE-OPERAND-NEXT: %[[C0_I64:[a-zA-Z0-9_]+]] = arith.constant 0 : i64
// BOXES-OF-ONE-OPERAND-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.maxsi %[[A]], %[[C0_I64]] : i64
// BOXES-OF-ONE-OPERAND-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.minsi %[[V4]], %[[C6_I64]] : i64
// BOXES-OF-ONE-OPERAND-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.addi %[[V5]], %[[B]] : i64
// BOXES-OF-ONE-OPERAND-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.trunci %[[V6]] : i64 to i32
// BOXES-OF-ONE-OPERAND-NEXT: wax.yield %[[V7]] : i32
// BOXES-OF-ONE-OPERAND-NEXT: }
// BOXES-OF-ONE-OPERAND-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.gather %[[ARG0]][%[[V2]][0, 1], 2] : (tensor<9x5xf32>, tensor<4x3xi32>) -> tensor<4x3x5xf32>
// BOXES-OF-ONE-OPERAND-NEXT: return %[[V3]] : tensor<4x3x5xf32>
// The operand is not repeated.
func.func @boxes_of_one_operand(%x: tensor<9x5xf32>, %o: tensor<i32>) -> tensor<3x5xf32> {
  %e = tensor.extract %o[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %0 = wax.slice %x offsets [%i, 0] sizes [3, 5] strides [1, 1] : (tensor<9x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// WRITTEN: func.func @written(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x2xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<i32>) -> tensor<4x9xf32> {
// WRITTEN-NEXT: %[[EXTRACTED:[a-zA-Z0-9_]+]] = tensor.extract %[[ARG2]][] : tensor<i32>
// WRITTEN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = arith.index_cast %[[EXTRACTED]] : i32 to index
// WRITTEN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.insert %[[ARG1]] into %[[ARG0]] offsets [0, %[[V0]]] strides [1, 1] : (tensor<4x2xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
// WRITTEN-NEXT: return %[[V1]] : tensor<4x9xf32>
func.func @written(%x: tensor<9xf32>, %u: tensor<2xf32>, %o: tensor<i32>) -> tensor<9xf32> {
  %e = tensor.extract %o[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %0 = wax.insert %u into %x offsets [%i] strides [1] : (tensor<2xf32>, tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// WRITTEN-ELSEWHERE-IN-EACH-ROW: func.func @written_elsewhere_in_each_row(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x9x5xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x2x5xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xi32>) -> tensor<4x9x5xf32> {
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map arith.extsi(%[[ARG2]]) : (tensor<4xi32>) -> tensor<4xi64>
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<2xi64>
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V1]][1]) : (tensor<4xi64>, tensor<2xi64>) -> tensor<4x2xi32> {
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[C7_I64:[a-zA-Z0-9_]+]] = arith.constant 7 : i64
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[C0_I64:[a-zA-Z0-9_]+]] = arith.constant 0 : i64
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.maxsi %[[A]], %[[C0_I64]] : i64
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.minsi %[[V4]], %[[C7_I64]] : i64
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.addi %[[V5]], %[[B]] : i64
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.trunci %[[V6]] : i64 to i32
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: wax.yield %[[V7]] : i32
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: }
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.scatter (%[[A]] = %[[ARG1]]) into(%[[ACC:[a-zA-Z0-9_]+]] = %[[ARG0]])[0, %[[V2]][0, 1], 2] : (tensor<4x2x5xf32>, tensor<4x9x5xf32>, tensor<4x2xi32>) -> tensor<4x9x5xf32> {
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: wax.yield %[[A]] : f32
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: }
// WRITTEN-ELSEWHERE-IN-EACH-ROW-NEXT: return %[[V3]] : tensor<4x9x5xf32>
func.func @written_elsewhere_in_each_row(%x: tensor<9x5xf32>, %u: tensor<2x5xf32>, %o: tensor<i32>) -> tensor<9x5xf32> {
  %e = tensor.extract %o[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %0 = wax.insert %u into %x offsets [%i, 0] strides [1, 1] : (tensor<2x5xf32>, tensor<9x5xf32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}
