// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK: wax.fft %{{.*}} over [1] {note} : (tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
func.func @forward(%x: tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>> {
  %0 = wax.fft %x over [1] {note} : (tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return %0 : tensor<?x8xcomplex<f32>>
}

// CHECK-LABEL: func.func @back
// CHECK: wax.fft inverse %{{.*}} over [2, 0] : (tensor<4x?x8xcomplex<f64>>) -> tensor<4x?x8xcomplex<f64>>
func.func @back(%x: tensor<4x?x8xcomplex<f64>>) -> tensor<4x?x8xcomplex<f64>> {
  %0 = wax.fft inverse %x over [2, 0] : (tensor<4x?x8xcomplex<f64>>) -> tensor<4x?x8xcomplex<f64>>
  return %0 : tensor<4x?x8xcomplex<f64>>
}

// CHECK-LABEL: func.func @real_operand
// CHECK: wax.fft %{{.*}} over [0, 1] : (tensor<6x9xf64>) -> tensor<6x5xcomplex<f64>>
func.func @real_operand(%x: tensor<6x9xf64>) -> tensor<6x5xcomplex<f64>> {
  %0 = wax.fft %x over [0, 1] : (tensor<6x9xf64>) -> tensor<6x5xcomplex<f64>>
  return %0 : tensor<6x5xcomplex<f64>>
}

// CHECK-LABEL: func.func @real_result
// CHECK: wax.fft inverse %{{.*}} over [0, 1] length 9 : (tensor<6x5xcomplex<f64>>) -> tensor<6x9xf64>
func.func @real_result(%x: tensor<6x5xcomplex<f64>>) -> tensor<6x9xf64> {
  %0 = wax.fft inverse %x over [0, 1] length 9 : (tensor<6x5xcomplex<f64>>) -> tensor<6x9xf64>
  return %0 : tensor<6x9xf64>
}

// CHECK-LABEL: func.func @of_nothing
// CHECK: wax.fft %{{.*}} over [0] : (tensor<0xf32>) -> tensor<1xcomplex<f32>>
// CHECK: wax.fft %{{.*}} over [0] length 0 : (tensor<1xcomplex<f32>>) -> tensor<0xf32>
func.func @of_nothing(%x: tensor<0xf32>) -> tensor<0xf32> {
  %0 = wax.fft %x over [0] : (tensor<0xf32>) -> tensor<1xcomplex<f32>>
  %1 = wax.fft %0 over [0] length 0 : (tensor<1xcomplex<f32>>) -> tensor<0xf32>
  return %1 : tensor<0xf32>
}
