// RUN: wax-opt %s --wax-to-linalg="target=iree outline=false" | FileCheck %s

// Rows that are joined are copied in one dispatch, short ones with long ones.
// CHECK-LABEL: func @one_is_long
// CHECK: "flow.dispatch.region"
// CHECK-NOT: tensor.concat
func.func @one_is_long(%x: tensor<5x3xf32>, %y: tensor<5x99xf32>) -> tensor<5x102xf32> {
  %0 = wax.concat(%x, %y) along 1 : (tensor<5x3xf32>, tensor<5x99xf32>) -> tensor<5x102xf32>
  return %0 : tensor<5x102xf32>
}

// CHECK-LABEL: func @all_are_short
// CHECK-NOT: "flow.dispatch.region"
// CHECK: tensor.concat
func.func @all_are_short(%x: tensor<5x3xf32>, %y: tensor<5x7xf32>) -> tensor<5x10xf32> {
  %0 = wax.concat(%x, %y) along 1 : (tensor<5x3xf32>, tensor<5x7xf32>) -> tensor<5x10xf32>
  return %0 : tensor<5x10xf32>
}

// One after the other, which is one copy each.
// CHECK-LABEL: func @one_row
// CHECK-NOT: "flow.dispatch.region"
// CHECK: tensor.concat
func.func @one_row(%x: tensor<5x3xf32>, %y: tensor<9x3xf32>) -> tensor<14x3xf32> {
  %0 = wax.concat(%x, %y) along 0 : (tensor<5x3xf32>, tensor<9x3xf32>) -> tensor<14x3xf32>
  return %0 : tensor<14x3xf32>
}
