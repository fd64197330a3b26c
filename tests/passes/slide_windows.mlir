// RUN: wax-opt %s --wax-lower=target=iree --canonicalize --wax-slide-windows --canonicalize --cse --split-input-file | FileCheck %s

// One dispatch, without what is padded: a place at each edge, and blocks of
// four, whose windows share six points of a row. Rows at the edge look where
// their windows are.
// CHECK-LABEL: func @depthwise
// CHECK-SAME: %[[X:.*]]: tensor<1x20x20x32xf32>, %[[W:.*]]: tensor<3x3x1x32xf32>
// CHECK-NOT: tensor.pad
// CHECK: "flow.dispatch.region"
// CHECK: %[[ROW:.*]] = arith.remui %{{.*}}, %c20
// CHECK: %[[FIRST:.*]] = arith.addi %[[ROW]], %c-1
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %[[FIRST]], %c0
// CHECK: %[[TO:.*]] = arith.cmpi slt, %[[FIRST]], %c18
// CHECK: %[[INSIDE:.*]] = arith.andi %[[FROM]], %[[TO]]
// CHECK: scf.if %[[INSIDE]]
// The first place: 2 of the 3 points of a row of its window.
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK-COUNT-6: vector.transfer_read %[[X]]
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK: vector.transfer_write
// CHECK: scf.for %{{.*}} = %c1 to %c17 step %c4
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK-NOT: arith.select
// CHECK-COUNT-18: vector.transfer_read %[[X]]{{.*}} vector<16xf32>
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK-COUNT-4: vector.transfer_write
// What blocks leave, and the last place.
// CHECK: scf.for %{{.*}} = %c17 to %c19 step %c1
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c1 to %c17 step %c4
// CHECK: %[[ABOVE:.*]] = arith.cmpi ult, %[[FIRST]], %c20
// CHECK: %[[PLACE:.*]] = arith.select %[[ABOVE]], %[[FIRST]], %c0
// CHECK: %[[READ:.*]] = vector.transfer_read %[[X]][%c0, %[[PLACE]], %{{.*}}, %{{.*}}]
// CHECK: arith.select %[[ABOVE]], %[[READ]], %{{.*}} : vector<16xf32>
// CHECK: return
func.func @depthwise(%x: tensor<1x20x20x32xf32>, %w: tensor<3x3x1x32xf32>) -> tensor<1x20x20x32xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [1, 1] high [1, 1] feature_groups 32 : (tensor<1x20x20x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x20x20x32xf32>
  return %0 : tensor<1x20x20x32xf32>
}

// -----

// Where sizes are open, what is padded is written first.
// CHECK-LABEL: func @open
// CHECK: tensor.pad
// CHECK: "flow.dispatch.region"
// CHECK: arith.remui
// CHECK: vector.transfer_read
func.func @open(%x: tensor<1x20x?x32xf32>, %w: tensor<3x3x1x32xf32>) -> tensor<1x20x?x32xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [1, 1] high [1, 1] feature_groups 32 : (tensor<1x20x?x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x20x?x32xf32>
  return %0 : tensor<1x20x?x32xf32>
}

// -----

// Features are summed up: a product of matrices.
// CHECK-LABEL: func @features
// CHECK-NOT: flow.dispatch.region
// CHECK: return
func.func @features(%x: tensor<1x20x20x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<1x18x18x32xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [0, 0] high [0, 0] feature_groups 1 : (tensor<1x20x20x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x18x18x32xf32>
  return %0 : tensor<1x18x18x32xf32>
}

// -----

// Too few for vectors.
// CHECK-LABEL: func @few
// CHECK-NOT: flow.dispatch.region
// CHECK: return
func.func @few(%x: tensor<1x20x20x7xf32>, %w: tensor<3x3x1x7xf32>) -> tensor<1x18x18x7xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [0, 0] high [0, 0] feature_groups 7 : (tensor<1x20x20x7xf32>, tensor<3x3x1x7xf32>) -> tensor<1x18x18x7xf32>
  return %0 : tensor<1x18x18x7xf32>
}

// -----

// Windows too large to be written out.
// CHECK-LABEL: func @large
// CHECK-NOT: flow.dispatch.region
// CHECK: return
func.func @large(%x: tensor<1x20x20x32xf32>, %w: tensor<10x9x1x32xf32>) -> tensor<1x11x12x32xf32> {
  %0 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f] strides [1, 1] low [0, 0] high [0, 0] feature_groups 32 : (tensor<1x20x20x32xf32>, tensor<10x9x1x32xf32>) -> tensor<1x11x12x32xf32>
  return %0 : tensor<1x11x12x32xf32>
}

// -----

// Of one tensor, whose largest elements are taken; what tells the sizes of
// windows is not read.
// CHECK-LABEL: func @pooled
// CHECK: "flow.dispatch.region"
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK-COUNT-20: arith.maximumf %{{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.transfer_write
// CHECK: arith.maximumf
#read = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#window = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#made = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
func.func @pooled(%x: tensor<2x20x20x32xf32>) -> tensor<2x10x9x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x10x9x32xf32>
  %1 = linalg.fill ins(%least : f32) outs(%0 : tensor<2x10x9x32xf32>) -> tensor<2x10x9x32xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = linalg.generic {indexing_maps = [#read, #window, #made], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %2 : tensor<2x20x20x32xf32>, tensor<2x3xf32>) outs(%1 : tensor<2x10x9x32xf32>) {
  ^bb0(%in: f32, %of: f32, %out: f32):
    %4 = arith.maximumf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<2x10x9x32xf32>
  return %3 : tensor<2x10x9x32xf32>
}

// -----

// A convolution of one dim is in a dispatch of its own already, with a dim of
// size 1 for IREE's sake.
// CHECK-LABEL: func @causal
// CHECK-SAME: %[[X:.*]]: tensor<3x50x32xf32>
// CHECK-NOT: tensor.pad
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[X]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @causal(%x: tensor<3x50x32xf32>, %w: tensor<4x1x32xf32>) -> tensor<3x50x32xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [3] high [0] feature_groups 32 : (tensor<3x50x32xf32>, tensor<4x1x32xf32>) -> tensor<3x50x32xf32>
  return %0 : tensor<3x50x32xf32>
}

// -----

// How much is padded before is not known, though the sizes are.
// CHECK-LABEL: func @unknown
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[P]]
#padded = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d1 + d4, d2)>
#kernel = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#sums = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
func.func @unknown(%x: tensor<20x20x32xf32>, %w: tensor<3x3x32xf32>, %n: index) -> tensor<20x20x32xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[%n, 1, 0] high[1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<20x20x32xf32> to tensor<22x22x32xf32>
  %0 = tensor.empty() : tensor<20x20x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<20x20x32xf32>) -> tensor<20x20x32xf32>
  %2 = linalg.generic {indexing_maps = [#padded, #kernel, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%p, %w : tensor<22x22x32xf32>, tensor<3x3x32xf32>) outs(%1 : tensor<20x20x32xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %3 = arith.mulf %in, %by : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<20x20x32xf32>
  return %2 : tensor<20x20x32xf32>
}
