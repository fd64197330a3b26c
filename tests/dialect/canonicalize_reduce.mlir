// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @over_no_dims
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>, %[[Z:.*]]: tensor<f32>)
// CHECK: wax.broadcast arith.addf(%[[X]][0, 1], %[[Z]][]) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
func.func @over_no_dims(%x: tensor<4x?xf32>, %z: tensor<f32>) -> tensor<4x?xf32> {
  %0 = wax.reduce arith.addf(%x) over [] init(%z) : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @two_accumulators_over_no_dims
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<f32>)
// CHECK-DAG: wax.broadcast arith.addf(%[[X]][0], %[[Z]][])
// CHECK-DAG: wax.broadcast arith.mulf(%[[X]][0], %[[Z]][])
func.func @two_accumulators_over_no_dims(%x: tensor<4xf32>, %z: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = wax.reduce (%a = %x) over [] init(%s = %z, %p = %z) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %t = arith.addf %a, %s : f32
    %q = arith.mulf %a, %p : f32
    wax.yield %t, %q : f32, f32
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @over_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<?x0xf32>, %[[Z:.*]]: tensor<f32>)
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: wax.broadcast (%{{.*}} = %[[Z]][]) sizes [%[[D]]] : (tensor<f32>) -> tensor<?xf32>
func.func @over_nothing(%x: tensor<?x0xf32>, %z: tensor<f32>) -> tensor<?xf32> {
  %0 = wax.reduce arith.addf(%x) over [1] init(%z) : (tensor<?x0xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @unused_and_repeated_operands
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xi32>, %[[Z:.*]]: tensor<f32>)
// CHECK: wax.reduce (%[[A:.*]] = %[[X]]) over [0] init(%[[ACC:.*]] = %[[Z]]) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
// CHECK:   arith.mulf %[[A]], %[[A]]
func.func @unused_and_repeated_operands(%x: tensor<4xf32>, %y: tensor<4xi32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce (%a = %x, %b = %y, %c = %x) over [0] init(%acc = %z) : (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>) -> tensor<f32> {
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %p, %acc : f32
    wax.yield %s : f32
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @unused_operand_of_unknown_size_stays
// CHECK: wax.reduce (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) over
func.func @unused_operand_of_unknown_size_stays(%x: tensor<?xf32>, %y: tensor<?xi32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce (%a = %x, %b = %y) over [0] init(%acc = %z) : (tensor<?xf32>, tensor<?xi32>, tensor<f32>) -> tensor<f32> {
    %s = arith.addf %a, %acc : f32
    wax.yield %s : f32
  }
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @scan_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<4x1xf32>, %[[Z:.*]]: tensor<f32>)
// CHECK: wax.broadcast arith.subf(%[[X]][0, 1], %[[Z]][]) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
func.func @scan_of_one(%x: tensor<4x1xf32>, %z: tensor<f32>) -> tensor<4x1xf32> {
  %0 = wax.scan ordered arith.subf(%x) along 1 reverse init(%z) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @exclusive_scan_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<?x1xf32>, %[[Z:.*]]: tensor<f32>)
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: wax.broadcast (%{{.*}} = %[[Z]][]) sizes [%[[D]], 1] : (tensor<f32>) -> tensor<?x1xf32>
func.func @exclusive_scan_of_one(%x: tensor<?x1xf32>, %z: tensor<f32>) -> tensor<?x1xf32> {
  %0 = wax.scan arith.addf(%x) along 1 exclusive init(%z) : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// CHECK-LABEL: func.func @scan_reads_an_operand_once
// CHECK: wax.scan (%[[A:.*]] = %{{.*}}) along 0 init
// CHECK:   arith.mulf %[[A]], %[[A]]
func.func @scan_reads_an_operand_once(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %0 = wax.scan (%a = %x, %b = %x, %c = %y) along 0 init(%acc = %z) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32> {
    %square = arith.mulf %a, %b : f32
    %next = arith.addf %acc, %square : f32
    wax.yield %next : f32
  }
  return %0 : tensor<4xf32>
}
