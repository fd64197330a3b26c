// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reverse_twice
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @reverse_twice(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = wax.reverse %x dims [0, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = wax.reverse %0 dims [0, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @reverse_of_a_reverse
// CHECK-NEXT: %[[R:.*]] = wax.reverse %{{.*}} dims [0, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @reverse_of_a_reverse(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = wax.reverse %x dims [0, 1] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = wax.reverse %0 dims [1, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @reverse_of_one_element
// CHECK-NEXT: wax.reverse %{{.*}} dims [1] : (tensor<1x3xf32>) -> tensor<1x3xf32>
func.func @reverse_of_one_element(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %0 = wax.reverse %x dims [0, 1] : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @reverse_of_a_constant
// CHECK-NEXT: wax.constant dense<{{\[\[}}3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
func.func @reverse_of_a_constant() -> tensor<2x3xi32> {
  %0 = wax.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = wax.reverse %0 dims [1] : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func.func @insert_over_everything
// CHECK-SAME: (%[[U:[a-z0-9]+]]: tensor<4xf32>,
// CHECK-NEXT: return %[[U]]
func.func @insert_over_everything(%u: tensor<4xf32>, %x: tensor<4xf32>, %o: index) -> tensor<4xf32> {
  %0 = wax.insert %u into %x offsets [%o] strides [1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @insert_of_nothing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3xf32>)
// CHECK-NEXT: return %[[X]]
func.func @insert_of_nothing(%u: tensor<4x0xf32>, %x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = wax.insert %u into %x offsets [0, 2] strides [1, 1] : (tensor<4x0xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @insert_of_a_slice_of_the_same_box
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<8xf32>,
// CHECK-NEXT: return %[[X]]
func.func @insert_of_a_slice_of_the_same_box(%x: tensor<8xf32>, %o: index) -> tensor<8xf32> {
  %0 = wax.slice %x offsets [%o] sizes [3] strides [2] : (tensor<8xf32>) -> tensor<3xf32>
  %1 = wax.insert %0 into %x offsets [%o] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @insert_of_a_slice_of_another_box_stays
// CHECK: wax.insert
func.func @insert_of_a_slice_of_another_box_stays(%x: tensor<8xf32>, %o: index) -> tensor<8xf32> {
  %0 = wax.slice %x offsets [%o] sizes [3] strides [1] : (tensor<8xf32>) -> tensor<3xf32>
  %1 = wax.insert %0 into %x offsets [%o] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @slice_of_an_insert_of_the_same_box
// CHECK-SAME: (%[[U:[a-z0-9]+]]: tensor<3xf32>,
// CHECK-NEXT: return %[[U]]
func.func @slice_of_an_insert_of_the_same_box(%u: tensor<3xf32>, %x: tensor<8xf32>, %o: index) -> tensor<3xf32> {
  %0 = wax.insert %u into %x offsets [%o] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = wax.slice %0 offsets [%o] sizes [3] strides [2] : (tensor<8xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @insert_twice
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<3xf32>, %[[V:[a-z0-9]+]]: tensor<3xf32>, %[[X:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-NEXT: wax.insert %[[V]] into %[[X]]
func.func @insert_twice(%u: tensor<3xf32>, %v: tensor<3xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = wax.insert %u into %x offsets [1] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = wax.insert %v into %0 offsets [1] strides [2] : (tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @constant_offsets_of_an_insert
// CHECK: wax.insert %{{.*}} into %{{.*}} offsets [0, 5] strides [1, 1]
func.func @constant_offsets_of_an_insert(%u: tensor<2x3xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = arith.constant -7 : index
  %b = arith.constant 7 : index
  %0 = wax.insert %u into %x offsets [%a, %b] strides [1, 1] : (tensor<2x3xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @insert_of_constants
// CHECK-NEXT: wax.constant dense<[1, 7, 3, 8, 5]> : tensor<5xi32>
func.func @insert_of_constants() -> tensor<5xi32> {
  %0 = wax.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %1 = wax.constant dense<[7, 8]> : tensor<2xi32>
  %2 = wax.insert %1 into %0 offsets [1] strides [2] : (tensor<2xi32>, tensor<5xi32>) -> tensor<5xi32>
  return %2 : tensor<5xi32>
}

// -----

// CHECK-LABEL: func.func @scatter_of_nothing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %{{.*}}: tensor<0xi32>)
// CHECK-NEXT: return %[[X]]
func.func @scatter_of_nothing(%u: tensor<0xf32>, %x: tensor<4xf32>, %i: tensor<0xi32>) -> tensor<4xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<0xf32>, tensor<4xf32>, tensor<0xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scatter_without_an_index
// CHECK-NEXT: wax.broadcast arith.subf(%{{.*}}[1, 0], %{{.*}}[0, 1]) : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
func.func @scatter_without_an_index(%u: tensor<3x4xf32>, %x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = wax.scatter ordered arith.subf(%u) into(%x)[1, 0] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
