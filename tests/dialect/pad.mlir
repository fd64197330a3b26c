// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @around_a_dynamic_dim
// CHECK: wax.pad %{{.*}} with %{{.*}} low [0, 1] high [0, 1] interior [0, 0] : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
func.func @around_a_dynamic_dim(%x: tensor<4x?xf32>, %v: tensor<f32>) -> tensor<4x?xf32> {
  %0 = wax.pad %x with %v low [0, 1] high [0, 1] interior [0, 0] : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @between_and_cropped
// CHECK: wax.pad %{{.*}} with %{{.*}} low [-1] high [2] interior [3] {note} : (tensor<4xi8>, tensor<i8>) -> tensor<14xi8>
func.func @between_and_cropped(%x: tensor<4xi8>, %v: tensor<i8>) -> tensor<14xi8> {
  %0 = wax.pad %x with %v low [-1] high [2] interior [3] {note} : (tensor<4xi8>, tensor<i8>) -> tensor<14xi8>
  return %0 : tensor<14xi8>
}

// Nothing lies between no elements.
// CHECK-LABEL: func.func @no_element
// CHECK: (tensor<0xi8>, tensor<i8>) -> tensor<2xi8>
func.func @no_element(%x: tensor<0xi8>, %v: tensor<i8>) -> tensor<2xi8> {
  %0 = wax.pad %x with %v low [1] high [1] interior [3] : (tensor<0xi8>, tensor<i8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
