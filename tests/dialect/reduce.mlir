// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: wax.reduce arith.addf(%{{.*}}) over [1] init(%{{.*}}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
func.func @sum(%x: tensor<4x8xf32>, %zero: tensor<f32>) -> tensor<4xf32> {
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @sum_in_order
// CHECK: wax.reduce ordered arith.addf(%{{.*}}) over [0, 1] init(%{{.*}}) {note} : (tensor<?x0xf32>, tensor<f32>) -> tensor<f32>
func.func @sum_in_order(%x: tensor<?x0xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce ordered arith.addf(%x) over [0, 1] init(%zero) {note} : (tensor<?x0xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @argmax
// CHECK: %[[R:.*]]:2 = wax.reduce (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) over [1] init(%[[ACC:.*]] = %{{.*}}, %[[ACC0:.*]] = %{{.*}}) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
// CHECK:   %[[MORE:.*]] = arith.cmpf ogt, %[[A]], %[[ACC]] : f32
// CHECK:   arith.select %[[MORE]], %[[B]], %[[ACC0]] : i32
// CHECK:   wax.yield %{{.*}}, %{{.*}} : f32, i32
// CHECK: }
// CHECK-NOT: combine
func.func @argmax(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %low: tensor<f32>, %none: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %m:2 = wax.reduce (%a = %x, %n = %i) over [1] init(%best = %low, %at = %none)
      : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %k = arith.select %more, %n, %at : i32
    wax.yield %v, %k : f32, i32
  }
  return %m#0, %m#1 : tensor<4xf32>, tensor<4xi32>
}

// A fold in a wider type, joined in that type.
// CHECK-LABEL: func.func @mixed_precision
// CHECK: wax.reduce (%[[A:.*]] = %{{.*}}) over [0] init(%[[ACC:.*]] = %{{.*}}) : (tensor<?xbf16>, tensor<f32>) -> tensor<f32> {
// CHECK:   arith.extf %[[A]] : bf16 to f32
// CHECK: } combine (%[[L:.*]], %[[R:.*]]) {
// CHECK:   arith.addf %[[L]], %[[R]] : f32
func.func @mixed_precision(%x: tensor<?xbf16>, %zero: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce (%a = %x) over [0] init(%acc = %zero) : (tensor<?xbf16>, tensor<f32>) -> tensor<f32> {
    %wide = arith.extf %a : bf16 to f32
    %sum = arith.addf %wide, %acc : f32
    wax.yield %sum : f32
  } combine (%l, %r) {
    %sum = arith.addf %l, %r : f32
    wax.yield %sum : f32
  }
  return %0 : tensor<f32>
}

// A combine that is another operation has no short form.
// CHECK-LABEL: func.func @sum_of_differences
// CHECK: wax.reduce (%{{.*}} = %{{.*}}) over []
// CHECK:   arith.subf
// CHECK: } combine (
// CHECK:   arith.addf
func.func @sum_of_differences(%x: tensor<3xf32>, %zero: tensor<f32>) -> tensor<3xf32> {
  %0 = wax.reduce (%a = %x) over [] init(%acc = %zero) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> {
    %d = arith.subf %a, %acc : f32
    wax.yield %d : f32
  } combine (%l, %r) {
    %sum = arith.addf %l, %r : f32
    wax.yield %sum : f32
  }
  return %0 : tensor<3xf32>
}
