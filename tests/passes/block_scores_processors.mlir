// RUN: wax-opt %s --wax-to-linalg="target=iree processor=any" | FileCheck %s --check-prefix=ANY
// RUN: wax-opt %s --wax-to-linalg="target=iree processor=avxvnni" | FileCheck %s --check-prefix=ANY
// RUN: wax-opt %s --wax-to-linalg="target=iree processor=avx512" | FileCheck %s --check-prefix=WIDE
// RUN: wax-opt %s --wax-to-linalg="target=iree processor=amx" | FileCheck %s --check-prefix=AMX

// A block's scores are what the processor's caches hold: half a MiB, two, one.
// ANY: tensor<1x128x1024xf32>
// WIDE: tensor<2x256x1024xf32>
// AMX: tensor<1x256x1024xf32>
func.func @attention(%q: tensor<8x1024x64xf32>, %k: tensor<8x1024x64xf32>, %v: tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x1024x64xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x1024x64xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x1024x1024x64xf32>, tensor<f32>) -> tensor<8x1024x1024xf32>
  %2 = wax.reduce arith.maximumf(%1) over [2] init(%low) : (tensor<8x1024x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %3 = wax.broadcast (%a = %1[0, 1, 2], %b = %2[0, 1]) : (tensor<8x1024x1024xf32>, tensor<8x1024xf32>) -> tensor<8x1024x1024xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %4 = wax.reduce arith.addf(%3) over [2] init(%zero) : (tensor<8x1024x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x1024x1024xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x64x1024xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<8x1024x64x1024xf32>, tensor<f32>) -> tensor<8x1024x64xf32>
  %7 = wax.broadcast arith.divf(%6[0, 1, 2], %4[0, 1]) : (tensor<8x1024x64xf32>, tensor<8x1024xf32>) -> tensor<8x1024x64xf32>
  return %7 : tensor<8x1024x64xf32>
}
