// RUN: wax-opt %s --wax-vectorize-maps | FileCheck %s
// RUN: wax-opt %s --wax-vectorize-maps=processor=avx512 | FileCheck %s --check-prefix=AVX512

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Two maps, one of which only the other reads: one row of all elements.
// CHECK-LABEL: func @one_row
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1]]
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: vector.transfer_read %[[FLAT]]{{.*}} : tensor<?xf32>, vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<?xf32>
// CHECK: vector.create_mask
// CHECK-NOT: linalg.generic
// CHECK: tensor.expand_shape
func.func @one_row(%x: tensor<?x8xf32>, %y: tensor<f32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> ()>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x8xf32>, tensor<f32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.fma %a, %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// What has the last dim alone is read in each row.
// CHECK-LABEL: func @rows
// CHECK: "flow.dispatch.region"
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.transfer_read %{{.*}} : tensor<?x?xf32>, vector<16xf32>
// CHECK: vector.transfer_read %{{.*}} : tensor<?xf32>, vector<16xf32>
// CHECK-NOT: linalg.generic
func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A transposition is read in strides.
// CHECK-LABEL: func @turned
// CHECK-NOT: "flow.dispatch.region"
func.func @turned(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// IREE takes it into the sum.
// CHECK-LABEL: func @of_a_sum
// CHECK-NOT: "flow.dispatch.region"
func.func @of_a_sum(%x: tensor<?xf32>, %e: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%0 : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func @known
// CHECK-NOT: "flow.dispatch.region"
func.func @known(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Long rows are gone through one after the other, not in tiles, where there are many elements.
// CHECK-LABEL: func @long_rows
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %{{.*}} : tensor<300x257xf32>
// CHECK-NOT: linalg.generic
func.func @long_rows(%x: tensor<300x257xf32>, %w: tensor<257xf32>, %e: tensor<300x257xf32>) -> tensor<300x257xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<300x257xf32>, tensor<257xf32>) outs(%e : tensor<300x257xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<300x257xf32>
  return %0 : tensor<300x257xf32>
}

// CHECK-LABEL: func @short_rows
// CHECK-NOT: "flow.dispatch.region"
func.func @short_rows(%x: tensor<3000x128xf32>, %w: tensor<128xf32>, %e: tensor<3000x128xf32>) -> tensor<3000x128xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<3000x128xf32>, tensor<128xf32>) outs(%e : tensor<3000x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3000x128xf32>
  return %0 : tensor<3000x128xf32>
}

// CHECK-LABEL: func @few_rows
// CHECK-NOT: "flow.dispatch.region"
func.func @few_rows(%x: tensor<4x320xf32>, %w: tensor<320xf32>, %e: tensor<4x320xf32>) -> tensor<4x320xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<4x320xf32>, tensor<320xf32>) outs(%e : tensor<4x320xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x320xf32>
  return %0 : tensor<4x320xf32>
}

// IREE's vectors are under masks, all of them, where its tiles of 64 of the last dim, or of 4096 of one row, are not all
// alike, or have no whole vectors; with AVX-512 masks cost nothing.
// CHECK-LABEL: func @uneven_rows
// CHECK: "flow.dispatch.region"
// CHECK-NOT: linalg.generic
// AVX512-LABEL: func @uneven_rows
// AVX512-NOT: "flow.dispatch.region"
func.func @uneven_rows(%x: tensor<4x257xf32>, %w: tensor<257xf32>, %e: tensor<4x257xf32>) -> tensor<4x257xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<4x257xf32>, tensor<257xf32>) outs(%e : tensor<4x257xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x257xf32>
  return %0 : tensor<4x257xf32>
}

// CHECK-LABEL: func @uneven
// CHECK: "flow.dispatch.region"
// CHECK-NOT: linalg.generic
// AVX512-LABEL: func @uneven
// AVX512-NOT: "flow.dispatch.region"
func.func @uneven(%x: tensor<1000x8xf32>, %e: tensor<1000x8xf32>) -> tensor<1000x8xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1000x8xf32>) outs(%e : tensor<1000x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1000x8xf32>
  return %0 : tensor<1000x8xf32>
}

// IREE writes over what was donated.
// CHECK-LABEL: func @uneven_and_donated
// CHECK-NOT: "flow.dispatch.region"
func.func @uneven_and_donated(%x: tensor<1000x8xf32> {wax.donated}, %e: tensor<1000x8xf32>) -> tensor<1000x8xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1000x8xf32>) outs(%e : tensor<1000x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1000x8xf32>
  return %0 : tensor<1000x8xf32>
}

// A map that two others read IREE makes with both.
// CHECK-LABEL: func @uneven_and_computed
// CHECK-NOT: "flow.dispatch.region"
func.func @uneven_and_computed(%x: tensor<1000x8xf32>, %e: tensor<1000x8xf32>) -> (tensor<1000x8xf32>, tensor<1000x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1000x8xf32>) outs(%e : tensor<1000x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.sqrt %a : f32
    linalg.yield %s : f32
  } -> tensor<1000x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<1000x8xf32>) outs(%e : tensor<1000x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1000x8xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<1000x8xf32>) outs(%e : tensor<1000x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1000x8xf32>
  return %1, %2 : tensor<1000x8xf32>, tensor<1000x8xf32>
}

// What lies apart is read by rows.
// CHECK-LABEL: func @uneven_and_apart
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %{{.*}} : tensor<99x99xf32>, vector<16xf32>
// CHECK-NOT: linalg.generic
// AVX512-LABEL: func @uneven_and_apart
// AVX512-NOT: "flow.dispatch.region"
func.func @uneven_and_apart(%x: tensor<100x100xf32>, %e: tensor<99x99xf32>) -> tensor<99x99xf32> {
  %s = tensor.extract_slice %x[1, 1] [99, 99] [1, 1] : tensor<100x100xf32> to tensor<99x99xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<99x99xf32>) outs(%e : tensor<99x99xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<99x99xf32>
  return %0 : tensor<99x99xf32>
}

// Where rows are short, IREE's masks are.
// CHECK-LABEL: func @short_and_apart
// CHECK-NOT: "flow.dispatch.region"
func.func @short_and_apart(%x: tensor<1000x8xf32>, %e: tensor<1000x7xf32>) -> tensor<1000x7xf32> {
  %s = tensor.extract_slice %x[0, 1] [1000, 7] [1, 1] : tensor<1000x8xf32> to tensor<1000x7xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1000x7xf32>) outs(%e : tensor<1000x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<1000x7xf32>
  return %0 : tensor<1000x7xf32>
}

// CHECK-LABEL: func @even
// AVX512-LABEL: func @even
// CHECK-NOT: "flow.dispatch.region"
func.func @even(%x: tensor<1024x8xf32>, %e: tensor<1024x8xf32>) -> tensor<1024x8xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1024x8xf32>) outs(%e : tensor<1024x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1024x8xf32>
  return %0 : tensor<1024x8xf32>
}

// CHECK-LABEL: func @uneven_and_few
// CHECK-NOT: "flow.dispatch.region"
func.func @uneven_and_few(%x: tensor<63xf32>, %e: tensor<63xf32>) -> tensor<63xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<63xf32>) outs(%e : tensor<63xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<63xf32>
  return %0 : tensor<63xf32>
}

// Indices of lanes are no constant.
// CHECK-LABEL: func @every_other
// CHECK: "flow.dispatch.region"
// CHECK: %[[LANE:.*]] = vector.step : vector<16xindex>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[LANE]] : vector<16xindex>
// CHECK: arith.remui %[[AT]], %{{.*}} : vector<16xindex>
func.func @every_other(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 1 : index
    %r = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    %s = arith.select %even, %one, %two : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// What few elements need is computed where one of a vector's lanes needs it,
// for which maps of known sizes are vectors too.
// CHECK-LABEL: func @rare
// CHECK: "flow.dispatch.region"
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} : tensor<64xf32>, vector<16xf32>
// CHECK: %[[LARGE:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : vector<16xf32>
// CHECK: %[[HALF:.*]] = arith.mulf %[[X]], %{{.*}} : vector<16xf32>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<16xi1> into i1
// CHECK: %[[Y:.*]] = scf.if %[[ANY]] -> (vector<16xf32>) {
// CHECK:   %[[ROOT:.*]] = math.sqrt %[[X]] : vector<16xf32>
// CHECK:   %[[CHOSEN:.*]] = arith.select %[[LARGE]], %[[ROOT]], %[[HALF]]
// CHECK:   scf.yield %[[CHOSEN]]
// CHECK: } else {
// CHECK:   scf.yield %[[HALF]]
// CHECK: }
// CHECK: vector.transfer_write %[[Y]]
func.func @rare(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %far = arith.constant 8.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %large = arith.cmpf oge, %a, %far : f32
    %usual = arith.mulf %a, %half : f32
    %s = scf.if %large -> (f32) {
      %root = math.sqrt %a : f32
      scf.yield %root : f32
    } else {
      scf.yield %usual : f32
    } {rare}
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// What IREE makes vectors of has no branches.
// CHECK-LABEL: func @straight
// CHECK-NOT: scf.if
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: arith.select %{{.*}}, %[[ROOT]]
func.func @straight(%x: tensor<8x4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %far = arith.constant 8.0 : f32
  %0 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %large = arith.cmpf oge, %a, %far : f32
    %s = scf.if %large -> (f32) {
      %root = math.sqrt %a : f32
      scf.yield %root : f32
    } else {
      scf.yield %a : f32
    } {rare}
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A number alone is computed by one of the two.
// CHECK-LABEL: func @alone
// CHECK: scf.if
// CHECK: math.sqrt
// CHECK-NOT: rare
func.func @alone(%a: f32, %large: i1) -> f32 {
  %s = scf.if %large -> (f32) {
    %root = math.sqrt %a : f32
    scf.yield %root : f32
  } else {
    scf.yield %a : f32
  } {rare}
  return %s : f32
}

// IREE does not get it for its sum.
// CHECK-LABEL: func @rare_of_a_sum
// CHECK: %[[Y:.*]] = "flow.dispatch.region"
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} ins(%[[Y]]
func.func @rare_of_a_sum(%x: tensor<64xf32>, %e: tensor<64xf32>, %z: tensor<f32>) -> tensor<f32> {
  %far = arith.constant 8.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %large = arith.cmpf oge, %a, %far : f32
    %s = scf.if %large -> (f32) {
      %root = math.sqrt %a : f32
      scf.yield %root : f32
    } else {
      scf.yield %a : f32
    } {rare}
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%0 : tensor<64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// Booleans are bytes in memory, whose lowest bit they are.
// CHECK-LABEL: func @comparison
// CHECK: "flow.tensor.bitcast"(%{{.*}}) {{.*}} : (tensor<1000xi1>) -> tensor<1000xi8>
// CHECK: %[[MADE:.*]] = "flow.dispatch.region"
// CHECK: arith.trunci {{.*}} : vector<16xi8> to vector<16xi1>
// CHECK: %[[BYTES:.*]] = arith.extui {{.*}} : vector<16xi1> to vector<16xi8>
// CHECK: vector.transfer_write %[[BYTES]]
// CHECK: "flow.tensor.bitcast"(%[[MADE]]) {{.*}} : (tensor<1000xi8>) -> tensor<1000xi1>
// CHECK-NOT: linalg.generic
func.func @comparison(%x: tensor<1000xf32>, %m: tensor<1000xi1>, %e: tensor<1000xi1>) -> tensor<1000xi1> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %m : tensor<1000xf32>, tensor<1000xi1>) outs(%e : tensor<1000xi1>) {
  ^bb0(%a: f32, %b: i1, %o: i1):
    %positive = arith.cmpf ogt, %a, %a : f32
    %s = arith.andi %positive, %b : i1
    linalg.yield %s : i1
  } -> tensor<1000xi1>
  return %0 : tensor<1000xi1>
}

// Every second element is taken of two vectors, the later of which ends with the last one.
// CHECK-LABEL: func @every_second
// AVX512-LABEL: func @every_second
// AVX512: "flow.dispatch.region"
// CHECK: "flow.dispatch.region"
// CHECK: %[[LOW:.*]] = vector.transfer_read %arg0{{.*}} : tensor<8x200xf32>, vector<16xf32>
// CHECK: %[[HIGH:.*]] = vector.transfer_read %arg0{{.*}} : tensor<8x200xf32>, vector<16xf32>
// CHECK: vector.shuffle %{{.*}}, %[[HIGH]] [0, 1, 2, 3, 4, 5, 6, 7, 17, 19, 21, 23, 25, 27, 29, 31]
func.func @every_second(%x: tensor<8x200xf32>, %e: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %s = tensor.extract_slice %x[0, 1] [8, 100] [1, 2] : tensor<8x200xf32> to tensor<8x100xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8x100xf32>) outs(%e : tensor<8x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<8x100xf32>
  return %0 : tensor<8x100xf32>
}

// Of sixteen rows of three elements the last and the first are taken of the same three vectors, without a copy of either.
// CHECK-LABEL: func @elements_of_rows
// AVX512-LABEL: func @elements_of_rows
// AVX512: "flow.dispatch.region"
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{.*}} into tensor<15000xf32>
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c3
// CHECK: %[[A:.*]] = vector.transfer_read %[[X]]{{.*}} : tensor<15000xf32>, vector<16xf32>
// CHECK: %[[LAST:.*]] = vector.shuffle %[[A]], %[[A]] [18, 21, 24, 27, 30, 5,
// CHECK: %[[FIRST:.*]] = vector.shuffle %{{.*}}, %{{.*}} [16, 19, 22, 25, 28, 31, 6,
func.func @elements_of_rows(%x: tensor<5000x3xf32>, %e: tensor<5000xf32>) -> tensor<5000xf32> {
  %s = tensor.extract_slice %x[0, 2] [5000, 1] [1, 1] : tensor<5000x3xf32> to tensor<5000x1xf32>
  %last = tensor.collapse_shape %s [[0, 1]] : tensor<5000x1xf32> into tensor<5000xf32>
  %first = tensor.extract_slice %x[0, 0] [5000, 1] [1, 1] : tensor<5000x3xf32> to tensor<5000xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%last, %first : tensor<5000xf32>, tensor<5000xf32>) outs(%e : tensor<5000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<5000xf32>
  return %0 : tensor<5000xf32>
}

// Sixteen rows of three elements are three vectors. What is one element of each row is read once for them.
// CHECK-LABEL: func @rows_of_three
// CHECK: "flow.dispatch.region"
// CHECK-COUNT-3: vector.from_elements
// CHECK: scf.for
// CHECK: %[[ROWS:.*]] = vector.transfer_read {{.*}} : tensor<1000xf32>, vector<16xf32>
// CHECK: vector.shuffle %[[ROWS]], %[[ROWS]] [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]
// CHECK: vector.shuffle %[[ROWS]], %[[ROWS]] [5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10]
// CHECK: vector.shuffle %[[ROWS]], %[[ROWS]] [10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15]
func.func @rows_of_three(%x: tensor<1000x3xf32>, %w: tensor<3xf32>, %c: tensor<1000xf32>, %e: tensor<1000x3xf32>) -> tensor<1000x3xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #columns, affine_map<(d0, d1) -> (d0)>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w, %c : tensor<1000x3xf32>, tensor<3xf32>, tensor<1000xf32>) outs(%e : tensor<1000x3xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %s = math.fma %a, %b, %d : f32
    linalg.yield %s : f32
  } -> tensor<1000x3xf32>
  return %0 : tensor<1000x3xf32>
}
