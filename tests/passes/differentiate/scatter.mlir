// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=added" | FileCheck %s --check-prefix=ADDED
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=set" | FileCheck %s --check-prefix=SET

// ADDED: func.func @added(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<3xi32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>) {
// ADDED-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<8> : tensor<i64>
// ADDED-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.scatter arith.addf(%[[ARG0]]) into(%[[ARG1]])[%[[ARG2]][0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32>
// ADDED-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.gather %[[ARG3]][%[[ARG2]][0]] : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
// ADDED-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[V2]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0], %[[C:[a-zA-Z0-9_]+]] = %[[V0]][]) : (tensor<3xf32>, tensor<3xi32>, tensor<i64>) -> tensor<3xf32> {
// ADDED-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// ADDED-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.extsi %[[B]] : i32 to i64
// ADDED-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.cmpi ult, %[[V4]], %[[C]] : i64
// ADDED-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.select %[[V5]], %[[A]], %[[CST]] : f32
// ADDED-NEXT: wax.yield %[[V6]] : f32
// ADDED-NEXT: }
// ADDED-NEXT: return %[[V1]], %[[V3]], %[[ARG3]] : tensor<8xf32>, tensor<3xf32>, tensor<8xf32>
func.func @added(%u: tensor<3xf32>, %x: tensor<8xf32>, %i: tensor<3xi32>) -> tensor<8xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// SET: func.func @set(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<3xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<3xi32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>) {
// SET-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<3xf32>
// SET-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0> : tensor<8xi64>
// SET-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.constant dense<8> : tensor<i64>
// SET-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.scatter (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]]) into(%[[ACC:[a-zA-Z0-9_]+]] = %[[ARG1]])[%[[ARG2]][0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32> {
// SET-NEXT: wax.yield %[[A]] : f32
// SET-NEXT: }
// SET-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<3xi64>
// SET-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.scatter (%[[A]] = %[[V4]]) into(%[[ACC]] = %[[V1]])[%[[ARG2]][0]] : (tensor<3xi64>, tensor<8xi64>, tensor<3xi32>) -> tensor<8xi64> {
// SET-NEXT: wax.yield %[[A]] : i64
// SET-NEXT: }
// SET-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.gather %[[V5]][%[[ARG2]][0]] : (tensor<8xi64>, tensor<3xi32>) -> tensor<3xi64>
// SET-NEXT: %[[V7:[a-zA-Z0-9_]+]] = wax.gather %[[ARG3]][%[[ARG2]][0]] : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
// SET-NEXT: %[[V8:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[V7]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0], %[[C:[a-zA-Z0-9_]+]] = %[[V2]][], %[[D:[a-zA-Z0-9_]+]] = %[[V4]][0], %[[E:[a-zA-Z0-9_]+]] = %[[V6]][0]) : (tensor<3xf32>, tensor<3xi32>, tensor<i64>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xf32> {
// SET-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// SET-NEXT: %[[V10:[a-zA-Z0-9_]+]] = arith.extsi %[[B]] : i32 to i64
// SET-NEXT: %[[V11:[a-zA-Z0-9_]+]] = arith.cmpi ult, %[[V10]], %[[C]] : i64
// SET-NEXT: %[[V12:[a-zA-Z0-9_]+]] = arith.cmpi eq, %[[D]], %[[E]] : i64
// SET-NEXT: %[[V13:[a-zA-Z0-9_]+]] = arith.andi %[[V11]], %[[V12]] : i1
// SET-NEXT: %[[V14:[a-zA-Z0-9_]+]] = arith.select %[[V13]], %[[A]], %[[CST]] : f32
// SET-NEXT: wax.yield %[[V14]] : f32
// SET-NEXT: }
// SET-NEXT: %[[V9:[a-zA-Z0-9_]+]] = wax.scatter (%[[A]] = %[[V0]]) into(%[[ACC]] = %[[ARG3]])[%[[ARG2]][0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32> {
// SET-NEXT: wax.yield %[[A]] : f32
// SET-NEXT: }
// SET-NEXT: return %[[V3]], %[[V8]], %[[V9]] : tensor<8xf32>, tensor<3xf32>, tensor<8xf32>
func.func @set(%u: tensor<3xf32>, %x: tensor<8xf32>, %i: tensor<3xi32>) -> tensor<8xf32> {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<3xf32>, tensor<8xf32>, tensor<3xi32>) -> tensor<8xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<8xf32>
}
