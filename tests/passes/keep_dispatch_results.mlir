// RUN: wax-opt %s --wax-keep-dispatch-results --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @all_of_several_results_are_read
// CHECK: %[[D:.*]]:2 = "flow.dispatch.region"
// CHECK: "util.optimization_barrier"(%[[D]]#0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: "util.optimization_barrier"(%[[D]]#1) : (tensor<8xi32>) -> tensor<8xi32>
// CHECK: return %[[D]]#1
func.func @all_of_several_results_are_read(%x: tensor<8xf32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%x, %y) : (tensor<8xf32>, tensor<8xi32>) -> ()
  }, {}) : () -> (tensor<8xf32>, tensor<8xi32>)
  return %0#1 : tensor<8xi32>
}

// CHECK-LABEL: func @one_result_stays_as_it_is
// CHECK-NOT: util
func.func @one_result_stays_as_it_is(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%x) : (tensor<8xf32>) -> ()
  }, {}) : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
