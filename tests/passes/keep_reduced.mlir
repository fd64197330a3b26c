// RUN: wax-opt %s --wax-keep-reduced --split-input-file | FileCheck %s

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>

// Both sums of a pair would be the same one's.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SUM]])
// CHECK: linalg.generic {{.*}} ins(%[[APART]], %[[APART]]
func.func @pairs(%x: tensor<4x9xf32>, %init: tensor<4xf32>) -> tensor<4x4xf32> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x9xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#row, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.addf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>

// Through another map, and through a view.
// CHECK-LABEL: func.func @through_others
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SUM]])
// CHECK: linalg.sqrt ins(%[[APART]]
func.func @through_others(%x: tensor<4x9xf32>, %init: tensor<4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x9xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %0 = tensor.empty() : tensor<4xf32>
  %root = linalg.sqrt ins(%s : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %rows = tensor.expand_shape %root [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %1 = tensor.empty() : tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %s : tensor<4x1xf32>, tensor<4xf32>) outs(%1 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %3 = arith.addf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>

// One way, by however many; in two, but by two maps; and in what another
// reduction gives.
// CHECK-LABEL: func.func @in_one_way
// CHECK-NOT: util.optimization_barrier
func.func @in_one_way(%x: tensor<4x4xf32>, %init: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x4xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %0 = tensor.empty() : tensor<4xf32>
  %root = linalg.sqrt ins(%s : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.empty() : tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#both, #row, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %root : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %6 = arith.mulf %a, %b : f32
    %7 = arith.addf %6, %c : f32
    linalg.yield %7 : f32
  } -> tensor<4x4xf32>
  %3 = linalg.generic {indexing_maps = [#both, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x4xf32>, tensor<4xf32>) outs(%1 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %6 = arith.mulf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<4x4xf32>
  %t = linalg.reduce {arith.addf} ins(%3 : tensor<4x4xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %4 = linalg.add ins(%s, %t : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>
}
