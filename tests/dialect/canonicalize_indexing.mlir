// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @slice_of_everything
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]]
func.func @slice_of_everything(%x: tensor<4x8xf32>, %o: index) -> tensor<4x8xf32> {
  %0 = wax.slice %x offsets [0, %o] sizes [4, 8] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_of_all_of_a_dynamic_dim
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @slice_of_all_of_a_dynamic_dim(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %0 = wax.slice %x offsets [0, 0] sizes [4, %n] strides [1, 1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @slice_of_a_slice
// CHECK-NEXT: wax.slice %{{.*}} offsets [7, 1] sizes [2, 2] strides [6, 1] : (tensor<20x8xf32>) -> tensor<2x2xf32>
func.func @slice_of_a_slice(%x: tensor<20x8xf32>) -> tensor<2x2xf32> {
  %0 = wax.slice %x offsets [1, 1] sizes [9, 3] strides [2, 1] : (tensor<20x8xf32>) -> tensor<9x3xf32>
  %1 = wax.slice %0 offsets [3, 0] sizes [2, 2] strides [3, 1] : (tensor<9x3xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @strides_between_no_two_elements
// CHECK-NEXT: wax.slice %{{.*}} offsets [1, 0, 0] sizes [1, 0, 2] strides [1, 1, 2] : (tensor<?x4x4xf32>) -> tensor<1x0x2xf32>
func.func @strides_between_no_two_elements(%x: tensor<?x4x4xf32>) -> tensor<1x0x2xf32> {
  %0 = wax.slice %x offsets [1, 0, 0] sizes [1, 0, 2] strides [3, 5, 2] : (tensor<?x4x4xf32>) -> tensor<1x0x2xf32>
  return %0 : tensor<1x0x2xf32>
}

// Constant offsets are clamped, as they are when the program runs.
// CHECK-LABEL: func.func @constant_offsets
// CHECK: wax.slice %{{.*}} offsets [0, 5] sizes [2, 3] strides [1, 1] : (tensor<?x8xf32>) -> tensor<2x3xf32>
func.func @constant_offsets(%x: tensor<?x8xf32>) -> tensor<2x3xf32> {
  %a = arith.constant -7 : index
  %b = arith.constant 7 : index
  %0 = wax.slice %x offsets [%a, %b] sizes [2, 3] strides [1, 1] : (tensor<?x8xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Where the dim is dynamic, it is not known whether the offset is clamped.
// CHECK-LABEL: func.func @constant_offset_into_a_dynamic_dim_stays
// CHECK: wax.slice %{{.*}} offsets [%{{.*}}] sizes [2]
func.func @constant_offset_into_a_dynamic_dim_stays(%x: tensor<?xf32>) -> tensor<2xf32> {
  %a = arith.constant 7 : index
  %0 = wax.slice %x offsets [%a] sizes [2] strides [1] : (tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @slice_of_constants
// CHECK-DAG: wax.constant dense<[3, 5]> : tensor<2xi32>
// CHECK-DAG: wax.constant dense<[4, 5]> : tensor<2xi32>
// CHECK-DAG: wax.constant dense<true> : tensor<70xi1>
func.func @slice_of_constants(%o: index) -> (tensor<2xi32>, tensor<2xi32>, tensor<70xi1>) {
  %far = arith.constant 100 : index
  %0 = wax.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %1 = wax.slice %0 offsets [2] sizes [2] strides [2] : (tensor<5xi32>) -> tensor<2xi32>
  %2 = wax.slice %0 offsets [%far] sizes [2] strides [1] : (tensor<5xi32>) -> tensor<2xi32>
  %3 = wax.constant dense<true> : tensor<100xi1>
  %4 = wax.slice %3 offsets [%o] sizes [70] strides [1] : (tensor<100xi1>) -> tensor<70xi1>
  return %1, %2, %4 : tensor<2xi32>, tensor<2xi32>, tensor<70xi1>
}

// -----

// CHECK-LABEL: func.func @gather_without_an_index
// CHECK-NEXT: wax.permute %{{.*}} [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
func.func @gather_without_an_index(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = wax.gather %x[1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// Indices are clamped.
// CHECK-LABEL: func.func @gather_of_constants
// CHECK-DAG: wax.constant dense<[30, 10, 30, 20]> : tensor<4xi32>
// CHECK-DAG: wax.constant dense<1.000000e+00> : tensor<7xf32>
func.func @gather_of_constants(%i: tensor<7xi8>) -> (tensor<4xi32>, tensor<7xf32>) {
  %0 = wax.constant dense<[10, 20, 30]> : tensor<3xi32>
  %1 = wax.constant dense<[2, -5, 100, 1]> : tensor<4xi64>
  %2 = wax.gather %0[%1[0]] : (tensor<3xi32>, tensor<4xi64>) -> tensor<4xi32>
  %3 = wax.constant dense<1.0> : tensor<9xf32>
  %4 = wax.gather %3[%i[0]] : (tensor<9xf32>, tensor<7xi8>) -> tensor<7xf32>
  return %2, %4 : tensor<4xi32>, tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @iota_of_constant_sizes
// CHECK: %[[I:.*]] = wax.iota along 1 : tensor<3x4xi32>
// CHECK: tensor.cast %[[I]] : tensor<3x4xi32> to tensor<?x4xi32>
func.func @iota_of_constant_sizes() -> tensor<?x4xi32> {
  %c3 = arith.constant 3 : index
  %0 = wax.iota along 1 sizes [%c3] : tensor<?x4xi32>
  return %0 : tensor<?x4xi32>
}

// CHECK-LABEL: func.func @iota_to_one
// CHECK: wax.constant dense<0.000000e+00> : tensor<5x1xf32>
func.func @iota_to_one() -> tensor<5x1xf32> {
  %0 = wax.iota along 1 : tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}
