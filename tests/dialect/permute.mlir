// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @transpose
// CHECK: wax.permute %{{.*}} [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
func.func @transpose(%x: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %0 = wax.permute %x [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @rank_zero
// CHECK: wax.permute %{{.*}} [] : (tensor<i1>) -> tensor<i1>
func.func @rank_zero(%x: tensor<i1>) -> tensor<i1> {
  %0 = wax.permute %x [] : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @three_dims
// CHECK: wax.permute %{{.*}} [2, 0, 1] {note} : (tensor<0x3x5xcomplex<f64>>) -> tensor<5x0x3xcomplex<f64>>
func.func @three_dims(%x: tensor<0x3x5xcomplex<f64>>) -> tensor<5x0x3xcomplex<f64>> {
  %0 = wax.permute %x [2, 0, 1] {note} : (tensor<0x3x5xcomplex<f64>>) -> tensor<5x0x3xcomplex<f64>>
  return %0 : tensor<5x0x3xcomplex<f64>>
}
