// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree gpu=true})' | FileCheck %s
// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree})' | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: @scaled
// CHECK-NOT: arith.mulf
// CHECK: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: math.fma %{{.*}}, %{{.*}}, %[[NONE]] : f32
// CPU-LABEL: @scaled
// CPU: arith.mulf
// CPU-NOT: math.fma
func.func @scaled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %two = arith.constant 2.0 : f32
    %0 = arith.mulf %a, %two : f32
    wax.yield %0 : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @negated
// CHECK-NOT: arith.negf
// CHECK-DAG: %[[ONE:.*]] = arith.constant -1.000000e+00 : f16
// CHECK-DAG: %[[NONE:.*]] = arith.constant -0.000000e+00 : f16
// CHECK: math.fma %{{.*}}, %[[ONE]], %[[NONE]] : f16
// CPU-LABEL: @negated
// CPU: arith.negf
func.func @negated(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = wax.map arith.negf(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}

// What a reduction multiplies and adds up is a contraction, and what is bfloat16
// is multiplied by way of f32.
// CHECK-LABEL: @others
// CHECK: arith.mulf
// CHECK: arith.negf %{{.*}} : bf16
func.func @others(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce (%a = %x, %b = %y) over [1] init(%s = %zero) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> {
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %s : f32
    wax.yield %t : f32
  }
  %1 = wax.map arith.negf(%z) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0, %1 : tensor<4xf32>, tensor<4xbf16>
}
