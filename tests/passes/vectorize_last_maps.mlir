// RUN: wax-opt %s --wax-vectorize-maps=processor=avx512 --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-vectorize-maps --split-input-file | FileCheck %s --check-prefix=ANY

// Where IREE would have nothing left but transpositions, each a dispatch alone, they are ours too, and read and write
// rows.
// CHECK-LABEL: func @all_of_it
// CHECK-NOT: linalg.
// CHECK-COUNT-2: "flow.dispatch.region"
// CHECK: vector.transfer_read %{{.*}} : tensor<12x128x64xf32>, vector<16xf32>
// CHECK: vector.transfer_write
// CHECK-NOT: linalg.
// CHECK: return
func.func @all_of_it(%x: tensor<4x6x64xf32>, %y: tensor<12x128x64xf32>) -> (tensor<6x4x64xf32>, tensor<128x12x64xf32>) {
  %0 = tensor.empty() : tensor<6x4x64xf32>
  %1 = linalg.transpose ins(%x : tensor<4x6x64xf32>) outs(%0 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  %2 = tensor.empty() : tensor<128x12x64xf32>
  %3 = linalg.transpose ins(%y : tensor<12x128x64xf32>) outs(%2 : tensor<128x12x64xf32>) permutation = [1, 0, 2]
  return %1, %3 : tensor<6x4x64xf32>, tensor<128x12x64xf32>
}

// -----

// So are maps, for processors that machine code is made for.
// CHECK-LABEL: func @beside_a_map
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %{{.*}} : tensor<4x6x64xf32>, vector<16xf32>
// CHECK: "flow.dispatch.region"
// CHECK: arith.mulf %{{.*}} : vector<16xf32>
// CHECK-NOT: linalg.
// CHECK: return
// ANY-LABEL: func @beside_a_map
// ANY: linalg.transpose
// ANY: linalg.generic
// ANY-NOT: flow.dispatch.region
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @beside_a_map(%x: tensor<8x64xf32>, %y: tensor<4x6x64xf32>) -> (tensor<8x64xf32>, tensor<6x4x64xf32>) {
  %0 = tensor.empty() : tensor<6x4x64xf32>
  %1 = linalg.transpose ins(%y : tensor<4x6x64xf32>) outs(%0 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%2 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %3, %1 : tensor<8x64xf32>, tensor<6x4x64xf32>
}

// -----

// One element is a row too, and what is made of it is in the loops that read it.
// CHECK-LABEL: func @a_number
// CHECK: "flow.dispatch.region"
// CHECK: arith.addi
// CHECK: "flow.dispatch.region"
// CHECK-NOT: linalg.
// CHECK: return
#map = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#number = affine_map<() -> ()>
func.func @a_number(%x: tensor<20xi32>, %n: tensor<i32>) -> (tensor<20xi32>, tensor<i32>) {
  %c1 = arith.constant 1 : i32
  %0 = tensor.empty() : tensor<i32>
  %1 = linalg.generic {indexing_maps = [#number, #number], iterator_types = []}
      ins(%n : tensor<i32>) outs(%0 : tensor<i32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %a, %c1 : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  %2 = tensor.empty() : tensor<20xi32>
  %3 = linalg.generic {indexing_maps = [#map, #none, #map], iterator_types = ["parallel"]}
      ins(%x, %1 : tensor<20xi32>, tensor<i32>) outs(%2 : tensor<20xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.muli %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<20xi32>
  return %3, %1 : tensor<20xi32>, tensor<i32>
}

// -----

// So does one of another transposition, or of a part that lies apart, which IREE reads where it is.
// CHECK-LABEL: func @of_another
// CHECK-COUNT-2: linalg.transpose
// CHECK-NOT: flow.dispatch.region
func.func @of_another(%x: tensor<4x6x64xf32>) -> tensor<4x6x64xf32> {
  %0 = tensor.empty() : tensor<6x4x64xf32>
  %1 = linalg.transpose ins(%x : tensor<4x6x64xf32>) outs(%0 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  %2 = tensor.empty() : tensor<4x6x64xf32>
  %3 = linalg.transpose ins(%1 : tensor<6x4x64xf32>) outs(%2 : tensor<4x6x64xf32>) permutation = [1, 0, 2]
  return %3 : tensor<4x6x64xf32>
}

// -----

// CHECK-LABEL: func @of_a_part
// CHECK: linalg.transpose
// CHECK-NOT: flow.dispatch.region
func.func @of_a_part(%x: tensor<4x6x80xf32>) -> tensor<6x4x64xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0] [4, 6, 64] [1, 1, 1] : tensor<4x6x80xf32> to tensor<4x6x64xf32>
  %1 = tensor.empty() : tensor<6x4x64xf32>
  %2 = linalg.transpose ins(%0 : tensor<4x6x64xf32>) outs(%1 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  return %2 : tensor<6x4x64xf32>
}

// -----

// An argument that may be written over is, by IREE.
// CHECK-LABEL: func @donated
// CHECK: linalg.transpose
// CHECK-NOT: flow.dispatch.region
func.func @donated(%x: tensor<4x6x64xf32> {wax.donated}) -> tensor<6x4x64xf32> {
  %0 = tensor.empty() : tensor<6x4x64xf32>
  %1 = linalg.transpose ins(%x : tensor<4x6x64xf32>) outs(%0 : tensor<6x4x64xf32>) permutation = [1, 0, 2]
  return %1 : tensor<6x4x64xf32>
}

// -----

// Where IREE makes loops of anything else, it may do them with that: they stay.
// CHECK-LABEL: func @a_sum_beside_loops
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: flow.dispatch.region
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @a_sum_beside_loops(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> (tensor<8x64xf32>, tensor<8xf32>, tensor<4xf32>) {
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%2 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  %0 = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %4 = tensor.empty() : tensor<4xf32>
  %5 = scf.forall (%i) in (4) shared_outs(%all = %4) -> tensor<4xf32> {
    %part = tensor.extract_slice %all[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %all[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %3, %0, %5 : tensor<8x64xf32>, tensor<8xf32>, tensor<4xf32>
}
