// What differs for GPUs: folds go by no vectors, and loops in a dispatch begin
// with a marked fill.
// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree gpu=true})' | FileCheck %s
// RUN: wax-opt %s --pass-pipeline='builtin.module(wax-to-linalg{target=iree outline=false})' | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: @sums
// CHECK-NOT: vector
// CHECK: linalg.generic
// CPU-LABEL: @sums
// CPU: vector<
func.func @sums(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @prefixes
// CHECK: scf.forall
// CHECK: %[[PART:.*]] = tensor.extract_slice
// CHECK: linalg.fill {one_thread} ins(%{{.*}} : f32) outs(%[[PART]]
// CHECK: scf.for
// CPU-LABEL: @prefixes
// CPU-NOT: one_thread
func.func @prefixes(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan arith.addf(%x) along 1 init(%zero) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// A fill by a complex number is a map, and keeps the mark.
// CHECK-LABEL: @complex_prefixes
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<5xcomplex<f32>>) attrs = {one_thread}
// CHECK: scf.for
func.func @complex_prefixes(%x: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %zero = wax.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = wax.scan complex.add(%x) along 0 init(%zero) : (tensor<5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
