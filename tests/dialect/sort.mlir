// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @one
// CHECK: %{{.*}} = wax.sort (%[[A:.*]], %[[B:.*]] = %{{.*}}) along 0 {note} : (tensor<?xi8>) -> tensor<?xi8> {
// CHECK:   %[[L:.*]] = arith.cmpi slt, %[[A]], %[[B]] : i8
// CHECK:   wax.yield %[[L]] : i1
// CHECK: }
func.func @one(%x: tensor<?xi8>) -> tensor<?xi8> {
  %0 = wax.sort (%a, %b = %x) along 0 {note} : (tensor<?xi8>) -> tensor<?xi8> {
    %l = arith.cmpi slt, %a, %b : i8
    wax.yield %l : i1
  }
  return %0 : tensor<?xi8>
}

// The comparator may look at all operands, or at some.
// CHECK-LABEL: func.func @by_key
// CHECK: %{{.*}}:2 = wax.sort (%[[A:.*]], %[[B:.*]] = %{{.*}}, %[[C:.*]], %[[D:.*]] = %{{.*}}) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
// CHECK:   arith.cmpf olt, %[[A]], %[[B]] : f32
func.func @by_key(%k: tensor<4x8xf32>, %v: tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %0, %1 = wax.sort (%a, %b = %k, %c, %d = %v) along 1
      : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xi32>
}
