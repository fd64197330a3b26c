// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sum" | FileCheck %s --check-prefix=SUM
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=maximum" | FileCheck %s --check-prefix=MAXIMUM
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=maximum_forward" | FileCheck %s --check-prefix=MAXIMUM-FORWARD
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=product_of_two_dims" | FileCheck %s --check-prefix=PRODUCT-OF-TWO-DIMS
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=product_forward" | FileCheck %s --check-prefix=PRODUCT-FORWARD

// SUM: func.func @sum(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x?xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x?xf32>) {
// SUM-NEXT: %[[C1:[a-zA-Z0-9_]+]] = arith.constant 1 : index
// SUM-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// SUM-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[ARG0]]) over [1] init(%[[V0]]) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
// SUM-NEXT: %[[DIM:[a-zA-Z0-9_]+]] = tensor.dim %[[ARG0]], %[[C1]] : tensor<4x?xf32>
// SUM-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) sizes [%[[DIM]]] : (tensor<4xf32>) -> tensor<4x?xf32> {
// SUM-NEXT: wax.yield %[[A]] : f32
// SUM-NEXT: }
// SUM-NEXT: return %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4x?xf32>
func.func @sum(%x: tensor<4x?xf32>) -> tensor<4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// MAXIMUM: func.func @maximum(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
// MAXIMUM-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// MAXIMUM-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0xFF800000> : tensor<f32>
// MAXIMUM-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reduce arith.maximumf(%[[ARG0]]) over [1] init(%[[V1]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// MAXIMUM-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0, 1], %[[B:[a-zA-Z0-9_]+]] = %[[V2]][0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
// MAXIMUM-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// MAXIMUM-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// MAXIMUM-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MAXIMUM-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.select %[[V7]], %[[CST_0]], %[[CST]] : f32
// MAXIMUM-NEXT: wax.yield %[[V8]] : f32
// MAXIMUM-NEXT: }
// MAXIMUM-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V3]]) over [1] init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// MAXIMUM-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.broadcast arith.divf(%[[ARG1]][0], %[[V4]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// MAXIMUM-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0, 1], %[[B]] = %[[V2]][0], %[[C:[a-zA-Z0-9_]+]] = %[[V5]][0]) : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
// MAXIMUM-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// MAXIMUM-NEXT: %[[V7]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MAXIMUM-NEXT: %[[V8]] = arith.select %[[V7]], %[[C]], %[[CST]] : f32
// MAXIMUM-NEXT: wax.yield %[[V8]] : f32
// MAXIMUM-NEXT: }
// MAXIMUM-NEXT: return %[[V2]], %[[V6]] : tensor<4xf32>, tensor<4x8xf32>
func.func @maximum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// MAXIMUM-FORWARD: func.func @maximum_forward(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// MAXIMUM-FORWARD-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// MAXIMUM-FORWARD-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0xFF800000> : tensor<f32>
// MAXIMUM-FORWARD-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reduce arith.maximumf(%[[ARG0]]) over [1] init(%[[V1]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// MAXIMUM-FORWARD-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0, 1], %[[B:[a-zA-Z0-9_]+]] = %[[V2]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG1]][0, 1]) : (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> {
// MAXIMUM-FORWARD-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// MAXIMUM-FORWARD-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MAXIMUM-FORWARD-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.select %[[V8]], %[[C]], %[[CST]] : f32
// MAXIMUM-FORWARD-NEXT: wax.yield %[[V9]] : f32
// MAXIMUM-FORWARD-NEXT: }
// MAXIMUM-FORWARD-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V3]]) over [1] init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// MAXIMUM-FORWARD-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0, 1], %[[B]] = %[[V2]][0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
// MAXIMUM-FORWARD-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// MAXIMUM-FORWARD-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// MAXIMUM-FORWARD-NEXT: %[[V8]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MAXIMUM-FORWARD-NEXT: %[[V9]] = arith.select %[[V8]], %[[CST_0]], %[[CST]] : f32
// MAXIMUM-FORWARD-NEXT: wax.yield %[[V9]] : f32
// MAXIMUM-FORWARD-NEXT: }
// MAXIMUM-FORWARD-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V5]]) over [1] init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
// MAXIMUM-FORWARD-NEXT: %[[V7:[a-zA-Z0-9_]+]] = wax.broadcast arith.divf(%[[V4]][0], %[[V6]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// MAXIMUM-FORWARD-NEXT: return %[[V2]], %[[V7]] : tensor<4xf32>, tensor<4xf32>
func.func @maximum_forward(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// PRODUCT-OF-TWO-DIMS: func.func @product_of_two_dims(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8x2xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<4x8x2xf32>) {
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<8> : tensor<i64>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.constant dense<1.000000e+00> : tensor<f32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.reduce arith.mulf(%[[ARG0]]) over [0, 2] init(%[[V2]]) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<8xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.permute %[[ARG0]] [1, 0, 2] : (tensor<4x8x2xf32>) -> tensor<8x4x2xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.reshape %[[V4]] {{\[\[}}0], [1, 2]] into {{\[\[}}0], [1]] : (tensor<8x4x2xf32>) -> tensor<8x8xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<8xi64>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V7:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V6]][1], %[[C:[a-zA-Z0-9_]+]] = %[[V1]][]) : (tensor<8xf32>, tensor<8xi64>, tensor<i64>) -> tensor<8x8xf32> {
// PRODUCT-OF-TWO-DIMS-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// PRODUCT-OF-TWO-DIMS-NEXT: %[[C1_I64:[a-zA-Z0-9_]+]] = arith.constant 1 : i64
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V13:[a-zA-Z0-9_]+]] = arith.addi %[[B]], %[[C1_I64]] : i64
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V14:[a-zA-Z0-9_]+]] = arith.cmpi eq, %[[V13]], %[[C]] : i64
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V15:[a-zA-Z0-9_]+]] = arith.select %[[V14]], %[[A]], %[[CST]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: wax.yield %[[V15]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: }
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V8:[a-zA-Z0-9_]+]] = wax.scan arith.mulf(%[[V5]]) along 1 exclusive init(%[[V2]]) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V9:[a-zA-Z0-9_]+]] = wax.scan (%[[A]] = %[[V5]], %[[B]] = %[[V7]]) along 1 exclusive reverse init(%[[ACC:[a-zA-Z0-9_]+]] = %[[V0]]) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32> {
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V13]] = arith.addf %[[ACC]], %[[B]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V14]] = arith.mulf %[[V13]], %[[A]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: wax.yield %[[V14]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: }
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V10:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[V8]][0, 1], %[[B]] = %[[V7]][0, 1], %[[C]] = %[[V9]][0, 1]) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V13]] = arith.addf %[[C]], %[[B]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V14]] = arith.mulf %[[V13]], %[[A]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: wax.yield %[[V14]] : f32
// PRODUCT-OF-TWO-DIMS-NEXT: }
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V11:[a-zA-Z0-9_]+]] = wax.reshape %[[V10]] {{\[\[}}0], [1]] into {{\[\[}}0], [1, 2]] : (tensor<8x8xf32>) -> tensor<8x4x2xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: %[[V12:[a-zA-Z0-9_]+]] = wax.permute %[[V11]] [1, 0, 2] : (tensor<8x4x2xf32>) -> tensor<4x8x2xf32>
// PRODUCT-OF-TWO-DIMS-NEXT: return %[[V3]], %[[V12]] : tensor<8xf32>, tensor<4x8x2xf32>
func.func @product_of_two_dims(%x: tensor<4x8x2xf32>) -> tensor<8xf32> {
  %one = wax.constant dense<1.0> : tensor<f32>
  %0 = wax.reduce arith.mulf(%x) over [0, 2] init(%one) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// PRODUCT-FORWARD: func.func @product_forward(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
// PRODUCT-FORWARD-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<1.000000e+00> : tensor<f32>
// PRODUCT-FORWARD-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// PRODUCT-FORWARD-NEXT: %[[V2:[a-zA-Z0-9_]+]]:2 = wax.reduce (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]]) over [0] init(%[[ACC:[a-zA-Z0-9_]+]] = %[[V0]], %[[ACC_0:[a-zA-Z0-9_]+]] = %[[V1]]) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// PRODUCT-FORWARD-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[ACC]] : f32
// PRODUCT-FORWARD-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[ACC]] : f32
// PRODUCT-FORWARD-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[ACC_0]], %[[A]] : f32
// PRODUCT-FORWARD-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.addf %[[V4]], %[[V5]] : f32
// PRODUCT-FORWARD-NEXT: wax.yield %[[V3]], %[[V6]] : f32, f32
// PRODUCT-FORWARD-NEXT: } combine (%[[ACC]], %[[ACC_0]], %[[ACC_1:[a-zA-Z0-9_]+]], %[[ACC_2:[a-zA-Z0-9_]+]]) {
// PRODUCT-FORWARD-NEXT: %[[V3]] = arith.mulf %[[ACC]], %[[ACC_1]] : f32
// PRODUCT-FORWARD-NEXT: %[[V4]] = arith.mulf %[[ACC_0]], %[[ACC_1]] : f32
// PRODUCT-FORWARD-NEXT: %[[V5]] = arith.mulf %[[ACC_2]], %[[ACC]] : f32
// PRODUCT-FORWARD-NEXT: %[[V6]] = arith.addf %[[V4]], %[[V5]] : f32
// PRODUCT-FORWARD-NEXT: wax.yield %[[V3]], %[[V6]] : f32, f32
// PRODUCT-FORWARD-NEXT: }
// PRODUCT-FORWARD-NEXT: return %[[V2]]#0, %[[V2]]#1 : tensor<f32>, tensor<f32>
func.func @product_forward(%x: tensor<8xf32>) -> tensor<f32> {
  %one = wax.constant dense<1.0> : tensor<f32>
  %0 = wax.reduce arith.mulf(%x) over [0] init(%one) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
