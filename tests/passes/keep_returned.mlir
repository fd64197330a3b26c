// RUN: wax-opt %s --wax-keep-returned --split-input-file | FileCheck %s

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

// -----

// CHECK-LABEL: func.func @a_view_of_what_is_updated
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape
// CHECK: tensor.insert_slice
// CHECK: %[[KEPT:.*]] = "util.optimization_barrier"(%[[VIEW]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: return %[[KEPT]]
func.func @a_view_of_what_is_updated(%x: f32, %u: tensor<1x4xf32>) -> (tensor<8xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %u into %0[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
  return %1, %2 : tensor<8xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT: util
func.func @read_elsewhere(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
