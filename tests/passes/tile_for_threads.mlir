// RUN: wax-opt %s --wax-tile-for-threads --split-input-file | FileCheck %s

#a = affine_map<(b, i, j, k) -> (b, i, k)>
#w = affine_map<(b, i, j, k) -> (k, j)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
// Rows of two dims are one.
// CHECK-LABEL: @sentences
// CHECK-SAME: (%[[X:.*]]: tensor<2x96x48xf32>, %[[W:.*]]: tensor<48x64xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x96x48xf32> into tensor<192x48xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[W]]
// CHECK-SAME: thread_tiles = [array<i64: 64, 64, 0>, array<i64: 8, 8, 0>, array<i64: 0, 0, 16>]
// CHECK: tensor.expand_shape %[[R]] {{\[\[}}0, 1], [2]]
func.func @sentences(%x: tensor<2x96x48xf32>, %w: tensor<48x64xf32>, %z: tensor<2x96x64xf32>) -> tensor<2x96x64xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x96x48xf32>, tensor<48x64xf32>) outs(%z : tensor<2x96x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %m, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x96x64xf32>
  return %0 : tensor<2x96x64xf32>
}

// -----

#a = affine_map<(b, i, j, k) -> (b, i, k)>
#w = affine_map<(b, i, j, k) -> (b, k, j)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
// What both factors share stays, one at a time.
// CHECK-LABEL: @stacks
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK-SAME: thread_tiles = [array<i64: 1, 64, 64, 0>, array<i64: 1, 8, 8, 0>, array<i64: 0, 0, 0, 16>]
func.func @stacks(%x: tensor<3x64x16xf32>, %w: tensor<3x16x64xf32>, %z: tensor<3x64x64xf32>) -> tensor<3x64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x64x16xf32>, tensor<3x16x64xf32>) outs(%z : tensor<3x64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %m, %s : f32
    linalg.yield %t : f32
  } -> tensor<3x64x64xf32>
  return %0 : tensor<3x64x64xf32>
}

// -----

#a = affine_map<(b, i, j, k) -> (b, i, k)>
#w = affine_map<(b, i, j, k) -> (k, j)>
#c = affine_map<(b, i, j, k) -> (b, j, i)>
// Rows that lie apart in the result, sizes that tiles do not divide, open ones, and f64 are IREE's.
// CHECK-LABEL: @others
// CHECK-NOT: thread_tiles
func.func @others(%x: tensor<2x64x16xf32>, %w: tensor<16x64xf32>, %z: tensor<2x64x64xf32>, %u: tensor<65x16xf32>,
                  %v: tensor<65x64xf32>, %a: tensor<?x16xf32>, %b: tensor<?x64xf32>, %d: tensor<64x16xf64>,
                  %e: tensor<16x64xf64>, %f: tensor<64x64xf64>)
    -> (tensor<2x64x64xf32>, tensor<65x64xf32>, tensor<?x64xf32>, tensor<64x64xf64>) {
  %0 = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x64x16xf32>, tensor<16x64xf32>) outs(%z : tensor<2x64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %m, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %w : tensor<65x16xf32>, tensor<16x64xf32>) outs(%v : tensor<65x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %m, %s : f32
    linalg.yield %t : f32
  } -> tensor<65x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x16xf32>, tensor<16x64xf32>) outs(%b : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %m, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %e : tensor<64x16xf64>, tensor<16x64xf64>) outs(%f : tensor<64x64xf64>) {
  ^bb0(%p: f64, %q: f64, %s: f64):
    %m = arith.mulf %p, %q : f64
    %t = arith.addf %m, %s : f64
    linalg.yield %t : f64
  } -> tensor<64x64xf64>
  return %0, %1, %2, %3 : tensor<2x64x64xf32>, tensor<65x64xf32>, tensor<?x64xf32>, tensor<64x64xf64>
}
