// RUN: wax-opt %s "--wax-batch=function=of_rows size=4" | FileCheck %s --check-prefix=OF-ROWS

// OF-ROWS: func.func @of_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
// OF-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<f32>
// OF-ROWS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.scan arith.addf(%[[ARG0]]) along 2 exclusive reverse init(%[[V0]]) : (tensor<4x3x5xf32>, tensor<f32>) -> tensor<4x3x5xf32>
// OF-ROWS-NEXT: return %[[V1]] : tensor<4x3x5xf32>
func.func @of_rows(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan arith.addf(%x) along 1 exclusive reverse init(%zero) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
