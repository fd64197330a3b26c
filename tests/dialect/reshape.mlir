// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @split_and_merge
// CHECK: wax.reshape %{{.*}} {{\[}}[0], [1, 2]] into {{\[}}[0, 1], [2]] : (tensor<6x4x?xf32>) -> tensor<2x3x?xf32>
func.func @split_and_merge(%x: tensor<6x4x?xf32>) -> tensor<2x3x?xf32> {
  %0 = wax.reshape %x [[0], [1, 2]] into [[0, 1], [2]] : (tensor<6x4x?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

// CHECK-LABEL: func.func @dims_of_one_element
// CHECK: wax.reshape %{{.*}} {{\[}}[], [0], [1]] into {{\[}}[0], [1], []] : (tensor<?x1xi8>) -> tensor<1x?xi8>
func.func @dims_of_one_element(%x: tensor<?x1xi8>) -> tensor<1x?xi8> {
  %0 = wax.reshape %x [[], [0], [1]] into [[0], [1], []] : (tensor<?x1xi8>) -> tensor<1x?xi8>
  return %0 : tensor<1x?xi8>
}

// CHECK-LABEL: func.func @rank_zero
// CHECK: wax.reshape %{{.*}} [] into [] : (tensor<f16>) -> tensor<f16>
// CHECK: wax.reshape %{{.*}} {{\[}}[]] into {{\[}}[0]] : (tensor<f16>) -> tensor<1xf16>
func.func @rank_zero(%x: tensor<f16>) {
  %0 = wax.reshape %x [] into [] : (tensor<f16>) -> tensor<f16>
  %1 = wax.reshape %x [[]] into [[0]] : (tensor<f16>) -> tensor<1xf16>
  return
}

// CHECK-LABEL: func.func @sizes_of_a_split
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK: wax.reshape %[[X]] {{\[}}[0]] into {{\[}}[0, 1]] sizes [%[[N]]] {note} : (tensor<?xf32>) -> tensor<?x4xf32>
func.func @sizes_of_a_split(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = wax.reshape %x [[0]] into [[0, 1]] sizes [%n] {note} : (tensor<?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @no_element
// CHECK: (tensor<0x3xf32>) -> tensor<7x0xf32>
func.func @no_element(%x: tensor<0x3xf32>) -> tensor<7x0xf32> {
  %0 = wax.reshape %x [[0, 1]] into [[0, 1]] : (tensor<0x3xf32>) -> tensor<7x0xf32>
  return %0 : tensor<7x0xf32>
}
