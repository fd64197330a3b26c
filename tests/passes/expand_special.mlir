// RUN: wax-opt %s --wax-to-linalg=target=upstream | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=target=iree | FileCheck %s --check-prefix=IREE

// Special functions, and those of complex numbers, leave for every target; the
// elementary functions that they are made of leave where wax expands them.

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
// CHECK-LABEL: func @quotients_are_scaled
func.func @loops_stay_inside(%a: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = wax.broadcast wax.igamma(%a[0], %x[1]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NOT: complex.div
// CHECK-DAG: complex.re
// CHECK-DAG: complex.im
// CHECK: math.fma
// CHECK: arith.divf
// CHECK: complex.create
// CHECK-LABEL: func @functions_of_complex_numbers
func.func @quotients_are_scaled(%z: tensor<4xcomplex<f64>>, %w: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = wax.broadcast complex.div(%z[0], %w[0]) : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-NOT: complex.{{(exp|log|sqrt|pow|powi|tanh|sin|abs|atan2|rsqrt|sign|angle)}}
// CHECK-LABEL: func @what_is_exact_stays
func.func @functions_of_complex_numbers(%z: tensor<4xcomplex<f32>>, %n: tensor<4xi32>) -> tensor<4xf32> {
  %0 = wax.broadcast (%a = %z[0], %k = %n[0]) : (tensor<4xcomplex<f32>>, tensor<4xi32>) -> tensor<4xf32> {
    %0 = complex.exp %a : complex<f32>
    %1 = complex.log %0 : complex<f32>
    %2 = complex.sqrt %1 : complex<f32>
    %3 = complex.pow %2, %0 : complex<f32>
    %4 = complex.powi %3, %k : complex<f32>, i32
    %5 = complex.tanh %4 : complex<f32>
    %6 = complex.sin %5 : complex<f32>
    %7 = complex.atan2 %6, %1 : complex<f32>
    %8 = complex.rsqrt %7 : complex<f32>
    %9 = complex.sign %8 : complex<f32>
    %10 = complex.angle %9 : complex<f32>
    %11 = complex.abs %8 : complex<f32>
    %12 = arith.addf %10, %11 : f32
    wax.yield %12 : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK: complex.add
// CHECK: complex.neg
// CHECK: complex.conj
func.func @what_is_exact_stays(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map (%a = %z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = complex.add %a, %a : complex<f32>
    %1 = complex.neg %0 : complex<f32>
    %2 = complex.conj %1 : complex<f32>
    wax.yield %2 : complex<f32>
  }
  return %0 : tensor<4xcomplex<f32>>
}
