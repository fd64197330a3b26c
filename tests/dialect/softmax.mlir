// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<4x?xbf16>) -> tensor<4x?xbf16> {
  // CHECK: wax.softmax (%[[A:.*]] = %{{.*}}) {accumulator = f32, dims = array<i64: 1>} : (tensor<4x?xbf16>) -> tensor<4x?xbf16> {
  // CHECK-NEXT: wax.return %[[A]] : tensor<4x?xbf16>
  %r = wax.softmax (%a = %x) {accumulator = f32, dims = array<i64: 1>} : (tensor<4x?xbf16>) -> tensor<4x?xbf16> {
    wax.return %a : tensor<4x?xbf16>
  }
  return %r : tensor<4x?xbf16>
}
