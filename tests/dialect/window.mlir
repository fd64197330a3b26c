// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @image
// CHECK: wax.window %{{.*}} dims [1, 2] sizes [3, 2] strides [2, 1] dilations [1, 2] {note} : (tensor<?x9x8x16xf32>) -> tensor<?x4x6x16x3x2xf32>
func.func @image(%x: tensor<?x9x8x16xf32>) -> tensor<?x4x6x16x3x2xf32> {
  %0 = wax.window %x dims [1, 2] sizes [3, 2] strides [2, 1] dilations [1, 2] {note} : (tensor<?x9x8x16xf32>) -> tensor<?x4x6x16x3x2xf32>
  return %0 : tensor<?x4x6x16x3x2xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK: wax.window %{{.*}} dims [0] sizes [3] strides [2] dilations [1] : (tensor<?xi8>) -> tensor<?x3xi8>
func.func @dynamic(%x: tensor<?xi8>) -> tensor<?x3xi8> {
  %0 = wax.window %x dims [0] sizes [3] strides [2] dilations [1] : (tensor<?xi8>) -> tensor<?x3xi8>
  return %0 : tensor<?x3xi8>
}

// CHECK-LABEL: func.func @too_small_for_a_window
// CHECK: (tensor<4xf32>) -> tensor<0x5xf32>
func.func @too_small_for_a_window(%x: tensor<4xf32>) -> tensor<0x5xf32> {
  %0 = wax.window %x dims [0] sizes [5] strides [1] dilations [1] : (tensor<4xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

// CHECK-LABEL: func.func @windows_of_nothing
// CHECK: (tensor<4xf32>) -> tensor<5x0xf32>
func.func @windows_of_nothing(%x: tensor<4xf32>) -> tensor<5x0xf32> {
  %0 = wax.window %x dims [0] sizes [0] strides [1] dilations [1] : (tensor<4xf32>) -> tensor<5x0xf32>
  return %0 : tensor<5x0xf32>
}

// CHECK-LABEL: func.func @far_apart
// CHECK: (tensor<4xf32>) -> tensor<0x2xf32>
// CHECK: (tensor<4xf32>) -> tensor<0x2147483647xf32>
func.func @far_apart(%x: tensor<4xf32>) {
  %0 = wax.window %x dims [0] sizes [2] strides [2147483647] dilations [2147483647] : (tensor<4xf32>) -> tensor<0x2xf32>
  %1 = wax.window %x dims [0] sizes [2147483647] strides [2147483647] dilations [2147483647] : (tensor<4xf32>) -> tensor<0x2147483647xf32>
  return
}
