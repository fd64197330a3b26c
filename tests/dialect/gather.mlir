// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @embedding
// CHECK: wax.gather %{{.*}}[%{{.*}}[0, 1], 2] : (tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<4x?x64xf32>
func.func @embedding(%table: tensor<1000x64xf32>, %ids: tensor<4x?xi32>) -> tensor<4x?x64xf32> {
  %0 = wax.gather %table[%ids[0, 1], 2] : (tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<4x?x64xf32>
  return %0 : tensor<4x?x64xf32>
}

// CHECK-LABEL: func.func @take_along_axis
// CHECK: wax.gather %{{.*}}[0, %{{.*}}[0, 1]] : (tensor<4x8xbf16>, tensor<4x2xi8>) -> tensor<4x2xbf16>
func.func @take_along_axis(%x: tensor<4x8xbf16>, %i: tensor<4x2xi8>) -> tensor<4x2xbf16> {
  %0 = wax.gather %x[0, %i[0, 1]] : (tensor<4x8xbf16>, tensor<4x2xi8>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// CHECK-LABEL: func.func @one_element
// CHECK: wax.gather %{{.*}}[%{{.*}}[], %{{.*}}[]] {note} : (tensor<4x8xf32>, tensor<i16>, tensor<i64>) -> tensor<f32>
func.func @one_element(%x: tensor<4x8xf32>, %i: tensor<i16>, %j: tensor<i64>) -> tensor<f32> {
  %0 = wax.gather %x[%i[], %j[]] {note} : (tensor<4x8xf32>, tensor<i16>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @no_index
// CHECK: wax.gather %{{.*}}[1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
func.func @no_index(%x: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %0 = wax.gather %x[1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// There is nothing to read, and nothing is read.
// CHECK-LABEL: func.func @nothing_from_nothing
// CHECK: (tensor<0xf32>, tensor<0xi32>) -> tensor<0xf32>
func.func @nothing_from_nothing(%x: tensor<0xf32>, %i: tensor<0xi32>) -> tensor<0xf32> {
  %0 = wax.gather %x[%i[0]] : (tensor<0xf32>, tensor<0xi32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
