// RUN: wax-opt %s --wax-vectorize-maps=processor=avx512 --split-input-file | FileCheck %s

// Where IREE would have nothing left but maps and transpositions, each a dispatch alone, they are ours too; a map that
// only another reads is done with that.
// CHECK-LABEL: func @all_of_it
// CHECK-NOT: linalg.
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read
// CHECK: "flow.dispatch.region"
// CHECK: arith.mulf {{.*}} : vector
// CHECK: arith.addf {{.*}} : vector
// CHECK-NOT: "flow.dispatch.region"
// CHECK-NOT: linalg.
// CHECK: return
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @all_of_it(%x: tensor<4x6x64xf32>, %y: tensor<8x64xf32>) -> (tensor<6x4x64xf32>, tensor<8x64xf32>) {
  %c = arith.constant 2.0 : f32
  %0 = tensor.empty() : tensor<6x4x64xf32>
  %1 = linalg.transpose ins(%x : tensor<4x6x64xf32>) outs(%0 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x64xf32>) outs(%2 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<8x64xf32>) outs(%2 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %1, %4 : tensor<6x4x64xf32>, tensor<8x64xf32>
}

// -----

// Where IREE makes loops of anything else, it may do maps with that: they stay.
// CHECK-LABEL: func @beside_a_sum
// CHECK: linalg.generic
// CHECK: linalg.transpose
// CHECK-NOT: flow.dispatch.region
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @beside_a_sum(%x: tensor<8x64xf32>, %y: tensor<4x6x64xf32>) -> (tensor<8xf32>, tensor<6x4x64xf32>) {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#map, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %3 = tensor.empty() : tensor<6x4x64xf32>
  %4 = linalg.transpose ins(%y : tensor<4x6x64xf32>) outs(%3 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  return %2, %4 : tensor<8xf32>, tensor<6x4x64xf32>
}

// -----

// What two read IREE computes with them, in one dispatch.
// CHECK-LABEL: func @read_twice
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: flow.dispatch.region
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @read_twice(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %1, %2 : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// An argument that may be written over is, by IREE.
// CHECK-LABEL: func @donated
// CHECK: linalg.generic
// CHECK-NOT: flow.dispatch.region
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @donated(%x: tensor<8x64xf32> {wax.donated}) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
