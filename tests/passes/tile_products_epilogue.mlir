// RUN: wax-opt %s --wax-tile-products=processor=avx512 --canonicalize --cse --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>

// A bias and a largest one, of a tile's rows one after the other, where the last panel has been summed up.
// CHECK-LABEL: func @bias
// CHECK-NOT: linalg.generic
// CHECK: scf.for {{.*}} -> (vector<6x64xf32>)
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq
// CHECK: %[[COUNT:.*]] = arith.select %[[IS_LAST]], %c6, %c0
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
// CHECK: %[[SUMS:.*]] = vector.transfer_read
// CHECK: %[[BIAS:.*]] = vector.transfer_read %arg2[%{{.*}}]
// CHECK: %[[SUM:.*]] = arith.addf %[[SUMS]], %[[BIAS]] : vector<64xf32>
// CHECK: %[[MADE:.*]] = arith.maximumf %[[SUM]], %{{.*}} : vector<64xf32>
// CHECK: vector.transfer_write %[[MADE]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @bias(%a: tensor<128x300xf32>, %b: tensor<300x320xf32>, %bias: tensor<320xf32>) -> tensor<128x320xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x300xf32>, tensor<300x320xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %3 = linalg.generic {indexing_maps = [#same, #last, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<128x320xf32>, tensor<320xf32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %4 = arith.addf %x, %y : f32
    linalg.yield %4 : f32
  } -> tensor<128x320xf32>
  %5 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<128x320xf32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %z: f32):
    %6 = arith.maximumf %x, %zero : f32
    linalg.yield %6 : f32
  } -> tensor<128x320xf32>
  return %5 : tensor<128x320xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>

// Sums that somebody else reads are written.
// CHECK-LABEL: func @read_elsewhere
// CHECK: flow.dispatch.region
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @read_elsewhere(%a: tensor<128x100xf32>, %b: tensor<100x320xf32>, %bias: tensor<320xf32>) -> (tensor<128x320xf32>, tensor<128x320xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x100xf32>, tensor<100x320xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %3 = linalg.generic {indexing_maps = [#same, #last, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<128x320xf32>, tensor<320xf32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %4 = arith.addf %x, %y : f32
    linalg.yield %4 : f32
  } -> tensor<128x320xf32>
  return %0, %3 : tensor<128x320xf32>, tensor<128x320xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>

// Of no terms there is no last panel.
// CHECK-LABEL: func @open
// CHECK: flow.dispatch.region
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @open(%a: tensor<128x?xf32>, %b: tensor<?x320xf32>, %bias: tensor<320xf32>) -> tensor<128x320xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x?xf32>, tensor<?x320xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %3 = linalg.generic {indexing_maps = [#same, #last, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<128x320xf32>, tensor<320xf32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %4 = arith.addf %x, %y : f32
    linalg.yield %4 : f32
  } -> tensor<128x320xf32>
  return %3 : tensor<128x320xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A residual of split dims is added in the product's own.
// CHECK-LABEL: func @split
// CHECK-SAME: %[[MORE:[a-z0-9]*]]: tensor<?x?x320xf32>
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %[[MORE]]
// CHECK-NOT: linalg.generic
// CHECK: vector.transfer_read %[[JOINED]]
// CHECK-NOT: linalg.generic
// CHECK: tensor.expand_shape
func.func @split(%a: tensor<?x100xf32>, %b: tensor<100x320xf32>, %more: tensor<?x?x320xf32>) -> tensor<?x?x320xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x100xf32>
  %l = tensor.dim %more, %c0 : tensor<?x?x320xf32>
  %m = tensor.dim %more, %c1 : tensor<?x?x320xf32>
  %empty = tensor.empty(%n) : tensor<?x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x320xf32>) -> tensor<?x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x100xf32>, tensor<100x320xf32>) outs(%init : tensor<?x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<?x320xf32>
  %split = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%l, %m, 320] : tensor<?x320xf32> into tensor<?x?x320xf32>
  %made = tensor.empty(%l, %m) : tensor<?x?x320xf32>
  %3 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%more, %split : tensor<?x?x320xf32>, tensor<?x?x320xf32>) outs(%made : tensor<?x?x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %4 = arith.addf %x, %y : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x320xf32>
  return %3 : tensor<?x?x320xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>

// What has another type is made of a tile's sums, which go to the stack, where one panel has all that is summed up.
// CHECK-LABEL: func @another_type
// CHECK-NOT: linalg.generic
// CHECK: scf.forall {{.*}} -> (tensor<128x320xbf16>)
// CHECK: %[[APART:.*]] = tensor.empty() : tensor<6x64xf32>
// CHECK-COUNT-6: vector.transfer_write {{.*}} : vector<64xf32>, tensor<6x64xf32>
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c6 step %c1
// CHECK: %[[SUMS:.*]] = vector.transfer_read %{{.*}}[%[[ROW]], %c0]{{.*}} : tensor<6x64xf32>, vector<64xf32>
// CHECK: %[[MADE:.*]] = arith.truncf %[[SUMS]] : vector<64xf32> to vector<64xbf16>
// CHECK: vector.transfer_write %[[MADE]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @another_type(%a: tensor<128x96xf32>, %b: tensor<96x320xf32>) -> tensor<128x320xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x96xf32>, tensor<96x320xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %narrow = tensor.empty() : tensor<128x320xbf16>
  %3 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<128x320xf32>) outs(%narrow : tensor<128x320xbf16>) {
  ^bb0(%x: f32, %z: bf16):
    %4 = arith.truncf %x : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<128x320xbf16>
  return %3 : tensor<128x320xbf16>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>

// Of several panels sums are in the result's place until all are there: what has their type is made of them there, and
// the rest after it.
// CHECK-LABEL: func @several_panels
// CHECK: scf.forall {{.*}} -> (tensor<128x320xf32>)
// CHECK: arith.negf
// CHECK: flow.return
// CHECK: linalg.generic
// CHECK: arith.truncf
func.func @several_panels(%a: tensor<128x600xf32>, %b: tensor<600x320xf32>) -> tensor<128x320xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x600xf32>, tensor<600x320xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %3 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<128x320xf32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %z: f32):
    %4 = arith.negf %x : f32
    linalg.yield %4 : f32
  } -> tensor<128x320xf32>
  %narrow = tensor.empty() : tensor<128x320xbf16>
  %5 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<128x320xf32>) outs(%narrow : tensor<128x320xbf16>) {
  ^bb0(%x: f32, %z: bf16):
    %6 = arith.truncf %x : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<128x320xbf16>
  return %5 : tensor<128x320xbf16>
}
