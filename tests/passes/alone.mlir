// RUN: wax-opt %s --wax-to-linalg="target=iree processor=avx512 alone=true" --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg="target=iree processor=avx512" --split-input-file | FileCheck %s --check-prefix=IREE

// What IREE has loops for that are as good: sums of few columns, and of rows of a multiple of 16.
// CHECK-LABEL: flow.executable
// CHECK: vector.transfer_read
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg.
// CHECK-COUNT-2: "flow.dispatch"
// CHECK-NOT: linalg.
// CHECK: return
// IREE-LABEL: func.func @main
// IREE-COUNT-2: linalg.generic
func.func @main(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Elements one by one, in one dispatch with the map that is read by no other.
// CHECK-LABEL: flow.executable
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[MORE:.*]] = arith.addf %[[SQUARE]]
// CHECK: tensor.insert %[[MORE]]
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg.
// CHECK-COUNT-1: "flow.dispatch"
// CHECK-NOT: "flow.dispatch"
// IREE-LABEL: func.func @main
// IREE: linalg.
func.func @main(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> tensor<5x3xf32> {
  %0 = wax.permute %x [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %1 = wax.broadcast arith.mulf(%0[0, 1], %0[0, 1]) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %2 = wax.broadcast arith.addf(%1[0, 1], %y[0]) : (tensor<5x3xf32>, tensor<5xf32>) -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}

// -----

// Many short rows are IREE's.
// CHECK-LABEL: func.func @main
// CHECK: linalg.
func.func @main(%x: tensor<3x50000xf32>) -> tensor<50000x3xf32> {
  %0 = wax.permute %x [1, 0] : (tensor<3x50000xf32>) -> tensor<50000x3xf32>
  return %0 : tensor<50000x3xf32>
}

// -----

// What constants make is not made again by what reads it.
// CHECK-COUNT-2: "flow.executable"
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<3x70xf32>
// CHECK: %[[ROOTS:.*]] = "flow.dispatch"()
// CHECK: "flow.dispatch"({{.*}}%[[ROOTS]]
func.func @main(%x: tensor<3x70xf32>) -> tensor<3x70xf32> {
  %0 = wax.iota along 0 : tensor<70xf32>
  %1 = wax.map math.sqrt(%0) : (tensor<70xf32>) -> tensor<70xf32>
  %2 = wax.broadcast arith.mulf(%x[0, 1], %1[1]) : (tensor<3x70xf32>, tensor<70xf32>) -> tensor<3x70xf32>
  return %2 : tensor<3x70xf32>
}
