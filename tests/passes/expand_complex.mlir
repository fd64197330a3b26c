// RUN: wax-opt %s --wax-to-linalg=target=upstream | FileCheck %s

// Functions of complex numbers become real ones of the parts.

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
// CHECK-LABEL: func @what_rounds_nothing_stays
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

// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: complex.neg
// CHECK: complex.conj
// CHECK-LABEL: func @a_logarithm_does_not_undo_an_exponential
func.func @what_rounds_nothing_stays(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map (%a = %z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = complex.add %a, %a : complex<f32>
    %1 = complex.neg %0 : complex<f32>
    %2 = complex.conj %1 : complex<f32>
    wax.yield %2 : complex<f32>
  }
  return %0 : tensor<4xcomplex<f32>>
}

// Upstream's folder would return the operand, whose imaginary part may have any number of turns.
// CHECK: math.exp
// CHECK: math.atan2
// CHECK-LABEL: func @a_difference_does_not_undo_a_sum
func.func @a_logarithm_does_not_undo_an_exponential(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map (%a = %z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = complex.exp %a : complex<f32>
    %1 = complex.log %0 : complex<f32>
    wax.yield %1 : complex<f32>
  }
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-COUNT-2: arith.addf
// CHECK-COUNT-2: arith.subf
func.func @a_difference_does_not_undo_a_sum(%z: tensor<4xcomplex<f32>>, %w: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast (%a = %z[0], %b = %w[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = complex.add %a, %b : complex<f32>
    %1 = complex.sub %0, %b : complex<f32>
    wax.yield %1 : complex<f32>
  }
  return %0 : tensor<4xcomplex<f32>>
}
