// RUN: wax-opt %s --wax-to-linalg="target=iree outline=false" --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=target=upstream --split-input-file | FileCheck %s --check-prefix=UPSTREAM

// UPSTREAM-NOT: vector.

// CHECK-LABEL: func @lanes_fold_a_row_then_each_other
// CHECK-SAME: %[[X:.*]]: tensor<3x77xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: %[[MASK:.*]] = vector.constant_mask [13] : vector<32xi1>
// CHECK: %[[LANES:.*]] = scf.for %[[J:.*]] = %c0 to %c64 step %c32 iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<32xf32>)
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[X]][%{{.*}}, %[[J]]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[V]], %[[ACC]] : vector<32xf32>
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: %[[REST:.*]] = vector.transfer_read %[[X]][%{{.*}}, %c64], %{{.*}}, %[[MASK]]
// CHECK: %[[MORE:.*]] = arith.addf %[[REST]], %[[LANES]]
// CHECK: %[[ALL:.*]] = arith.select %[[MASK]], %[[MORE]], %[[LANES]]
// CHECK: vector.shuffle %[[ALL]], %[[ALL]]
// CHECK: arith.addf %{{.*}} : vector<16xf32>
// CHECK: %[[ONE:.*]] = arith.addf %{{.*}} : vector<1xf32>
// CHECK: vector.extract %[[ONE]][0]
func.func @lanes_fold_a_row_then_each_other(%x: tensor<3x77xf32>) -> tensor<3xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<3x77xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @what_is_summed_is_made_in_place
// CHECK-NOT: linalg.generic
// CHECK: "flow.dispatch.region"
// CHECK: %[[M:.*]] = tensor.extract %{{.*}} : tensor<?xf32>
// CHECK: %[[MEAN:.*]] = vector.broadcast %[[M]] : f32 to vector<32xf32>
// CHECK: scf.for
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: %[[D:.*]] = arith.subf %[[V]], %[[MEAN]] : vector<32xf32>
// CHECK: %[[Q:.*]] = arith.mulf %[[D]], %[[D]] : vector<32xf32>
// CHECK: arith.addf %[[Q]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @what_is_summed_is_made_in_place(%x: tensor<?x?xf32>, %mean: tensor<?xf32>) -> tensor<?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.subf(%x[0, 1], %mean[0]) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = wax.broadcast arith.mulf(%0[0, 1], %0[0, 1]) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// What others read besides is made again, if that takes little.
// CHECK-LABEL: func @what_others_read_too_is_made_in_place
// CHECK-SAME: %[[X:.*]]: tensor<8x256xf32>
// CHECK: "flow.dispatch.region"
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]]
// CHECK: %[[S:.*]] = arith.mulf %[[V]]
// CHECK: arith.maximumf %[[S]]
func.func @what_others_read_too_is_made_in_place(%x: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.map (%a = %x) : (tensor<8x256xf32>) -> tensor<8x256xf32> {
    %c = arith.constant 0.125 : f32
    %s = arith.mulf %a, %c : f32
    wax.yield %s : f32
  }
  %1 = wax.reduce arith.maximumf(%0) over [1] init(%low) : (tensor<8x256xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = wax.broadcast arith.subf(%0[0, 1], %1[0]) : (tensor<8x256xf32>, tensor<8xf32>) -> tensor<8x256xf32>
  return %2 : tensor<8x256xf32>
}

// -----

// A product and a sum may be contracted in one place only.
// CHECK-LABEL: func @sums_are_made_once
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK-NOT: vector.
// CHECK: return
func.func @sums_are_made_once(%x: tensor<8x256xf32>) -> tensor<8x256xi1> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.map (%a = %x) : (tensor<8x256xf32>) -> tensor<8x256xf32> {
    %c = arith.constant 0.3 : f32
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %p, %c : f32
    wax.yield %s : f32
  }
  %1 = wax.reduce arith.maximumf(%0) over [1] init(%low) : (tensor<8x256xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = wax.broadcast (%a = %0[0, 1], %b = %1[0]) : (tensor<8x256xf32>, tensor<8xf32>) -> tensor<8x256xi1> {
    %e = arith.cmpf oeq, %a, %b : f32
    wax.yield %e : i1
  }
  return %2 : tensor<8x256xi1>
}

// -----

// An exponential takes more than to read it.
// CHECK-LABEL: func @what_costs_more_is_made_once
// CHECK: "flow.dispatch.region"
// CHECK: math.floor
// CHECK-NOT: math.floor
// CHECK: return
func.func @what_costs_more_is_made_once(%x: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.map math.exp(%x) : (tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<8x1024xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = wax.broadcast arith.divf(%0[0, 1], %1[0]) : (tensor<8x1024xf32>, tensor<8xf32>) -> tensor<8x1024xf32>
  return %2 : tensor<8x1024xf32>
}

// -----

// CHECK-LABEL: func @each_lane_folds_a_column
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%{{.*}} = %{{.*}}) -> (vector<128xf16>)
// CHECK: arith.addf %{{.*}} : vector<128xf16>
// CHECK: vector.transfer_write
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @each_lane_folds_a_column(%x: tensor<?x5x384xf16>) -> tensor<?x384xf16> {
  %zero = wax.constant dense<0.0> : tensor<f16>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<?x5x384xf16>, tensor<f16>) -> tensor<?x384xf16>
  return %0 : tensor<?x384xf16>
}

// -----

// Blocks of columns are dealt to workgroups; accumulators take up eight rows and go back to memory.
// CHECK-LABEL: func @columns_are_folded_by_a_few_rows_at_a_time
// CHECK-SAME: %[[X:.*]]: tensor<1000x2048xf32>
// CHECK: scf.forall (%[[N:.*]]) in (4)
// CHECK: %[[FIRST:.*]] = arith.muli %[[N]], %c512
// CHECK: vector.transfer_write %{{.*}}, %{{.*}} : vector<64xf32>, tensor<512xf32>
// CHECK: scf.for %[[FROM:.*]] = %c0 to %c1000 step %c8
// CHECK: %[[TO:.*]] = arith.minui %{{.*}}, %c1000
// CHECK: scf.for %[[J:.*]] = %c0 to %c512 step %c64
// CHECK: %[[COLUMN:.*]] = arith.addi %[[FIRST]], %[[J]]
// CHECK: %[[ACC:.*]] = vector.transfer_read %[[KEPT:.*]][%[[J]]]
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %c1 iter_args(%[[A:.*]] = %[[ACC]])
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[X]][%[[I]], %[[COLUMN]]]
// CHECK-NEXT: arith.addf %[[V]], %[[A]]
// CHECK: vector.transfer_write %[[SUM]], %[[KEPT]][%[[J]]]
func.func @columns_are_folded_by_a_few_rows_at_a_time(%x: tensor<1000x2048xf32>) -> tensor<2048xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<1000x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  return %0 : tensor<2048xf32>
}

// -----

// CHECK-LABEL: func @one_vector_of_columns_stays_in_registers
// CHECK: scf.for %{{.*}} = %c0 to %c1000 step %c1 iter_args(%{{.*}} = %{{.*}}) -> (vector<64xf32>)
// CHECK-NOT: scf.for %
// CHECK: return
func.func @one_vector_of_columns_stays_in_registers(%x: tensor<1000x64xf32>) -> tensor<64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<1000x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// IREE fuses it with its neighbours, which is worth more.
// CHECK-LABEL: func @few_columns_stay_linalg
// CHECK-NOT: vector.
// CHECK: return
func.func @few_columns_stay_linalg(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// What vectors cannot make in place, IREE makes in its own loop.
// CHECK-LABEL: func @columns_of_a_transposed_matrix_stay_linalg
// CHECK-NOT: vector.
// CHECK: return
func.func @columns_of_a_transposed_matrix_stay_linalg(%x: tensor<512x512xf32>) -> tensor<512xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %t = wax.permute %x [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %0 = wax.reduce arith.addf(%t) over [0] init(%zero) : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// CHECK-LABEL: func @columns_in_order_stay_linalg
// CHECK-NOT: vector.
// CHECK: return
func.func @columns_in_order_stay_linalg(%x: tensor<512x512xf32>) -> tensor<512xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%zero) : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// CHECK-LABEL: func @a_matmul_of_few_rows_stays_linalg
// CHECK-NOT: flow.dispatch.region
// CHECK: linalg.generic
// CHECK-NOT: vector.
// CHECK: return
func.func @a_matmul_of_few_rows_stays_linalg(%x: tensor<?x?xf32>, %y: tensor<8x?xf32>) -> tensor<?x8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%x[0, 2], %y[1, 2]) : (tensor<?x?xf32>, tensor<8x?xf32>) -> tensor<?x8x?xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<?x8x?xf32>, tensor<f32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @rows_that_iree_vectorizes_stay_linalg
// CHECK-NOT: vector.
// CHECK: return
func.func @rows_that_iree_vectorizes_stay_linalg(%x: tensor<?x512xf32>) -> tensor<?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<?x512xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @a_fold_in_order_stays_linalg
// CHECK-NOT: vector.
// CHECK: return
func.func @a_fold_in_order_stays_linalg(%x: tensor<?x77xf32>) -> tensor<?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce ordered arith.addf(%x) over [1] init(%zero) : (tensor<?x77xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @rows_are_copied_from_clamped_places
// CHECK-SAME: %[[X:.*]]: tensor<9x128xf32>, %[[I:.*]]: tensor<?xi32>
// CHECK: %[[AT:.*]] = tensor.extract %[[I]]
// CHECK: %[[N:.*]] = arith.index_cast %[[AT]]
// CHECK: %[[LOW:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[ROW:.*]] = arith.minsi %[[LOW]], %c8
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][%[[ROW]], %c0]{{.*}} vector<128xf32>
// CHECK: vector.transfer_write %[[V]]
func.func @rows_are_copied_from_clamped_places(%x: tensor<9x128xf32>, %i: tensor<?xi32>) -> tensor<?x128xf32> {
  %0 = wax.gather %x[%i[0], 1] : (tensor<9x128xf32>, tensor<?xi32>) -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// -----

// CHECK-LABEL: func @rows_are_joined
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>, %[[Y:.*]]: tensor<?x64xf32>
// CHECK: "flow.dispatch.region"
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][%[[ROW:.*]], %c0]{{.*}} vector<32xf32>
// CHECK: %[[JOINED:.*]] = vector.transfer_write %[[V]], %{{.*}}[%[[AT:.*]], %c0]
// CHECK: %[[W:.*]] = vector.transfer_read %[[Y]][%[[ROW]], %c0]{{.*}} vector<64xf32>
// CHECK: vector.transfer_write %[[W]], %[[JOINED]][%[[AT]], %c32]
// UPSTREAM-LABEL: func @rows_are_joined
// UPSTREAM: tensor.concat dim(1)
func.func @rows_are_joined(%x: tensor<?x32xf32>, %y: tensor<?x64xf32>) -> tensor<?x96xf32> {
  %0 = wax.concat (%x, %y) along 1 : (tensor<?x32xf32>, tensor<?x64xf32>) -> tensor<?x96xf32>
  return %0 : tensor<?x96xf32>
}

// -----

// What is filled IREE fills where it is to be, and whole arrays it copies at
// once.
// CHECK-LABEL: func @filled_and_whole_pieces_stay_concat
// CHECK: tensor.concat dim(1)
// CHECK: tensor.concat dim(0)
func.func @filled_and_whole_pieces_stay_concat(%x: tensor<?x32xf32>) -> (tensor<?x64xf32>, tensor<?x32xf32>) {
  %c = wax.constant dense<1.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %ones = wax.broadcast (%a = %c[]) sizes [%n, 32] : (tensor<f32>) -> tensor<?x32xf32> {
    wax.yield %a : f32
  }
  %0 = wax.concat (%x, %ones) along 1 : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
  %1 = wax.concat (%x, %x) along 0 : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0, %1 : tensor<?x64xf32>, tensor<?x32xf32>
}

// -----

// CHECK-LABEL: func @a_reversed_row_is_turned_vector_by_vector
// CHECK: scf.for
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: vector.shuffle %[[V]], %[[V]] [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// CHECK: tensor.extract
func.func @a_reversed_row_is_turned_vector_by_vector(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// On vectors of halves LLVM crashes in IREE 3.13.
// CHECK-LABEL: func @the_greatest_of_halves_is_found_in_f32
// CHECK: vector.transfer_read {{.*}} vector<32xf16>
// CHECK: arith.extf {{.*}} : vector<32xf16> to vector<32xf32>
// CHECK: arith.maximumf {{.*}} : vector<32xf32>
// CHECK-NOT: arith.maximumf {{.*}}f16
// CHECK: arith.truncf {{.*}} : vector<{{[0-9]+}}xf32> to vector<{{[0-9]+}}xf16>
// CHECK: return
func.func @the_greatest_of_halves_is_found_in_f32(%x: tensor<?x105xf16>) -> tensor<?xf16> {
  %low = wax.constant dense<0xFC00> : tensor<f16>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<?x105xf16>, tensor<f16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}
