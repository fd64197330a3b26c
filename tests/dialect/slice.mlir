// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @static_box
// CHECK: wax.slice %{{.*}} offsets [0, 1] sizes [4, 0] strides [2, 1] : (tensor<8x5xf32>) -> tensor<4x0xf32>
func.func @static_box(%x: tensor<8x5xf32>) -> tensor<4x0xf32> {
  %0 = wax.slice %x offsets [0, 1] sizes [4, 0] strides [2, 1] : (tensor<8x5xf32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}

// CHECK-LABEL: func.func @dynamic_box
// CHECK-SAME: (%[[X:.*]]: tensor<8x?xi64>, %[[O:.*]]: index, %[[S:.*]]: index)
// CHECK: wax.slice %[[X]] offsets [%[[O]], 0] sizes [4, %[[S]]] strides [1, 3] {note} : (tensor<8x?xi64>) -> tensor<4x?xi64>
func.func @dynamic_box(%x: tensor<8x?xi64>, %o: index, %s: index) -> tensor<4x?xi64> {
  %0 = wax.slice %x offsets [%o, 0] sizes [4, %s] strides [1, 3] {note} : (tensor<8x?xi64>) -> tensor<4x?xi64>
  return %0 : tensor<4x?xi64>
}

// CHECK-LABEL: func.func @rank_zero
// CHECK: wax.slice %{{.*}} offsets [] sizes [] strides [] : (tensor<f32>) -> tensor<f32>
func.func @rank_zero(%x: tensor<f32>) -> tensor<f32> {
  %0 = wax.slice %x offsets [] sizes [] strides [] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
