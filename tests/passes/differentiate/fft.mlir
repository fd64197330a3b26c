// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=reverse_mode" | FileCheck %s --check-prefix=REVERSE-MODE

// REVERSE-MODE: func.func @reverse_mode(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<8xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<5xcomplex<f32>>) -> (tensor<5xcomplex<f32>>, tensor<8xf32>) {
// REVERSE-MODE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.fft %[[ARG0]] over [0] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
// REVERSE-MODE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.iota along 0 : tensor<5xi64>
// REVERSE-MODE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[V1]][0]) : (tensor<5xcomplex<f32>>, tensor<5xi64>) -> tensor<5xcomplex<f32>> {
// REVERSE-MODE-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [5.000000e-01 : f32, 0.000000e+00 : f32] : complex<f32>
// REVERSE-MODE-NEXT: %[[C4_I64:[a-zA-Z0-9_]+]] = arith.constant 4 : i64
// REVERSE-MODE-NEXT: %[[C0_I64:[a-zA-Z0-9_]+]] = arith.constant 0 : i64
// REVERSE-MODE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpi eq, %[[B]], %[[C0_I64]] : i64
// REVERSE-MODE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.cmpi eq, %[[B]], %[[C4_I64]] : i64
// REVERSE-MODE-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.ori %[[V4]], %[[V5]] : i1
// REVERSE-MODE-NEXT: %[[V7:[a-zA-Z0-9_]+]] = complex.mul %[[A]], %[[CST]] : complex<f32>
// REVERSE-MODE-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.select %[[V6]], %[[A]], %[[V7]] : complex<f32>
// REVERSE-MODE-NEXT: wax.yield %[[V8]] : complex<f32>
// REVERSE-MODE-NEXT: }
// REVERSE-MODE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.fft %[[V2]] over [0] length 8 : (tensor<5xcomplex<f32>>) -> tensor<8xf32>
// REVERSE-MODE-NEXT: return %[[V0]], %[[V3]] : tensor<5xcomplex<f32>>, tensor<8xf32>
func.func @reverse_mode(%x: tensor<8xf32>) -> tensor<5xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
