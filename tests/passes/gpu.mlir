// What differs for GPUs: no vectors, and loops begin with a fill.
// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree gpu=true})' | FileCheck %s
// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree})' | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: @sums
// CHECK-NOT: vector
// CHECK: linalg.generic
// CPU-LABEL: @sums
// CPU: vector
func.func @sums(%x: tensor<64x1000xf32>, %start: tensor<f32>) -> tensor<64xf32> {
  %0 = wax.reduce arith.addf combine (%x : tensor<64x1000xf32>) from (%start : tensor<f32>) along [1] : tensor<64xf32>
  return %0 : tensor<64xf32>
}
