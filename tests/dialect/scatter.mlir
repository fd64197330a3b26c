// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @gradient_of_an_embedding
// CHECK: wax.scatter arith.addf(%{{.*}}) into(%{{.*}})[%{{.*}}[0, 1], 2] : (tensor<4x?x64xf32>, tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<1000x64xf32>
func.func @gradient_of_an_embedding(%u: tensor<4x?x64xf32>, %x: tensor<1000x64xf32>, %i: tensor<4x?xi32>) -> tensor<1000x64xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0, 1], 2] : (tensor<4x?x64xf32>, tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<1000x64xf32>
  return %0 : tensor<1000x64xf32>
}

// CHECK-LABEL: func.func @in_order
// CHECK: wax.scatter ordered arith.mulf(%{{.*}}) into(%{{.*}})[%{{.*}}[], %{{.*}}[]] {note} : (tensor<f32>, tensor<4x8xf32>, tensor<i16>, tensor<i64>) -> tensor<4x8xf32>
func.func @in_order(%u: tensor<f32>, %x: tensor<4x8xf32>, %i: tensor<i16>, %j: tensor<i64>) -> tensor<4x8xf32> {
  %0 = wax.scatter ordered arith.mulf(%u) into(%x)[%i[], %j[]] {note} : (tensor<f32>, tensor<4x8xf32>, tensor<i16>, tensor<i64>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @set_along_axis
// CHECK: wax.scatter (%[[A:.*]] = %{{.*}}) into(%{{.*}} = %{{.*}})[0, %{{.*}}[0, 1]] : (tensor<4x2xbf16>, tensor<4x8xbf16>, tensor<4x2xi8>) -> tensor<4x8xbf16> {
// CHECK-NEXT: wax.yield %[[A]] : bf16
// CHECK-NEXT: }
func.func @set_along_axis(%u: tensor<4x2xbf16>, %x: tensor<4x8xbf16>, %i: tensor<4x2xi8>) -> tensor<4x8xbf16> {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[0, %i[0, 1]] : (tensor<4x2xbf16>, tensor<4x8xbf16>, tensor<4x2xi8>) -> tensor<4x8xbf16> {
    wax.yield %a : bf16
  }
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @best_and_where
// CHECK: %{{.*}}:2 = wax.scatter (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) into(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})[%{{.*}}[0]] : (tensor<?xf32>, tensor<?xi32>, tensor<5xf32>, tensor<5xi32>, tensor<?xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
// CHECK: } combine (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {
func.func @best_and_where(%u: tensor<?xf32>, %n: tensor<?xi32>, %x: tensor<5xf32>, %y: tensor<5xi32>, %i: tensor<?xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %0:2 = wax.scatter (%a = %u, %b = %n) into(%best = %x, %at = %y)[%i[0]] : (tensor<?xf32>, tensor<?xi32>, tensor<5xf32>, tensor<5xi32>, tensor<?xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %k = arith.select %more, %b, %at : i32
    wax.yield %v, %k : f32, i32
  } combine (%p, %q, %r, %s) {
    %more = arith.cmpf ogt, %r, %p : f32
    %v = arith.select %more, %r, %p : f32
    %k = arith.select %more, %s, %q : i32
    wax.yield %v, %k : f32, i32
  }
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}

// There is nowhere to write to, and nothing is written.
// CHECK-LABEL: func.func @into_nothing
// CHECK: (tensor<3xf32>, tensor<0xf32>, tensor<3xi32>) -> tensor<0xf32>
func.func @into_nothing(%u: tensor<3xf32>, %x: tensor<0xf32>, %i: tensor<3xi32>) -> tensor<0xf32> {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<3xf32>, tensor<0xf32>, tensor<3xi32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
