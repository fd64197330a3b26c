// RUN: wax-opt %s --wax-keep-order | FileCheck %s

#id = affine_map<(i) -> (i)>

// Before each, whatever it is in; but not in what is one dispatch.
// CHECK-LABEL: func.func @main
// CHECK: "util.optimization_barrier"(%{{.*}}) : (i1) -> i1
// CHECK-NEXT: scf.for
// CHECK: "util.optimization_barrier"(%{{.*}}) : (i1) -> i1
// CHECK-NEXT: scf.if
// CHECK: linalg.generic
// CHECK-NOT: util.optimization_barrier
// CHECK: flow.dispatch.region
// CHECK-NOT: util.optimization_barrier
// CHECK: "util.optimization_barrier"(%{{.*}}) : (i1) -> i1
// CHECK-NEXT: scf.while
func.func @main(%x: tensor<4xf32>, %n: index, %holds: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %4 = scf.if %holds -> tensor<4xf32> {
      %5 = linalg.exp ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %5 : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %4 : tensor<4xf32>
  }
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %4 = scf.if %holds -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %out : f32
    }
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  %3 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %2) -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    }
    "flow.return"(%4) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  %6 = scf.while (%a = %3) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%holds) %a : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  return %3, %6 : tensor<4xf32>, tensor<4xf32>
}
