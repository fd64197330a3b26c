// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=bias_is_summed_over_rows" | FileCheck %s --check-prefix=BIAS-IS-SUMMED-OVER-ROWS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse arguments=1 function=halves_are_summed_in_f32" | FileCheck %s --check-prefix=HALVES-ARE-SUMMED-IN-F32
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=choice" | FileCheck %s --check-prefix=CHOICE
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=product_forward" | FileCheck %s --check-prefix=PRODUCT-FORWARD

// BIAS-IS-SUMMED-OVER-ROWS: func.func @bias_is_summed_over_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) {
// BIAS-IS-SUMMED-OVER-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// BIAS-IS-SUMMED-OVER-ROWS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast arith.addf(%[[ARG0]][0, 1], %[[ARG1]][1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// BIAS-IS-SUMMED-OVER-ROWS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[ARG2]]) over [0] init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
// BIAS-IS-SUMMED-OVER-ROWS-NEXT: return %[[V1]], %[[ARG2]], %[[V2]] : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>
func.func @bias_is_summed_over_rows(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = wax.broadcast arith.addf(%x[0, 1], %b[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// HALVES-ARE-SUMMED-IN-F32: func.func @halves_are_summed_in_f32(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x8xbf16>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<bf16>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<bf16>) {
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast arith.mulf(%[[ARG0]][0, 1], %[[ARG1]][]) : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0, 1], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0, 1]) : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xf32> {
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[A]] : bf16
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.extf %[[V5]] : bf16 to f32
// HALVES-ARE-SUMMED-IN-F32-NEXT: wax.yield %[[V6]] : f32
// HALVES-ARE-SUMMED-IN-F32-NEXT: }
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V2]]) over [0, 1] init(%[[V0]]) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
// HALVES-ARE-SUMMED-IN-F32-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.map arith.truncf(%[[V3]]) : (tensor<f32>) -> tensor<bf16>
// HALVES-ARE-SUMMED-IN-F32-NEXT: return %[[V1]], %[[V4]] : tensor<4x8xbf16>, tensor<bf16>
func.func @halves_are_summed_in_f32(%x: tensor<4x8xbf16>, %s: tensor<bf16>) -> tensor<4x8xbf16> {
  %0 = wax.broadcast arith.mulf(%x[0, 1], %s[]) : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHOICE: func.func @choice(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xi1>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<f32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
// CHOICE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// CHOICE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast arith.select(%[[ARG0]][0], %[[ARG1]][0], %[[ARG2]][]) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHOICE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG3]][0]) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32> {
// CHOICE-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// CHOICE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[A]], %[[B]], %[[CST]] : f32
// CHOICE-NEXT: wax.yield %[[V5]] : f32
// CHOICE-NEXT: }
// CHOICE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG3]][0]) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32> {
// CHOICE-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// CHOICE-NEXT: %[[V5]] = arith.select %[[A]], %[[CST]], %[[B]] : f32
// CHOICE-NEXT: wax.yield %[[V5]] : f32
// CHOICE-NEXT: }
// CHOICE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = wax.reduce arith.addf(%[[V3]]) over [0] init(%[[V0]]) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
// CHOICE-NEXT: return %[[V1]], %[[V2]], %[[V4]] : tensor<4xf32>, tensor<4xf32>, tensor<f32>
func.func @choice(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.select(%c[0], %x[0], %y[]) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// PRODUCT-FORWARD: func.func @product_forward(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG3:[a-zA-Z0-9_]+]]: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// PRODUCT-FORWARD-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.mulf(%[[ARG0]][0], %[[ARG1]][1]) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// PRODUCT-FORWARD-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][1], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0], %[[D:[a-zA-Z0-9_]+]] = %[[ARG3]][1]) : (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
// PRODUCT-FORWARD-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[B]] : f32
// PRODUCT-FORWARD-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[D]], %[[A]] : f32
// PRODUCT-FORWARD-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.addf %[[V2]], %[[V3]] : f32
// PRODUCT-FORWARD-NEXT: wax.yield %[[V4]] : f32
// PRODUCT-FORWARD-NEXT: }
// PRODUCT-FORWARD-NEXT: return %[[V0]], %[[V1]] : tensor<4x8xf32>, tensor<4x8xf32>
func.func @product_forward(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = wax.broadcast arith.mulf(%x[0], %y[1]) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
