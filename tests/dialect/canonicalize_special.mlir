// RUN: wax-opt %s --canonicalize | FileCheck %s

// Special functions fold where the value is exact, and nowhere else.

// CHECK-LABEL: @exact_values
func.func @exact_values() -> (tensor<6xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf64>, tensor<3xf32>) {
  %x = wax.constant dense<[1.0, 2.0, 0.0, -0.0, 0xFF800000, 0x7FC00000]> : tensor<6xf32>
  %0 = wax.map wax.lgamma(%x) : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK-DAG: wax.constant dense<[0.000000e+00, 0.000000e+00, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %zeros = wax.constant dense<[0.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %1 = wax.map (%e = %zeros) : (tensor<3xf32>) -> tensor<3xf32> {
    %y = wax.polygamma 2, %e : f32
    wax.yield %y : f32
  }
  // CHECK-DAG: wax.constant dense<[0xFF800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %p = wax.constant dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xf32>
  %2 = wax.map wax.erf_inv(%p) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-DAG: wax.constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %q = wax.constant dense<[0.0, -0.0, 1.0, 2.0]> : tensor<4xf64>
  %3 = wax.map wax.erfc_inv(%q) : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK-DAG: wax.constant dense<[0x7FF0000000000000, 0x7FF0000000000000, 0.000000e+00, 0xFFF0000000000000]> : tensor<4xf64>
  %z = wax.constant dense<[0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<4xf64>
  %4 = wax.map (%e = %z) : (tensor<4xf64>) -> tensor<4xf64> {
    %a = wax.i0e %e : f64
    %b = wax.i1e %e : f64
    %c = arith.subf %b, %a : f64
    wax.yield %c : f64
  }
  // CHECK-DAG: wax.constant dense<[-1.000000e+00, -1.000000e+00, 0.000000e+00, -0.000000e+00]> : tensor<4xf64>
  %a = wax.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf32>
  %none = wax.constant dense<0.0> : tensor<3xf32>
  %5 = wax.broadcast (%e = %a[0], %f = %none[0]) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> {
    %lower = wax.igamma %e, %f : f32
    %upper = wax.igammac %e, %f : f32
    %difference = arith.subf %lower, %upper : f32
    wax.yield %difference : f32
  }
  // CHECK-DAG: wax.constant dense<-1.000000e+00> : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xf64>, tensor<3xf32>
}

// CHECK-LABEL: @what_is_not_exact_stays
func.func @what_is_not_exact_stays() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = wax.constant dense<3.0> : tensor<f32>
  %half = wax.constant dense<0.5> : tensor<f32>
  // CHECK: wax.map wax.lgamma
  %0 = wax.map wax.lgamma(%x) : (tensor<f32>) -> tensor<f32>
  // CHECK: wax.map wax.erf_inv
  %1 = wax.map wax.erf_inv(%half) : (tensor<f32>) -> tensor<f32>
  // CHECK: wax.broadcast wax.igamma
  %2 = wax.broadcast wax.igamma(%half[], %x[]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @a_constant_inside_a_kernel
func.func @a_constant_inside_a_kernel(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
  // CHECK-NEXT: arith.mulf %{{.*}}, %[[ZERO]]
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %two = arith.constant 2.0 : f32
    %zero = wax.lgamma %two : f32
    %y = arith.mulf %e, %zero : f32
    wax.yield %y : f32
  }
  return %0 : tensor<3xf32>
}
