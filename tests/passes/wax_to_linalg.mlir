// RUN: wax-opt %s --wax-to-linalg | FileCheck %s --check-prefixes=CHECK,UPSTREAM
// RUN: wax-opt %s --wax-to-linalg="target=iree outline=false" | FileCheck %s --check-prefixes=CHECK,IREE
// RUN: wax-opt %s --wax-to-linalg --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// Callees are inlined, constants folded into the bodies, and the calling
// convention's attributes kept.
// CHECK: #[[$DIMS:.*]] = affine_map<()[s0] -> (s0)>
// CHECK-NOT: wax.map
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<?xi32> {wax.dims = #[[$DIMS]], wax.name = "x", wax.sign = "unsigned"}
// CHECK-SAME: -> (tensor<?xi32> {wax.dims = #[[$DIMS]], wax.sign = "unsigned"})
// CHECK-SAME: wax.symbols
// CHECK: cf.assert
// UPSTREAM: linalg.generic
// UPSTREAM: arith.addi %{{.*}}, %c1_i32
// IREE: "flow.dispatch.region"
// IREE: arith.addi %{{.*}} : vector<16xi32>
// CHECK-NOT: call
// CHECK: return
// CHECK-NOT: func.func
func.func @main(%x: tensor<?xi32> {wax.name = "x", wax.sign = "unsigned", wax.dims = affine_map<()[s0] -> (s0)>})
    -> (tensor<?xi32> {wax.sign = "unsigned", wax.dims = affine_map<()[s0] -> (s0)>})
    attributes {wax.symbols = [{name = "n", min = 2 : i64, max = 9223372036854775807 : i64}]} {
  %0 = call @increment(%x) : (tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func private @increment(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = wax.constant dense<1> : tensor<i32>
  %0 = wax.broadcast arith.addi(%x[0], %one[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32> loc("user.py":7:3)
  return %0 : tensor<?xi32>
}

// LOC-DAG: #[[USER:.*]] = loc("user.py":7:3)
// LOC-DAG: #[[AT:.*]] = loc(callsite(#[[USER]] at
// LOC-DAG: } -> tensor<?xi32> loc(#[[AT]])
