// RUN: wax-opt %s --wax-tile-products --canonicalize --cse --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#across = affine_map<(d0, d1, d2) -> (d1, d2)>
#down = affine_map<(d0, d1, d2) -> (d2, d0)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#turned = affine_map<(d0, d1, d2) -> (d1, d0)>

// A panel of columns stays in the cache, six rows go by, and two that are left.
// CHECK-LABEL: func @panels
// CHECK-SAME: %[[A:.*]]: tensor<128x80xf32>, %[[B:.*]]: tensor<80x96xf32>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: scf.forall (%{{.*}}) in (12) shared_outs
// CHECK: %[[PANEL:.*]] = scf.for %[[K:.*]] = %c0 to %c80 step %c1
// CHECK: %[[ROW:.*]] = vector.transfer_read %[[B]][%{{.*}}, %{{.*}}]{{.*}} vector<16xf32>
// CHECK: vector.transfer_write %[[ROW]], %{{.*}}[%[[K]], %c0]{{.*}} tensor<80x16xf32>
// CHECK: scf.for {{.*}} step %c6
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} to %c80 step %c2 iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<6x16xf32>)
// CHECK: %[[X:.*]] = tensor.extract %[[A]]
// CHECK: %[[V:.*]] = vector.transfer_read %[[PANEL]]
// CHECK: %[[XS:.*]] = vector.from_elements %[[X]], {{.*}} : vector<6xf32>
// CHECK: %[[DOWN:.*]] = vector.shape_cast %[[XS]] : vector<6xf32> to vector<6x1xf32>
// CHECK-DAG: %[[LEFT:.*]] = vector.broadcast %[[DOWN]] : vector<6x1xf32> to vector<6x16xf32>
// CHECK-DAG: %[[RIGHT:.*]] = vector.broadcast %[[V]] : vector<16xf32> to vector<6x16xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[LEFT]], %[[RIGHT]] fastmath<contract>
// CHECK: arith.addf %[[M]], %[[ACC]] fastmath<contract>
// CHECK: vector.extract %[[SUMS]][5]
// CHECK: scf.for {{.*}} -> (vector<2x16xf32>)
// CHECK-NOT: linalg.generic
func.func @panels(%a: tensor<128x80xf32>, %b: tensor<80x96xf32>) -> tensor<128x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x96xf32>) -> tensor<128x96xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x80xf32>, tensor<80x96xf32>) outs(%init : tensor<128x96xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x96xf32>
  return %0 : tensor<128x96xf32>
}

// For many rows all panels are made before, by turns of the factor as it lies. They are long: of 2100 turns there are two.
// CHECK-LABEL: func @panels_before
// CHECK-SAME: %[[A:.*]]: tensor<600x2100xf32>, %[[B:.*]]: tensor<2100x90xf32>
// CHECK: %[[PANELS:.*]] = "flow.dispatch.region"
// CHECK: scf.for %{{.*}} = %c0 to %c2100 step %c1
// CHECK: vector.transfer_read %[[B]]
// CHECK: tensor<6x2104x16xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.for %{{.*}} = %c0 to %c2100 step %c1056
// CHECK-NOT: tensor.empty
// CHECK: tensor.extract %[[A]]
// CHECK: vector.transfer_read %[[PANELS]]
func.func @panels_before(%a: tensor<600x2100xf32>, %b: tensor<2100x90xf32>) -> tensor<600x90xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<600x90xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<600x90xf32>) -> tensor<600x90xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<600x2100xf32>, tensor<2100x90xf32>) outs(%init : tensor<600x90xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<600x90xf32>
  return %0 : tensor<600x90xf32>
}

// For fewer rows panels are on the stack. Where no columns are left over there is one at a time, longer than two would be.
// What has rows side by side is rearranged.
// CHECK-LABEL: func @rows_side_by_side
// CHECK-SAME: %[[A:.*]]: tensor<700x96xf32>
// CHECK: %[[ROWS:.*]] = "flow.dispatch.region"
// CHECK: vector.transfer_read %[[A]]{{.*}} vector<6xf32>
// CHECK: tensor<16x700x6xf32>
// CHECK: "flow.dispatch.region"
// CHECK: tensor.empty() : tensor<352x16xf32>
// CHECK: tensor.extract %[[ROWS]]
func.func @rows_side_by_side(%a: tensor<700x96xf32>, %b: tensor<700x128xf32>) -> tensor<96x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x128xf32>) -> tensor<96x128xf32>
  %0 = linalg.generic {indexing_maps = [#down, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<700x96xf32>, tensor<700x128xf32>) outs(%init : tensor<96x128xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<96x128xf32>
  return %0 : tensor<96x128xf32>
}

// Two panels, of whole vectors and of what is left, are shorter; of few columns the rows are read where they lie.
// CHECK-LABEL: func @rows_where_they_lie
// CHECK-SAME: %[[A:.*]]: tensor<700x96xf32>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: tensor.empty() : tensor<240x16xf32>
// CHECK: tensor.extract %[[A]]
func.func @rows_where_they_lie(%a: tensor<700x96xf32>, %b: tensor<700x90xf32>) -> tensor<96x90xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x90xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x90xf32>) -> tensor<96x90xf32>
  %0 = linalg.generic {indexing_maps = [#down, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<700x96xf32>, tensor<700x90xf32>) outs(%init : tensor<96x90xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<96x90xf32>
  return %0 : tensor<96x90xf32>
}

// Rows along memory are read where they lie, a multiple of 4096 bytes apart too.
// CHECK-LABEL: func @rows_of_a_narrow_tile
// CHECK-SAME: %[[A:.*]]: tensor<128x1024xf32>
// CHECK-NOT: tensor<{{[0-9x]*}}x6x16xf32>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK-NOT: "flow.dispatch.region"
// CHECK: tensor.extract %[[A]]
func.func @rows_of_a_narrow_tile(%a: tensor<128x1024xf32>, %b: tensor<1024x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x1024xf32>, tensor<1024x64xf32>) outs(%init : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// What lies across is turned in squares; what there is to add to is read.
// CHECK-LABEL: func @across_and_added
// CHECK-SAME: %{{.*}}: tensor<?x100xf64>, %[[B:.*]]: tensor<70x100xf64>, %[[C:.*]]: tensor<?x70xf64>
// CHECK: scf.for {{.*}} step %c8
// CHECK: vector.create_mask {{.*}} vector<8xi1>
// CHECK: vector.transfer_read %[[B]]
// CHECK: vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
// CHECK: scf.for {{.*}} step %c6
// CHECK: vector.transfer_read %[[C]]
// CHECK: scf.for {{.*}} step %c1
// CHECK-NOT: linalg.generic
func.func @across_and_added(%a: tensor<?x100xf64>, %b: tensor<70x100xf64>, %c: tensor<?x70xf64>) -> tensor<?x70xf64> {
  %0 = linalg.generic {indexing_maps = [#rows, #across, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x100xf64>, tensor<70x100xf64>) outs(%c : tensor<?x70xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = arith.addf %z, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?x70xf64>
  return %0 : tensor<?x70xf64>
}

// Bytes are multiplied in f32, and summed up exactly for 256 of them; the
// factor that lies down is rearranged before.
// CHECK-LABEL: func @bytes
// CHECK: %[[PACKED:.*]] = "flow.dispatch.region"
// CHECK: %[[BYTE:.*]] = tensor.extract %{{.*}} : tensor<300x64xi8>
// CHECK: %[[WIDE:.*]] = arith.uitofp %[[BYTE]] : i8 to f32
// CHECK: tensor.insert %[[WIDE]] into %{{.*}} : tensor<?x300x6xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.for {{.*}} to %c300 step %c152
// CHECK: arith.sitofp %{{.*}} : vector<16xi8> to vector<16xf32>
// CHECK: tensor.extract %[[PACKED]]
// CHECK: %[[SUM:.*]] = arith.fptosi %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK: arith.addi %[[SUM]], %{{.*}} : vector<16xi32>
func.func @bytes(%a: tensor<300x64xi8>, %b: tensor<300x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %0 = linalg.generic {indexing_maps = [#down, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<300x64xi8>, tensor<300x64xi8>) outs(%c : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %z : i32
    linalg.yield %4 : i32
  } -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// What copies the result to places in another order gets it there at once, with
// dims split as it has them.
// CHECK-LABEL: func @copied
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_write {{.*}} tensor<32x?xf32>
// CHECK: %[[TURNED:.*]] = tensor.expand_shape %{{.*}} : tensor<32x98xf32> into tensor<32x2x7x7xf32>
// CHECK-NOT: linalg.generic
// CHECK: return
#pixels = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#same = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @copied(%a: tensor<98x256xf32>, %b: tensor<32x256xf32>) -> tensor<32x2x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<98x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<98x32xf32>) -> tensor<98x32xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #across, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<98x256xf32>, tensor<32x256xf32>) outs(%init : tensor<98x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<98x32xf32>
  %split = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [2, 7, 7, 32] : tensor<98x32xf32> into tensor<2x7x7x32xf32>
  %to = tensor.empty() : tensor<32x2x7x7xf32>
  %turned = linalg.generic {indexing_maps = [#pixels, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%split : tensor<2x7x7x32xf32>) outs(%to : tensor<32x2x7x7xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<32x2x7x7xf32>
  return %turned : tensor<32x2x7x7xf32>
}

// The factor whose loop the result has last is the one with columns.
// CHECK-LABEL: func @turned
// CHECK-SAME: %[[A:.*]]: tensor<40x65xf32>, %[[B:.*]]: tensor<65x70xf32>
// CHECK: vector.transfer_read %[[A]]
// CHECK: tensor.extract %[[B]]
// CHECK-NOT: linalg.generic
func.func @turned(%a: tensor<40x65xf32>, %b: tensor<65x70xf32>, %c: tensor<70x40xf32>) -> tensor<70x40xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #turned], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x65xf32>, tensor<65x70xf32>) outs(%c : tensor<70x40xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<70x40xf32>
  return %0 : tensor<70x40xf32>
}

// -----

#rows = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#columns = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>

// Dims that go together are one.
// CHECK-LABEL: func @several_dims
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<4x8x32xf32> into tensor<32x32xf32>
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<32x8x16xf32> into tensor<32x128xf32>
// CHECK: "flow.dispatch.region"
// CHECK: tensor.expand_shape %{{.*}} : tensor<32x128xf32> into tensor<4x8x8x16xf32>
func.func @several_dims(%a: tensor<4x8x32xf32>, %b: tensor<32x8x16xf32>, %c: tensor<4x8x8x16xf32>) -> tensor<4x8x8x16xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8x32xf32>, tensor<32x8x16xf32>) outs(%c : tensor<4x8x8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<4x8x8x16xf32>
  return %0 : tensor<4x8x8x16xf32>
}

// -----

#rows = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#columns = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#stack_last = affine_map<(d0, d1, d2, d3) -> (d1, d2, d0)>
#result = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>

// A stack may be in the middle …
// CHECK-LABEL: func @stack_in_the_middle
// CHECK: "flow.dispatch.region"
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}, %{{.*}}] [40, 1, %{{.*}}] [1, 1, 1] : tensor<40x5x40xf32> to tensor<40x1x?xf32>
func.func @stack_in_the_middle(%a: tensor<5x40x40xf32>, %b: tensor<5x40x40xf32>, %c: tensor<40x5x40xf32>) -> tensor<40x5x40xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x40x40xf32>, tensor<5x40x40xf32>) outs(%c : tensor<40x5x40xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<40x5x40xf32>
  return %0 : tensor<40x5x40xf32>
}

// … but not last, where vectors lie.
// CHECK-LABEL: func @stack_last
// CHECK-NOT: "flow.dispatch.region"
func.func @stack_last(%a: tensor<5x40x40xf32>, %b: tensor<5x40x40xf32>, %c: tensor<40x40x5xf32>) -> tensor<40x40x5xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #stack_last], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x40x40xf32>, tensor<5x40x40xf32>) outs(%c : tensor<40x40x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<40x40x5xf32>
  return %0 : tensor<40x40x5xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Of few rows the other factor is read along memory, eight rows of it at a time.
// CHECK-LABEL: func @few_rows
// CHECK-SAME: %[[A:.*]]: tensor<3x512xf32>, %[[B:.*]]: tensor<512x512xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: scf.for {{.*}} step %c8
// CHECK: scf.for {{.*}} step %c8
// CHECK-COUNT-3: vector.transfer_read {{.*}} : tensor<3x?xf32>, vector<8xf32>
// CHECK: vector.transfer_read %[[B]]{{.*}} : tensor<512x512xf32>, vector<8xf32>
// CHECK: tensor.extract %[[A]]
// CHECK: arith.mulf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK-NOT: linalg.generic
func.func @few_rows(%a: tensor<3x512xf32>, %b: tensor<512x512xf32>) -> tensor<3x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x512xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x512xf32>) -> tensor<3x512xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x512xf32>, tensor<512x512xf32>) outs(%c : tensor<3x512xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<3x512xf32>
  return %0 : tensor<3x512xf32>
}

// Where both lie along what is summed up, so do vectors: of two columns and three rows there are six, whose lanes are
// added up at the end, of two vectors at once.
// CHECK-LABEL: func @few_rows_along
// CHECK-SAME: %[[A:.*]]: tensor<3x512xf32>, %[[B:.*]]: tensor<512x512xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: scf.for {{.*}} step %c2
// CHECK: scf.for {{.*}} step %c8
// CHECK-COUNT-2: vector.transfer_read %[[B]]{{.*}} : tensor<512x512xf32>, vector<8xf32>
// CHECK: vector.transfer_read %[[A]]{{.*}} : tensor<3x512xf32>, vector<8xf32>
// CHECK-COUNT-2: arith.mulf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK: vector.transfer_read %[[A]]
// CHECK: vector.transfer_read %[[A]]
// CHECK: vector.shuffle %[[ONE:.*]], %[[OTHER:.*]] [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK: vector.shuffle %[[ONE]], %[[OTHER]] [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-COUNT-3: vector.transfer_write {{.*}} : vector<2xf32>, tensor<3x?xf32>
// CHECK-NOT: linalg.generic
func.func @few_rows_along(%a: tensor<3x512xf32>, %b: tensor<512x512xf32>) -> tensor<3x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x512xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x512xf32>) -> tensor<3x512xf32>
  %0 = linalg.generic {indexing_maps = [#rows, affine_map<(d0, d1, d2) -> (d1, d2)>, #result],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x512xf32>, tensor<512x512xf32>) outs(%c : tensor<3x512xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<3x512xf32>
  return %0 : tensor<3x512xf32>
}

// CHECK-LABEL: func @few_rows_of_little
// CHECK-NOT: "flow.dispatch.region"
func.func @few_rows_of_little(%a: tensor<8x128xf32>, %b: tensor<128x128xf32>, %c: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x128xf32>, tensor<128x128xf32>) outs(%c : tensor<8x128xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// Their products wrap around, and are not those of f32.
// CHECK-LABEL: func @words
// CHECK-NOT: "flow.dispatch.region"
func.func @words(%a: tensor<64x64xi32>, %b: tensor<64x64xi32>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi32>, tensor<64x64xi32>) outs(%c : tensor<64x64xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %1 = arith.muli %x, %y : i32
    %2 = arith.addi %1, %z : i32
    linalg.yield %2 : i32
  } -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// CHECK-LABEL: func @differences
// CHECK-NOT: "flow.dispatch.region"
func.func @differences(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.subf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
