// RUN: wax-opt %s --wax-read-copies --canonicalize --split-input-file | FileCheck %s

// Both have as many rows, by what is promised of the arguments.
// CHECK-LABEL: func @promised
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<?x64xf32> {{.*}}, %[[V:[a-z0-9]+]]: tensor<?x64xf32>
// CHECK-NOT: sizes
// CHECK: wax.broadcast arith.mulf(%[[G]][0, 2], %[[V]][1, 2]) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?x64xf32>
func.func @promised(
    %g: tensor<?x64xf32> {wax.dims = affine_map<()[n] -> (n, 64)>},
    %v: tensor<?x64xf32> {wax.dims = affine_map<()[n] -> (n, 64)>}) -> tensor<?x?x64xf32>
    attributes {wax.symbols = [{name = "n", min = 0, max = 9223372036854775807}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g, %c0 : tensor<?x64xf32>
  %0 = wax.broadcast (%a = %g[0, 2]) sizes [%n] : (tensor<?x64xf32>) -> tensor<?x?x64xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast arith.mulf(%0[0, 1, 2], %v[1, 2]) : (tensor<?x?x64xf32>, tensor<?x64xf32>) -> tensor<?x?x64xf32>
  return %1 : tensor<?x?x64xf32>
}

// -----

// Nobody says so: the product compares them when it runs.
// CHECK-LABEL: func @unknown
// CHECK: %[[COPY:.*]] = wax.broadcast {{.*}} sizes
// CHECK: wax.broadcast arith.mulf(%[[COPY]][0, 1, 2],
func.func @unknown(
    %g: tensor<?x64xf32> {wax.dims = affine_map<()[n, m] -> (n, 64)>},
    %v: tensor<?x64xf32> {wax.dims = affine_map<()[n, m] -> (m, 64)>}) -> tensor<?x?x64xf32>
    attributes {wax.symbols = [{name = "n", min = 0, max = 9223372036854775807}, {name = "m", min = 0, max = 9223372036854775807}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g, %c0 : tensor<?x64xf32>
  %0 = wax.broadcast (%a = %g[0, 2]) sizes [%n] : (tensor<?x64xf32>) -> tensor<?x?x64xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast arith.mulf(%0[0, 1, 2], %v[1, 2]) : (tensor<?x?x64xf32>, tensor<?x64xf32>) -> tensor<?x?x64xf32>
  return %1 : tensor<?x?x64xf32>
}

// -----

// A size that another operation was given, through what is made of it; two copies, and a dim that nothing else has.
// CHECK-LABEL: func @followed
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[PART:.*]] = wax.slice %[[X]]
// CHECK: %[[MADE:.*]] = wax.map math.exp(%[[PART]])
// CHECK: wax.broadcast (%a = %{{.*}}[], %b = %[[MADE]][0, 1]) sizes [%[[N]]] : {{.*}} -> tensor<8x?x?xf32>
func.func @followed(%x: tensor<8x?xf32>, %n: index) -> tensor<8x?x?xf32> {
  %one = wax.constant dense<2.0> : tensor<f32>
  %part = wax.slice %x offsets [0, 0] sizes [8, %n] strides [1, 1] : (tensor<8x?xf32>) -> tensor<8x?xf32>
  %made = wax.map math.exp(%part) : (tensor<8x?xf32>) -> tensor<8x?xf32>
  %0 = wax.broadcast (%a = %one[]) sizes [%n] : (tensor<f32>) -> tensor<?xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast (%a = %0[1]) sizes [%n] : (tensor<?xf32>) -> tensor<?x?xf32> {
    wax.yield %a : f32
  }
  %2 = wax.broadcast (%a = %1[2, 1], %b = %made[0, 1]) : (tensor<?x?xf32>, tensor<8x?xf32>) -> tensor<8x?x?xf32> {
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %a : f32
    wax.yield %t : f32
  }
  return %2 : tensor<8x?x?xf32>
}
