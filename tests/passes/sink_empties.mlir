// RUN: wax-opt %s --wax-sink-empties | FileCheck %s

// CHECK-LABEL: func.func @shared_by_two
// CHECK: "flow.dispatch.region"
// CHECK-NEXT: %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT: tensor.insert %{{.*}} into %[[A]]
// CHECK: "flow.dispatch.region"
// CHECK-NEXT: %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT: tensor.insert %{{.*}} into %[[B]]
func.func @shared_by_two(%v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %3 = tensor.insert %v into %0[%i] : tensor<4xf32>
    "flow.return"(%3) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  %2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %3 = tensor.insert %v into %0[%i] : tensor<4xf32>
    "flow.return"(%3) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
