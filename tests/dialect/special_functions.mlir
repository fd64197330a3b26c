// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: @functions_of_one_scalar
func.func @functions_of_one_scalar(%x: tensor<4x?xf32>, %y: tensor<f64>) {
  // CHECK: wax.map wax.lgamma(%{{.*}}) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = wax.map wax.lgamma(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.map wax.erf_inv(%{{.*}}) : (tensor<f64>) -> tensor<f64>
  %1 = wax.map wax.erf_inv(%y) : (tensor<f64>) -> tensor<f64>
  // CHECK: wax.map wax.erfc_inv
  %2 = wax.map wax.erfc_inv(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.map wax.i0e
  %3 = wax.map wax.i0e(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.map wax.i1e
  %4 = wax.map wax.i1e(%y) : (tensor<f64>) -> tensor<f64>
  return
}

// CHECK-LABEL: @functions_of_two_scalars
func.func @functions_of_two_scalars(%a: tensor<3xf32>, %x: tensor<4xf32>) {
  // CHECK: wax.broadcast wax.igamma(%{{.*}}[0], %{{.*}}[1])
  %0 = wax.broadcast wax.igamma(%a[0], %x[1]) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: wax.broadcast wax.igammac(%{{.*}}[1], %{{.*}}[0])
  %1 = wax.broadcast wax.igammac(%a[1], %x[0]) : (tensor<3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: @functions_inside_a_kernel
func.func @functions_inside_a_kernel(%x: tensor<3xf64>) {
  // CHECK: wax.polygamma 1, %{{.*}} : f64
  // CHECK: wax.lgamma %{{.*}} : f64
  // CHECK: wax.igamma %{{.*}}, %{{.*}} : f64
  %0 = wax.map (%e = %x) : (tensor<3xf64>) -> tensor<3xf64> {
    %a = wax.polygamma 1, %e : f64
    %b = wax.lgamma %a : f64
    %c = wax.igamma %a, %b : f64
    wax.yield %c : f64
  }
  return
}
