// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @along_an_axis
// CHECK: wax.broadcast arith.addf(%{{.*}}[0, 1], %{{.*}}[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @along_an_axis(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = wax.broadcast arith.addf(%x[0, 1], %b[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @outer_product_of_dynamic_dims
// CHECK: wax.broadcast arith.mulf(%{{.*}}[0, 1], %{{.*}}[1, 2]) : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x8x?xf32>
func.func @outer_product_of_dynamic_dims(%x: tensor<?x8xf32>, %y: tensor<8x?xf32>) -> tensor<?x8x?xf32> {
  %0 = wax.broadcast arith.mulf(%x[0, 1], %y[1, 2]) : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x8x?xf32>
  return %0 : tensor<?x8x?xf32>
}

// CHECK-LABEL: func.func @free_dims
// CHECK-SAME: (%[[V:.*]]: tensor<8xf32>, %[[N:.*]]: index)
// CHECK: wax.broadcast (%[[A:.*]] = %[[V]][1]) sizes [%[[N]], 0] : (tensor<8xf32>) -> tensor<?x8x0xf32> {
// CHECK:   wax.yield %[[A]] : f32
func.func @free_dims(%v: tensor<8xf32>, %n: index) -> tensor<?x8x0xf32> {
  %0 = wax.broadcast (%a = %v[1]) sizes [%n, 0] : (tensor<8xf32>) -> tensor<?x8x0xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x8x0xf32>
}

// CHECK-LABEL: func.func @where
// CHECK: wax.broadcast arith.select(%{{.*}}[0], %{{.*}}[0, 1], %{{.*}}[]) : (tensor<4xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
func.func @where(%p: tensor<4xi1>, %x: tensor<4x8xf32>, %y: tensor<f32>) -> tensor<4x8xf32> {
  %0 = wax.broadcast arith.select(%p[0], %x[0, 1], %y[]) : (tensor<4xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scalar_to_tensor
// CHECK: wax.broadcast (%[[A:.*]] = %{{.*}}[]) sizes [2, 3] : (tensor<i64>) -> tensor<2x3xi64> {
func.func @scalar_to_tensor(%s: tensor<i64>) -> tensor<2x3xi64> {
  %0 = wax.broadcast (%a = %s[]) sizes [2, 3] : (tensor<i64>) -> tensor<2x3xi64> {
    wax.yield %a : i64
  }
  return %0 : tensor<2x3xi64>
}

// A kernel that takes its arguments in another order has no short form.
// CHECK-LABEL: func.func @swapped_arguments
// CHECK: wax.broadcast (%[[A:.*]] = %{{.*}}[0], %[[B:.*]] = %{{.*}}[0]) {note} :
// CHECK:   arith.subf %[[B]], %[[A]] : f32
func.func @swapped_arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast (%a = %x[0], %b = %x[0]) {note} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %y = arith.subf %b, %a : f32
    wax.yield %y : f32
  }
  return %0 : tensor<4xf32>
}

// A result may be declared with less than is known, and with more.
// CHECK-LABEL: func.func @declared_results
// CHECK: -> tensor<?xf32>
// CHECK: -> tensor<4xf32>
func.func @declared_results(%x: tensor<4xf32>, %y: tensor<?xf32>) {
  %0 = wax.broadcast arith.addf(%x[0], %x[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  %1 = wax.broadcast arith.addf(%y[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}
