// RUN: wax-opt %s --wax-keep-slices --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @of_a_column
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SLICE]])
// CHECK: linalg.generic {{.*}} ins(%[[APART]] : tensor<3xf32>)
func.func @of_a_column(%x: tensor<?x?xf32>) -> tensor<3xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<?x?xf32> to tensor<3xf32>
  %1 = tensor.empty() : tensor<3xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<3xf32>) outs(%1 : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %4 = arith.negf %a : f32
    linalg.yield %4 : f32
  } -> tensor<3xf32>
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%1 : tensor<3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c2, %i : index
    %a = tensor.extract %2[%j] : tensor<3xf32>
    linalg.yield %a : f32
  } -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @of_dynamic_size
// CHECK-SAME: %[[M:[a-z0-9]+]]: index
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[BARRIER:.*]] = "util.optimization_barrier"(%[[SLICE]])
// CHECK: %[[APART:.*]] = "flow.tensor.tie_shape"(%[[BARRIER]], %[[M]])
// CHECK: tensor.dim %[[SLICE]]
// CHECK: tensor.extract %[[APART]]
func.func @of_dynamic_size(%x: tensor<4x8xf32>, %m: index) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %x[0, 0] [4, %m] [1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %n = tensor.dim %0, %c1 : tensor<4x?xf32>
  %1 = tensor.empty(%n) : tensor<4x?xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<4x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %0[%i, %j] : tensor<4x?xf32>
    linalg.yield %a : f32
  } -> tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @of_whole_rows
// CHECK-NOT: util.optimization_barrier
func.func @of_whole_rows(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %x[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %1 = tensor.empty() : tensor<2x8xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<2x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c1, %i : index
    %a = tensor.extract %0[%k, %j] : tensor<2x8xf32>
    linalg.yield %a : f32
  } -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @read_in_order
// CHECK-NOT: util.optimization_barrier
func.func @read_in_order(%x: tensor<?x?xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<?x?xf32> to tensor<3xf32>
  %1 = tensor.empty() : tensor<3xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<3xf32>) outs(%1 : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %4 = arith.negf %a : f32
    linalg.yield %4 : f32
  } -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @of_one_that_gets_more_dims
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SLICE]])
// CHECK: tensor.expand_shape %[[APART]]
func.func @of_one_that_gets_more_dims(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.extract_slice %x[1] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %2 = tensor.cast %1 : tensor<1x1xf32> to tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @of_one_with_known_dims
// CHECK-NOT: util.optimization_barrier
func.func @of_one_with_known_dims(%x: tensor<?xf32>) -> tensor<1x1xf32> {
  %0 = tensor.extract_slice %x[1] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @of_one_that_a_loop_nest_gives_more_dims
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SLICE]])
// CHECK: linalg.generic {{.*}} ins(%[[APART]]
#row = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>
func.func @of_one_that_a_loop_nest_gives_more_dims(%x: tensor<3xf32>) -> tensor<1x1xf32> {
  %0 = tensor.extract_slice %x[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
  %1 = tensor.empty() : tensor<1x1xf32>
  %2 = linalg.generic {indexing_maps = [#row, #both], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1xf32>) outs(%1 : tensor<1x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func.func @of_one_that_gets_more_dims_to_be_padded
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SLICE]])
// CHECK: tensor.expand_shape %[[APART]]
func.func @of_one_that_gets_more_dims_to_be_padded(%x: tensor<?xf32>, %y: f32) -> tensor<3x1xf32> {
  %0 = tensor.extract_slice %x[1] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %2 = tensor.pad %1 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %y : f32
  } : tensor<1x1xf32> to tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}

// -----

// An element that is looked up is one too.
// CHECK-LABEL: func.func @of_one_that_is_looked_up
// CHECK: %[[ONE:.*]] = linalg.generic
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[ONE]])
// CHECK: tensor.expand_shape %[[APART]]
func.func @of_one_that_is_looked_up(%x: tensor<?xf32>, %i: index, %y: f32) -> tensor<3x1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<1xf32>) {
  ^bb0(%out: f32):
    %a = tensor.extract %x[%i] : tensor<?xf32>
    linalg.yield %a : f32
  } -> tensor<1xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %2 = tensor.pad %1 low[1, 0] high[1, 0] {
  ^bb0(%j: index, %k: index):
    tensor.yield %y : f32
  } : tensor<1x1xf32> to tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}

// What is widened is made before every other element of it is taken, and not within what reads that.
// CHECK-LABEL: func @every_other_of_what_is_widened
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[WIDE]])
// CHECK: tensor.extract_slice %[[APART]][0] [50] [2]
func.func @every_other_of_what_is_widened(%x: tensor<100xf16>) -> tensor<50xf32> {
  %e = tensor.empty() : tensor<100xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<100xf16>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    linalg.yield %w : f32
  } -> tensor<100xf32>
  %1 = tensor.extract_slice %0[0] [50] [2] : tensor<100xf32> to tensor<50xf32>
  return %1 : tensor<50xf32>
}

// IREE goes by tiles through elements beside each other, and makes others that are as wide before.
// CHECK-LABEL: func @neither
// CHECK-NOT: util.optimization_barrier
func.func @neither(%x: tensor<100xf16>, %y: tensor<100xf32>) -> (tensor<50xf32>, tensor<50xf32>) {
  %e = tensor.empty() : tensor<100xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<100xf16>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    linalg.yield %w : f32
  } -> tensor<100xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%y : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %a : f32
    linalg.yield %w : f32
  } -> tensor<100xf32>
  %2 = tensor.extract_slice %0[3] [50] [1] : tensor<100xf32> to tensor<50xf32>
  %3 = tensor.extract_slice %1[0] [50] [2] : tensor<100xf32> to tensor<50xf32>
  return %2, %3 : tensor<50xf32>, tensor<50xf32>
}
