// RUN: wax-opt %s --wax-lower=target=iree --wax-read-slices --split-input-file | FileCheck %s

// Of an open size, which IREE would copy.
// CHECK-LABEL: func @open
// CHECK-SAME: %[[X:.*]]: tensor<512x96xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to
// CHECK: %[[BEGIN:.*]] = arith.addi %[[COLUMN]], %{{.*}} : index
// CHECK: vector.transfer_read %[[X]][%[[ROW]], %[[BEGIN]]], {{.*}} : tensor<512x96xf32>
// CHECK: vector.transfer_read %[[X]][%[[ROW]], %{{.*}}], {{.*}} : tensor<512x96xf32>
func.func @open(%x: tensor<512x96xf32>, %n: index) -> tensor<?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.slice %x offsets [0, 7] sizes [%n, 65] strides [1, 1] : (tensor<512x96xf32>) -> tensor<?x65xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<?x65xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// IREE shows a dispatch rows that lie together where they are.
// CHECK-LABEL: func @rows
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: vector.transfer_read %[[S]]
func.func @rows(%x: tensor<512x65xf32>) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.slice %x offsets [7, 0] sizes [8, 65] strides [1, 1] : (tensor<512x65xf32>) -> tensor<8x65xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<8x65xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What may be written in place is sliced before it is.
// CHECK-LABEL: func @replaced
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: vector.transfer_read %[[S]]
func.func @replaced(%x: tensor<512x96xf32>, %new: tensor<8x96xf32>) -> (tensor<64xf32>, tensor<512x96xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.slice %x offsets [0, 7] sizes [64, 65] strides [1, 1] : (tensor<512x96xf32>) -> tensor<64x65xf32>
  %1 = tensor.insert_slice %new into %x[0, 0] [8, 96] [1, 1] : tensor<8x96xf32> into tensor<512x96xf32>
  %2 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<64x65xf32>, tensor<f32>) -> tensor<64xf32>
  return %2, %1 : tensor<64xf32>, tensor<512x96xf32>
}

// -----

// Rows that lie together, but begin where nobody knows.
// CHECK-LABEL: func @somewhere
// CHECK-SAME: %[[X:.*]]: tensor<512x65xf32>, %[[AT:.*]]: index
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: vector.transfer_read %[[X]][%[[PLACE]], %{{.*}}], {{.*}} : tensor<512x65xf32>
func.func @somewhere(%x: tensor<512x65xf32>, %at: index) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = tensor.extract_slice %x[%at, 0] [8, 65] [1, 1] : tensor<512x65xf32> to tensor<8x65xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<8x65xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A head of several, without its dim.
// CHECK-LABEL: func @head
// CHECK-SAME: %[[X:.*]]: tensor<4x8x512x65xf32>, %[[BATCH:.*]]: index, %[[HEAD:.*]]: index
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], {{.*}} : tensor<4x8x512x65xf32>
// CHECK-NOT: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], {{.*}} : tensor<512x65xf32>
// CHECK: return
func.func @head(%x: tensor<4x8x512x65xf32>, %batch: index, %head: index) -> tensor<512xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = tensor.extract_slice %x[%batch, %head, 0, 0] [1, 1, 512, 65] [1, 1, 1, 1] : tensor<4x8x512x65xf32> to tensor<1x1x512x65xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2], [3]] : tensor<1x1x512x65xf32> into tensor<512x65xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<512x65xf32>, tensor<f32>) -> tensor<512xf32>
  return %2 : tensor<512xf32>
}

// -----

// Two dims that go together are not told apart.
// CHECK-LABEL: func @joined
// CHECK: tensor.extract_slice
// CHECK: %[[S:.*]] = tensor.collapse_shape
// CHECK: vector.transfer_read %[[S]]
func.func @joined(%x: tensor<4x8x512x65xf32>, %batch: index) -> tensor<4096xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = tensor.extract_slice %x[%batch, 0, 0, 0] [1, 8, 512, 65] [1, 1, 1, 1] : tensor<4x8x512x65xf32> to tensor<1x8x512x65xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2], [3]] : tensor<1x8x512x65xf32> into tensor<4096x65xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<4096x65xf32>, tensor<f32>) -> tensor<4096xf32>
  return %2 : tensor<4096xf32>
}

// -----

// Of fewer dims than what it is of.
// CHECK-LABEL: func @dropped
// CHECK-SAME: %[[X:.*]]: tensor<9x512x96xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK: vector.transfer_read %[[X]][%{{.*}}, %[[ROW]], %{{.*}}], {{.*}} : tensor<9x512x96xf32>
func.func @dropped(%x: tensor<9x512x96xf32>) -> tensor<512xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = tensor.extract_slice %x[3, 0, 7] [1, 512, 65] [1, 1, 1] : tensor<9x512x96xf32> to tensor<512x65xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<512x65xf32>, tensor<f32>) -> tensor<512xf32>
  return %1 : tensor<512xf32>
}
