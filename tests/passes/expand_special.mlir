// RUN: wax-opt %s --wax-to-linalg=target=upstream | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=target=iree | FileCheck %s --check-prefix=IREE

// Special functions leave for every target; the elementary functions that they
// are made of leave where wax expands them.

// CHECK-NOT: wax.
// IREE-NOT: wax.
// IREE-NOT: math.log
// IREE-NOT: math.exp

// CHECK-LABEL: func @one_logarithm_of_gamma
// One for the logarithm of the product or of x, one for the reflection.
// CHECK-COUNT-2: math.log
// CHECK-NOT: math.log
// CHECK-LABEL: func @orders_differ
func.func @one_logarithm_of_gamma(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.map wax.lgamma(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The trigamma function is arithmetic, without a logarithm.
// CHECK-NOT: math.log
// CHECK: arith.divf
// CHECK-LABEL: func @inverses
func.func @orders_differ(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = wax.map (%e = %x) : (tensor<3xf64>) -> tensor<3xf64> {
    %y = wax.polygamma 1, %e : f64
    wax.yield %y : f64
  }
  return %0 : tensor<3xf64>
}

// CHECK: math.log
// CHECK: math.sqrt
// CHECK-LABEL: func @loops_stay_inside
func.func @inverses(%x: tensor<f64>) -> tensor<f64> {
  %0 = wax.map wax.erfc_inv(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// One linalg.generic, that is one dispatch, with its three loops.
// CHECK: linalg.generic
// CHECK-COUNT-3: scf.while
// CHECK-NOT: linalg.generic
func.func @loops_stay_inside(%a: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = wax.broadcast wax.igamma(%a[0], %x[1]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
