// RUN: wax-opt %s "--wax-batch=function=of_rows size=4" | FileCheck %s --check-prefix=OF-ROWS

// OF-ROWS: func.func @of_rows(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4x3x8xf32>) -> tensor<4x3x5xcomplex<f32>> {
// OF-ROWS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.fft %[[ARG0]] over [2] : (tensor<4x3x8xf32>) -> tensor<4x3x5xcomplex<f32>>
// OF-ROWS-NEXT: return %[[V0]] : tensor<4x3x5xcomplex<f32>>
func.func @of_rows(%x: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return %0 : tensor<3x5xcomplex<f32>>
}
