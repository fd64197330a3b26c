// RUN: wax-opt %s --wax-keep-arguments --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @updated_and_returned
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>)
// CHECK: %[[KEPT:.*]] = "util.optimization_barrier"(%[[X]])
// CHECK: return %{{.*}}, %[[KEPT]]
func.func @updated_and_returned(%u: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert_slice %u into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @of_dynamic_size
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[X]])
// CHECK: %[[KEPT:.*]] = "flow.tensor.tie_shape"(%[[APART]], %[[N]])
// CHECK: return %{{.*}}, %[[KEPT]]
func.func @of_dynamic_size(%u: tensor<2xf32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert_slice %u into %x[1] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %0, %x : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @only_returned
// CHECK-NEXT: return
func.func @only_returned(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}
