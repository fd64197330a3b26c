// RUN: wax-opt %s --wax-hoist-products --canonicalize --cse --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// All turns are one product, of which each takes its own, wherever it is.
// CHECK-LABEL: func @turns
// CHECK-SAME: %[[XS:.*]]: tensor<64x8x16xf32>, %[[W:.*]]: tensor<16x32xf32>
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} -> tensor<64x8x32xf32>
// CHECK: %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[XS]], %[[W]] : {{.*}}) outs(%[[FILL]] : tensor<64x8x32xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c1
// CHECK: %[[PLACE:.*]] = arith.subi %c63, %[[I]]
// CHECK: tensor.extract_slice %[[ALL]][%[[PLACE]], 0, 0] [1, 8, 32] [1, 1, 1] : tensor<64x8x32xf32> to tensor<8x32xf32>
// CHECK-NOT: "reduction"
func.func @turns(%xs: tensor<64x8x16xf32>, %w: tensor<16x32xf32>, %h: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%c = %h) -> (tensor<8x32xf32>) {
    %place = arith.subi %c63, %i : index
    %box = tensor.extract_slice %xs[%place, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<64x8x16xf32> to tensor<1x8x16xf32>
    %x = tensor.collapse_shape %box [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
    %empty = tensor.empty() : tensor<8x32xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
    %p = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %1, %o : f32
      linalg.yield %2 : f32
    } -> tensor<8x32xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%p, %c : tensor<8x32xf32>, tensor<8x32xf32>) outs(%empty : tensor<8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<8x32xf32>
    scf.yield %s : tensor<8x32xf32>
  }
  return %0 : tensor<8x32xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d1)>
#columns = affine_map<(d0, d1) -> (d1, d0)>
#result = affine_map<(d0, d1) -> (d0)>

// A place along another dim, of vectors; the result's first dim are the turns.
// CHECK-LABEL: func @along_the_last_dim
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<16x9xf32>, tensor<16x32xf32>) outs(%{{.*}} : tensor<9x32xf32>)
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}} [1, 32] [1, 1] : tensor<9x32xf32> to tensor<32xf32>
func.func @along_the_last_dim(%xs: tensor<16x9xf32>, %w: tensor<16x32xf32>, %h: tensor<32xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %empty = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%c = %h) -> (tensor<32xf32>) {
    %c8 = arith.constant 8 : index
    %place = arith.minui %i, %c8 : index
    %x = tensor.extract_slice %xs[0, %place] [16, 1] [1, 1] : tensor<16x9xf32> to tensor<16xf32>
    %p = linalg.generic {indexing_maps = [#row, #columns, #result], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<16xf32>, tensor<16x32xf32>) outs(%init : tensor<32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %1, %o : f32
      linalg.yield %2 : f32
    } -> tensor<32xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%p, %c : tensor<32xf32>, tensor<32xf32>) outs(%empty : tensor<32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<32xf32>
    scf.yield %s : tensor<32xf32>
  }
  return %0 : tensor<32xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// What is carried is known in its turn only.
// CHECK-LABEL: func @carried
// CHECK: scf.for
// CHECK: linalg.generic
func.func @carried(%xs: tensor<64x8x8xf32>, %h: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%c = %h) -> (tensor<8x8xf32>) {
    %x = tensor.extract_slice %xs[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<64x8x8xf32> to tensor<8x8xf32>
    %p = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %c : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %1, %o : f32
      linalg.yield %2 : f32
    } -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// More places than turns would be more to compute.
// CHECK-LABEL: func @few_turns
// CHECK: scf.for
// CHECK: linalg.generic
func.func @few_turns(%xs: tensor<65x8x8xf32>, %w: tensor<8x8xf32>, %h: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%c = %h) -> (tensor<8x8xf32>) {
    %x = tensor.extract_slice %xs[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<65x8x8xf32> to tensor<8x8xf32>
    %p = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %1, %o : f32
      linalg.yield %2 : f32
    } -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Many rows are a product worth doing by itself.
// CHECK-LABEL: func @many_rows
// CHECK: scf.for
// CHECK: linalg.generic
func.func @many_rows(%xs: tensor<64x64x8xf32>, %w: tensor<8x8xf32>, %h: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %empty = tensor.empty() : tensor<64x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x8xf32>) -> tensor<64x8xf32>
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%c = %h) -> (tensor<64x8xf32>) {
    %x = tensor.extract_slice %xs[%i, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<64x64x8xf32> to tensor<64x8xf32>
    %p = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x8xf32>, tensor<8x8xf32>) outs(%init : tensor<64x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %1, %o : f32
      linalg.yield %2 : f32
    } -> tensor<64x8xf32>
    scf.yield %p : tensor<64x8xf32>
  }
  return %0 : tensor<64x8xf32>
}
