// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @some_dims
// CHECK: wax.reverse %{{.*}} dims [0, 2] {note} : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
func.func @some_dims(%x: tensor<4x?x3xf32>) -> tensor<4x?x3xf32> {
  %0 = wax.reverse %x dims [0, 2] {note} : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  return %0 : tensor<4x?x3xf32>
}

// CHECK-LABEL: func.func @rank_zero
// CHECK: wax.reverse %{{.*}} dims [] : (tensor<i1>) -> tensor<i1>
func.func @rank_zero(%x: tensor<i1>) -> tensor<i1> {
  %0 = wax.reverse %x dims [] : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}
