// RUN: wax-opt %s --wax-transpose-maps --canonicalize --cse | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// Rows of 64 bytes are shuffled within 16 bytes, and then as these. A block has
// 256 rows and 64 columns; four squares follow each other down, and four across.
// CHECK-LABEL: func @matrix
// CHECK-SAME: %[[X:.*]]: tensor<2048x512xf32>
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall (%{{.*}}) in (64) shared_outs
// CHECK: tensor.extract_slice {{.*}} : tensor<512x2048xf32> to tensor<256x64xf32>
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c256 step %c64
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %c64
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c16
// CHECK-COUNT-16: vector.transfer_read %[[X]]{{.*}}, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK: vector.shuffle {{.*}} [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29]
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<16xf32>, tensor<256x64xf32>
// CHECK-NOT: linalg.transpose
func.func @matrix(%x: tensor<2048x512xf32>) -> tensor<512x2048xf32> {
  %e = tensor.empty() : tensor<512x2048xf32>
  %0 = linalg.transpose ins(%x : tensor<2048x512xf32>) outs(%e : tensor<512x2048xf32>) permutation = [1, 0]
  return %0 : tensor<512x2048xf32>
}

// Of fewer rows a block has more columns.
// CHECK-LABEL: func @low
// CHECK: scf.forall (%{{.*}}) in (8) shared_outs
// CHECK: tensor.extract_slice {{.*}} : tensor<64x2048xf32> to tensor<64x256xf32>
func.func @low(%x: tensor<2048x64xf32>) -> tensor<64x2048xf32> {
  %e = tensor.empty() : tensor<64x2048xf32>
  %0 = linalg.transpose ins(%x : tensor<2048x64xf32>) outs(%e : tensor<64x2048xf32>) permutation = [1, 0]
  return %0 : tensor<64x2048xf32>
}

// The last square ends where a row ends.
// CHECK-LABEL: func @rest
// CHECK: arith.minui %{{.*}}, %{{.*}} : index
// CHECK-NOT: vector.create_mask
// CHECK-COUNT-8: vector.transfer_write {{.*}} : vector<8xf64>
func.func @rest(%x: tensor<129x130xf64>) -> tensor<130x129xf64> {
  %e = tensor.empty() : tensor<130x129xf64>
  %0 = linalg.transpose ins(%x : tensor<129x130xf64>) outs(%e : tensor<130x129xf64>) permutation = [1, 0]
  return %0 : tensor<130x129xf64>
}

// Open sizes may be less than a square's: then it is element by element.
// CHECK-LABEL: func @open
// CHECK: %[[FITS:.*]] = arith.cmpi uge, %{{.*}}, %c16
// CHECK-DAG: arith.select %[[FITS]]
// CHECK-DAG: arith.select %[[FITS]]
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write {{.*}} : vector<1xf32>
func.func @open(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %0 : tensor<?x?xf32>
}

// Dims that stay beside each other are one.
// CHECK-LABEL: func @images
// CHECK-SAME: %[[X:.*]]: tensor<2x14x14x64xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2], [3]] : {{.*}} into tensor<2x196x64xf32>
// CHECK: vector.transfer_read %[[FLAT]]
// CHECK: tensor.expand_shape {{.*}} : tensor<2x64x196xf32> into tensor<2x64x14x14xf32>
func.func @images(%x: tensor<2x14x14x64xf32>) -> tensor<2x64x14x14xf32> {
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %0 = linalg.transpose ins(%x : tensor<2x14x14x64xf32>) outs(%e : tensor<2x64x14x14xf32>) permutation = [0, 3, 1, 2]
  return %0 : tensor<2x64x14x14xf32>
}

// A map that alone reads it, with what is read along its rows, once for all of
// them, or once for each, and one that it alone reads.
// CHECK-LABEL: func @map
// CHECK-SAME: %[[X:.*]]: tensor<128x256xf32>, %[[Y:.*]]: tensor<256x128xf32>, %[[R:.*]]: tensor<128xf32>, %[[C:.*]]: tensor<256xf32>
// CHECK: "flow.dispatch.region"
// CHECK-COUNT-16: vector.transfer_read %[[X]]
// CHECK: vector.shuffle
// CHECK: vector.transfer_read %[[R]]
// CHECK: vector.transfer_read %[[Y]]
// CHECK: tensor.extract %[[C]]
// CHECK: arith.negf {{.*}} : vector<16xf32>
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write
// CHECK-NOT: linalg.generic
func.func @map(%x: tensor<128x256xf32>, %y: tensor<256x128xf32>, %row: tensor<128xf32>, %column: tensor<256xf32>) -> tensor<256x128xf32> {
  %f = tensor.empty() : tensor<128x256xf32>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x256xf32>) outs(%f : tensor<128x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<128x256xf32>
  %e = tensor.empty() : tensor<256x128xf32>
  %0 = linalg.transpose ins(%n : tensor<128x256xf32>) outs(%e : tensor<256x128xf32>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [#all, #all, #columns, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0, %y, %row, %column : tensor<256x128xf32>, tensor<256x128xf32>, tensor<128xf32>, tensor<256xf32>) outs(%e : tensor<256x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %u = arith.addf %t, %d : f32
    linalg.yield %u : f32
  } -> tensor<256x128xf32>
  return %1 : tensor<256x128xf32>
}

// What two others read is made once.
// CHECK-LABEL: func @shared
// CHECK: %[[TURNED:.*]] = "flow.dispatch.region"
// CHECK: linalg.generic {{.*}} ins(%[[TURNED]]
// CHECK: return %[[TURNED]]
func.func @shared(%x: tensor<128x256xf32>) -> (tensor<256x128xf32>, tensor<256x128xf32>) {
  %e = tensor.empty() : tensor<256x128xf32>
  %0 = linalg.transpose ins(%x : tensor<128x256xf32>) outs(%e : tensor<256x128xf32>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<256x128xf32>) outs(%e : tensor<256x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  return %0, %1 : tensor<256x128xf32>, tensor<256x128xf32>
}

// What a loop reads in each turn is made ahead of it.
// CHECK-LABEL: func @in_loop
// CHECK: %[[MADE:.*]] = linalg.generic
// CHECK: scf.for
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[MADE]]
func.func @in_loop(%x: tensor<128x128xf32>, %n: index) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<128x128xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<128x128xf32>) {
    %2 = linalg.generic {indexing_maps = [#turned, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%0, %y : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<128x128xf32>
    scf.yield %2 : tensor<128x128xf32>
  }
  return %1 : tensor<128x128xf32>
}

// CHECK-LABEL: func @summed_up
// CHECK-NOT: "flow.dispatch.region"
func.func @summed_up(%x: tensor<128x256xf32>, %z: tensor<256xf32>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256x128xf32>
  %0 = linalg.transpose ins(%x : tensor<128x256xf32>) outs(%e : tensor<256x128xf32>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<256x128xf32>) outs(%z : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  return %1 : tensor<256xf32>
}

// Few elements; few in one dim; booleans, complex numbers, halves of bytes; the
// same dim last; a constant.
// CHECK-LABEL: func @others
// CHECK-NOT: "flow.dispatch.region"
func.func @others(%few: tensor<64x128xf32>, %thin: tensor<4096x15xf32>, %bits: tensor<128x256xi1>, %pairs: tensor<128x256xcomplex<f32>>, %nibbles: tensor<128x256xi4>, %same: tensor<16x32x128xf32>)
    -> (tensor<128x64xf32>, tensor<15x4096xf32>, tensor<256x128xi1>, tensor<256x128xcomplex<f32>>, tensor<256x128xi4>, tensor<32x16x128xf32>, tensor<256x128xf32>) {
  %0 = tensor.empty() : tensor<128x64xf32>
  %1 = linalg.transpose ins(%few : tensor<64x128xf32>) outs(%0 : tensor<128x64xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<15x4096xf32>
  %3 = linalg.transpose ins(%thin : tensor<4096x15xf32>) outs(%2 : tensor<15x4096xf32>) permutation = [1, 0]
  %4 = tensor.empty() : tensor<256x128xi1>
  %5 = linalg.transpose ins(%bits : tensor<128x256xi1>) outs(%4 : tensor<256x128xi1>) permutation = [1, 0]
  %6 = tensor.empty() : tensor<256x128xcomplex<f32>>
  %7 = linalg.transpose ins(%pairs : tensor<128x256xcomplex<f32>>) outs(%6 : tensor<256x128xcomplex<f32>>) permutation = [1, 0]
  %8 = tensor.empty() : tensor<256x128xi4>
  %9 = linalg.transpose ins(%nibbles : tensor<128x256xi4>) outs(%8 : tensor<256x128xi4>) permutation = [1, 0]
  %10 = tensor.empty() : tensor<32x16x128xf32>
  %11 = linalg.transpose ins(%same : tensor<16x32x128xf32>) outs(%10 : tensor<32x16x128xf32>) permutation = [1, 0, 2]
  %constant = arith.constant dense_resource<numbers> : tensor<128x256xf32>
  %12 = tensor.empty() : tensor<256x128xf32>
  %13 = linalg.transpose ins(%constant : tensor<128x256xf32>) outs(%12 : tensor<256x128xf32>) permutation = [1, 0]
  return %1, %3, %5, %7, %9, %11, %13 : tensor<128x64xf32>, tensor<15x4096xf32>, tensor<256x128xi1>, tensor<256x128xcomplex<f32>>, tensor<256x128xi4>, tensor<32x16x128xf32>, tensor<256x128xf32>
}
