// RUN: wax-opt %s --wax-lower="target=iree alone=true" --wax-read-slices=alone=true --split-input-file | FileCheck %s

// With steps between rows, each of which lies together.
// CHECK-LABEL: func @steps
// CHECK-SAME: %[[X:.*]]: tensor<512x96xf32>
// CHECK-NOT: tensor.extract_slice %[[X]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK: %[[STEP:.*]] = arith.muli %[[ROW]], %{{.*}} : index
// CHECK: %[[PLACE:.*]] = arith.addi %[[STEP]], %{{.*}} : index
// CHECK: vector.transfer_read %[[X]][%[[PLACE]], %{{.*}}], {{.*}} : tensor<512x96xf32>
func.func @steps(%x: tensor<512x96xf32>) -> tensor<170xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.slice %x offsets [1, 0] sizes [170, 96] strides [3, 1] : (tensor<512x96xf32>) -> tensor<170x96xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<170x96xf32>, tensor<f32>) -> tensor<170xf32>
  return %1 : tensor<170xf32>
}

// -----

// What is returned is copied, rows by vectors.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[X:.*]]: tensor<512x96xf32>
// CHECK: %[[MADE:.*]] = "flow.dispatch.region"
// CHECK: %[[READ:.*]] = vector.transfer_read %[[X]][%{{.*}}, %{{.*}}]
// CHECK: vector.transfer_write %[[READ]]
// CHECK: return %[[MADE]] : tensor<170x40xf32>
func.func @rows(%x: tensor<512x96xf32>) -> tensor<170x40xf32> {
  %0 = wax.slice %x offsets [1, 7] sizes [170, 40] strides [3, 1] : (tensor<512x96xf32>) -> tensor<170x40xf32>
  return %0 : tensor<170x40xf32>
}

// -----

// Few elements one by one, of fewer dims too.
// CHECK-LABEL: func @few
// CHECK-SAME: %[[X:.*]]: tensor<512x96xf32>
// CHECK: %[[MADE:.*]] = "flow.dispatch.region"
// CHECK: %[[READ:.*]] = tensor.extract %[[X]][%{{.*}}, %{{.*}}]
// CHECK: tensor.insert %[[READ]]
// CHECK: %[[VIEW:.*]] = tensor.extract_slice %[[MADE]][0, 0] [512, 1] [1, 1] : tensor<512x1xf32> to tensor<512xf32>
// CHECK: return %[[VIEW]]
func.func @few(%x: tensor<512x96xf32>) -> tensor<512xf32> {
  %0 = tensor.extract_slice %x[0, 5] [512, 1] [1, 1] : tensor<512x96xf32> to tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// More than these stay.
// CHECK-LABEL: func @many
// CHECK-SAME: %[[X:.*]]: tensor<51200x96xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]]
// CHECK: return %[[SLICE]]
func.func @many(%x: tensor<51200x96xf32>) -> tensor<51200x2xf32> {
  %0 = wax.slice %x offsets [0, 5] sizes [51200, 2] strides [1, 1] : (tensor<51200x96xf32>) -> tensor<51200x2xf32>
  return %0 : tensor<51200x2xf32>
}

// -----

// CHECK-LABEL: func @together
// CHECK-NOT: flow.dispatch.region
// CHECK: return
func.func @together(%x: tensor<512x96xf32>) -> tensor<5x96xf32> {
  %0 = wax.slice %x offsets [7, 0] sizes [5, 96] strides [1, 1] : (tensor<512x96xf32>) -> tensor<5x96xf32>
  return %0 : tensor<5x96xf32>
}
