// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK: wax.scan arith.addf(%{{.*}}) along 1 init(%{{.*}}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
func.func @sums(%x: tensor<4x8xf32>, %zero: tensor<f32>) -> tensor<4x8xf32> {
  %0 = wax.scan arith.addf(%x) along 1 init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sums_before_in_order
// CHECK: wax.scan ordered arith.addf(%{{.*}}) along 0 exclusive init(%{{.*}}) {note} : (tensor<?x0xf32>, tensor<f32>) -> tensor<?x0xf32>
func.func @sums_before_in_order(%x: tensor<?x0xf32>, %zero: tensor<f32>) -> tensor<?x0xf32> {
  %0 = wax.scan ordered arith.addf(%x) along 0 exclusive init(%zero) {note} : (tensor<?x0xf32>, tensor<f32>) -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// CHECK-LABEL: func.func @sums_from_the_end
// CHECK: wax.scan arith.addf(%{{.*}}) along 0 reverse init
// CHECK: wax.scan arith.addf(%{{.*}}) along 0 exclusive reverse init
func.func @sums_from_the_end(%x: tensor<8xf32>, %zero: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = wax.scan arith.addf(%x) along 0 reverse init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = wax.scan arith.addf(%x) along 0 exclusive reverse init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Two operands, two accumulators of types of their own.
// CHECK-LABEL: func.func @record_and_where
// CHECK: %{{.*}}:2 = wax.scan (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) along 1 init(%[[ACC:.*]] = %{{.*}}, %[[ACC0:.*]] = %{{.*}}) : (tensor<4x8xbf16>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
// CHECK:   %[[WIDE:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK:   %[[MORE:.*]] = arith.cmpf ogt, %[[WIDE]], %[[ACC]] : f32
// CHECK:   arith.select %[[MORE]], %[[B]], %[[ACC0]] : i32
// CHECK:   wax.yield %{{.*}}, %{{.*}} : f32, i32
// CHECK: } combine (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {
func.func @record_and_where(%x: tensor<4x8xbf16>, %i: tensor<4x8xi32>, %low: tensor<f32>, %none: tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %m:2 = wax.scan (%a = %x, %n = %i) along 1 init(%best = %low, %at = %none)
      : (tensor<4x8xbf16>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %wide = arith.extf %a : bf16 to f32
    %more = arith.cmpf ogt, %wide, %best : f32
    %v = arith.select %more, %wide, %best : f32
    %k = arith.select %more, %n, %at : i32
    wax.yield %v, %k : f32, i32
  } combine (%best, %at, %x1, %n1) {
    %more = arith.cmpf ogt, %x1, %best : f32
    %v = arith.select %more, %x1, %best : f32
    %k = arith.select %more, %n1, %at : i32
    wax.yield %v, %k : f32, i32
  }
  return %m#0, %m#1 : tensor<4x8xf32>, tensor<4x8xi32>
}
