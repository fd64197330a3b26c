// Functions are formulas for IREE, and operations that other toolchains know their own functions for.
// RUN: wax-opt %s --wax-to-linalg=target=iree | FileCheck %s --check-prefix=IREE
// RUN: wax-opt %s --wax-to-linalg=target=upstream | FileCheck %s --check-prefix=UPSTREAM

// IREE-NOT: {{math\.tanh|remf}}
// IREE: math.copysign
// UPSTREAM: math.tanh
// UPSTREAM: arith.remf
func.func @main(%x: tensor<5xf64>, %y: tensor<5xf64>) -> tensor<5xf64> {
  %0 = wax.map math.tanh(%x) : (tensor<5xf64>) -> tensor<5xf64>
  %1 = wax.broadcast arith.remf(%0[0], %y[0]) : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  return %1 : tensor<5xf64>
}
