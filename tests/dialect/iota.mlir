// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @static_sizes
// CHECK: wax.iota along 1 : tensor<4x8xi32>
func.func @static_sizes() -> tensor<4x8xi32> {
  %0 = wax.iota along 1 : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: wax.iota along 0 sizes [%[[N]], %[[M]]] {note} : tensor<?x0x?xbf16>
func.func @dynamic_sizes(%n: index, %m: index) -> tensor<?x0x?xbf16> {
  %0 = wax.iota along 0 sizes [%n, %m] {note} : tensor<?x0x?xbf16>
  return %0 : tensor<?x0x?xbf16>
}
