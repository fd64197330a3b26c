// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @static_box
// CHECK: wax.insert %{{.*}} into %{{.*}} offsets [0, 1] strides [2, 1] : (tensor<4x0xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
func.func @static_box(%u: tensor<4x0xf32>, %x: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = wax.insert %u into %x offsets [0, 1] strides [2, 1] : (tensor<4x0xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// CHECK-LABEL: func.func @dynamic_box
// CHECK-SAME: (%[[U:.*]]: tensor<4x?xi64>, %[[X:.*]]: tensor<8x?xi64>, %[[O:.*]]: index)
// CHECK: wax.insert %[[U]] into %[[X]] offsets [%[[O]], 0] strides [1, 3] {note} : (tensor<4x?xi64>, tensor<8x?xi64>) -> tensor<8x?xi64>
func.func @dynamic_box(%u: tensor<4x?xi64>, %x: tensor<8x?xi64>, %o: index) -> tensor<8x?xi64> {
  %0 = wax.insert %u into %x offsets [%o, 0] strides [1, 3] {note} : (tensor<4x?xi64>, tensor<8x?xi64>) -> tensor<8x?xi64>
  return %0 : tensor<8x?xi64>
}

// CHECK-LABEL: func.func @rank_zero
// CHECK: wax.insert %{{.*}} into %{{.*}} offsets [] strides [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @rank_zero(%u: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = wax.insert %u into %x offsets [] strides [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
