// RUN: wax-opt %s --wax-dispatch-loops --cse --split-input-file | FileCheck %s

#scalar = affine_map<() -> ()>

// CHECK-LABEL: func @while_of_scalars
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<i32>, %[[LIMIT:[a-z0-9]+]]: tensor<i32>
// CHECK: %[[R:.*]] = "flow.dispatch.region"()
// CHECK-DAG: %[[START:.*]] = tensor.extract %[[X]][]
// CHECK-DAG: %[[END:.*]] = tensor.extract %[[LIMIT]][]
// CHECK: %[[L:.*]] = scf.while (%[[S:.*]] = %[[START]]) : (i32) -> i32
// CHECK-NEXT: %[[GO:.*]] = arith.cmpi slt, %[[S]], %[[END]] : i32
// CHECK-NEXT: scf.condition(%[[GO]]) %[[S]] : i32
// CHECK: arith.muli
// CHECK-NEXT: scf.yield %{{.*}} : i32
// CHECK: tensor.insert %[[L]] into
// CHECK: return %[[R]]
func.func @while_of_scalars(%x: tensor<i32>, %limit: tensor<i32>) -> tensor<i32> {
  %0 = scf.while (%s = %x) : (tensor<i32>) -> tensor<i32> {
    %e = tensor.empty() : tensor<i1>
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%s, %limit : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %2 = arith.cmpi slt, %a, %b : i32
      linalg.yield %2 : i1
    } -> tensor<i1>
    %go = tensor.extract %1[] : tensor<i1>
    scf.condition(%go) %s : tensor<i32>
  } do {
  ^bb0(%s: tensor<i32>):
    %e = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%s : tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%a: i32, %o: i32):
      %2 = arith.muli %a, %a : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    scf.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Elements are read where they are; a bit is stored as a byte.
// CHECK-LABEL: func @elements_and_bits
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<9xi1>
// CHECK: %[[R:.*]] = "flow.dispatch.region"()
// CHECK: scf.for {{.*}} -> (i1)
// CHECK: tensor.extract %[[X]][%{{.*}}]
// CHECK: scf.if %{{.*}} -> (i1)
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: -> tensor<i8>
// CHECK: arith.trunci %{{.*}} : i8 to i1
func.func @elements_and_bits(%x: tensor<9xi1>, %s: tensor<i1>) -> tensor<i1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %none = arith.constant dense<false> : tensor<i1>
  %0 = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %s) -> (tensor<i1>) {
    %b = tensor.extract %x[%i] : tensor<9xi1>
    %1 = scf.if %b -> (tensor<i1>) {
      scf.yield %t : tensor<i1>
    } else {
      scf.yield %none : tensor<i1>
    }
    scf.yield %1 : tensor<i1>
  }
  return %0 : tensor<i1>
}

// -----

// A small vector is one of registers; what is stacked lies in memory, flat.
// CHECK-LABEL: func @stacked
// CHECK-SAME: %[[H:[a-z0-9]+]]: tensor<6xf64>, %[[XS:[a-z0-9]+]]: tensor<9x6xf64>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[XS]] {{.*}} into tensor<54xf64>
// CHECK: %[[R:.*]]:2 = "flow.dispatch.region"()
// CHECK: %[[MASK:.*]] = vector.constant_mask [6] : vector<8xi1>
// CHECK: %[[START:.*]] = vector.transfer_read %[[H]][%{{.*}}], %{{.*}}, %[[MASK]]
// CHECK: %[[MADE:.*]] = tensor.empty({{.*}}) : tensor<54xf64>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[MADE]])
// CHECK: vector.transfer_write %{{.*}} : vector<8xf64>, tensor<54xf64>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[C:.*]] = %[[START]], %[[S:.*]] = %{{.*}}) -> (vector<8xf64>, tensor<54xf64>)
// CHECK: %[[X:.*]] = vector.transfer_read %[[FLAT]][%{{.*}}]
// CHECK: %[[NEXT:.*]] = arith.addf %[[C]], %[[X]] : vector<8xf64>
// CHECK: %[[W:.*]] = vector.transfer_write %[[NEXT]], %[[S]][%{{.*}}]
// CHECK: scf.yield %[[NEXT]], %[[W]] : vector<8xf64>, tensor<54xf64>
// CHECK: tensor.expand_shape %[[R]]#1 {{.*}} into tensor<9x6xf64>
func.func @stacked(%h: tensor<6xf64>, %xs: tensor<9x6xf64>) -> (tensor<6xf64>, tensor<9x6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %none = arith.constant dense<0.0> : tensor<9x6xf64>
  %e = tensor.empty() : tensor<6xf64>
  %0:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%c = %h, %s = %none) -> (tensor<6xf64>, tensor<9x6xf64>) {
    %x = tensor.extract_slice %xs[%i, 0] [1, 6] [1, 1] : tensor<9x6xf64> to tensor<6xf64>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c, %x : tensor<6xf64>, tensor<6xf64>) outs(%e : tensor<6xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %2 = arith.addf %a, %b : f64
      linalg.yield %2 : f64
    } -> tensor<6xf64>
    %w = tensor.insert_slice %1 into %s[%i, 0] [1, 6] [1, 1] : tensor<6xf64> into tensor<9x6xf64>
    scf.yield %1, %w : tensor<6xf64>, tensor<9x6xf64>
  }
  return %0#0, %0#1 : tensor<6xf64>, tensor<9x6xf64>
}

// -----

// What is written has an open size: it is filled in the dispatch, and nothing
// is left of the fill.
// CHECK-LABEL: func @open
// CHECK: "flow.dispatch.region"(%{{.*}})
// CHECK: tensor.insert %{{.*}} into %{{.*}} : tensor<?xi8>
// CHECK: arith.trunci
func.func @open(%p: tensor<i1>, %n: index) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %e = tensor.empty(%n) : tensor<?xi1>
  %none = linalg.fill ins(%false : i1) outs(%e : tensor<?xi1>) -> tensor<?xi1>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (tensor<?xi1>) {
    %1 = tensor.expand_shape %p [] output_shape [1] : tensor<i1> into tensor<1xi1>
    %w = tensor.insert_slice %1 into %s[%i] [1] [1] : tensor<1xi1> into tensor<?xi1>
    scf.yield %w : tensor<?xi1>
  }
  return %0 : tensor<?xi1>
}

// -----

// A product folds in the lanes of its results, a sum of all in lanes of its
// own, which are joined by halves. What a transpose reads is shuffled.
// CHECK-LABEL: func @folds
// CHECK: scf.for
// CHECK-COUNT-4: math.fma %{{.*}} : vector<16xf32>
// CHECK: %[[L:.*]] = arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: vector.shuffle %[[L]], %[[L]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: vector.shuffle %[[L]], %[[L]] [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.addf %{{.*}} : vector<1xf32>
// CHECK: %[[SUM:.*]] = vector.extract %{{.*}}[0] : f32 from vector<1xf32>
// CHECK: arith.addf %{{.*}}, %[[SUM]] : f32
// CHECK: vector.shuffle %{{.*}} [0, 3, 1, 4, 2, 5,
func.func @folds(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %y: tensor<f32>, %z: tensor<3x2xf32>, %n: index) -> (tensor<f32>, tensor<3x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y, %t = %z) -> (tensor<f32>, tensor<3x2xf32>) {
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero : tensor<2x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %2 = math.fma %a, %b, %o : f32
      linalg.yield %2 : f32
    } -> tensor<2x3xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%1 : tensor<2x3xf32>) outs(%s : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %4 = arith.addf %a, %o : f32
      linalg.yield %4 : f32
    } -> tensor<f32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %t : tensor<2x3xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %6 = arith.mulf %a, %b : f32
      linalg.yield %6 : f32
    } -> tensor<3x2xf32>
    scf.yield %3, %5 : tensor<f32>, tensor<3x2xf32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<3x2xf32>
}

// -----

// These stay on the host: a check, a carried tensor that is read after it is
// written, one that is given away twice, one that a turn changes as a whole,
// and an argument that is written to where it is.
// CHECK-LABEL: func @on_the_host
// CHECK-NOT: flow.dispatch.region
func.func @on_the_host(%x: tensor<9000xf32>, %y: tensor<f32>, %d: tensor<9000xf32> {wax.donated}, %one: tensor<1xf32>, %n: index, %ok: i1) -> (tensor<f32>, tensor<9000xf32>, tensor<9000xf32>, tensor<9000xf32>, tensor<9000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<f32>) {
    cf.assert %ok, "checked on the host"
    scf.yield %s : tensor<f32>
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<9000xf32>) {
    %w = tensor.insert_slice %one into %s[%i] [1] [1] : tensor<1xf32> into tensor<9000xf32>
    %r = tensor.extract_slice %s[%c1] [1] [1] : tensor<9000xf32> to tensor<1xf32>
    %w2 = tensor.insert_slice %r into %w[%i] [1] [1] : tensor<1xf32> into tensor<9000xf32>
    scf.yield %w2 : tensor<9000xf32>
  }
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %x) -> (tensor<9000xf32>, tensor<9000xf32>) {
    %w = tensor.insert_slice %one into %s[%i] [1] [1] : tensor<1xf32> into tensor<9000xf32>
    scf.yield %w, %w : tensor<9000xf32>, tensor<9000xf32>
  }
  %3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<9000xf32>) {
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<9000xf32>) outs(%s : tensor<9000xf32>) {
    ^bb0(%a: f32, %o: f32):
      %5 = arith.addf %a, %a : f32
      linalg.yield %5 : f32
    } -> tensor<9000xf32>
    scf.yield %4 : tensor<9000xf32>
  }
  %6 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %d) -> (tensor<9000xf32>) {
    %w = tensor.insert_slice %one into %s[%i] [1] [1] : tensor<1xf32> into tensor<9000xf32>
    scf.yield %w : tensor<9000xf32>
  }
  return %0, %1, %2#0, %3, %6 : tensor<f32>, tensor<9000xf32>, tensor<9000xf32>, tensor<9000xf32>, tensor<9000xf32>
}

// -----

// What the inner loop stacks is a window of what the outer one carries, and is written there at once: the two of them are
// one dispatch, with nothing of a block's own in memory.
// CHECK-LABEL: func @windows
// CHECK: flow.dispatch.region
// CHECK: scf.for %[[B:.*]] = {{.*}} iter_args(%[[ALL:.*]] = %{{.*}}) -> (tensor<?xf32>)
// CHECK: scf.for %[[T:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STACK:.*]] = %[[ALL]]) -> (vector<16xf32>, tensor<?xf32>)
// CHECK: %[[ROW:.*]] = arith.muli %[[T]], %c64
// CHECK: %[[PLACE:.*]] = arith.addi %[[ROW]], %{{.*}}
// CHECK: vector.transfer_write %{{.*}}, %[[STACK]][%[[PLACE]]]
// CHECK-NOT: flow.dispatch.region
func.func @windows(%x: tensor<?x64xf32>, %h: tensor<64xf32>, %n: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %some = tensor.empty(%n) : tensor<?x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%some : tensor<?x16xf32>) -> tensor<?x16xf32>
  %many = tensor.empty(%n) : tensor<?x64xf32>
  %all = linalg.fill ins(%zero : f32) outs(%many : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = scf.for %b = %c0 to %c4 step %c1 iter_args(%whole = %all) -> (tensor<?x64xf32>) {
    %p = arith.muli %b, %c16 : index
    %begin = tensor.extract_slice %h[%p] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %0:2 = scf.for %t = %c0 to %n step %c1 iter_args(%state = %begin, %stack = %zeros) -> (tensor<16xf32>, tensor<?x16xf32>) {
      %1 = tensor.extract_slice %x[%t, %p] [1, 16] [1, 1] : tensor<?x64xf32> to tensor<16xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%state, %1 : tensor<16xf32>, tensor<16xf32>) outs(%1 : tensor<16xf32>) {
      ^bb0(%a: f32, %b2: f32, %o: f32):
        %3 = arith.addf %a, %b2 : f32
        linalg.yield %3 : f32
      } -> tensor<16xf32>
      %4 = tensor.insert_slice %2 into %stack[%t, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<?x16xf32>
      scf.yield %2, %4 : tensor<16xf32>, tensor<?x16xf32>
    }
    %5 = tensor.insert_slice %0#1 into %whole[0, %p] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x64xf32>
    scf.yield %5 : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// -----

// No windows: a stack that begins with ones, and one that the turn reads, where another block may have written.
// CHECK-LABEL: func @no_windows
// CHECK: scf.for
// CHECK: flow.dispatch.region
// CHECK: scf.for
// CHECK: flow.dispatch.region
func.func @no_windows(%one: tensor<1xf32>, %n: index) -> (tensor<9000x4xf32>, tensor<9000x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %ones = arith.constant dense<1.0> : tensor<9000x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<9000x1xf32>
  %all = arith.constant dense<0.0> : tensor<9000x4xf32>
  %0 = scf.for %b = %c0 to %c4 step %c1 iter_args(%whole = %all) -> (tensor<9000x4xf32>) {
    %1 = scf.for %t = %c0 to %n step %c1 iter_args(%stack = %ones) -> (tensor<9000x1xf32>) {
      %2 = tensor.insert_slice %one into %stack[%t, 0] [1, 1] [1, 1] : tensor<1xf32> into tensor<9000x1xf32>
      scf.yield %2 : tensor<9000x1xf32>
    }
    %3 = tensor.insert_slice %1 into %whole[0, %b] [9000, 1] [1, 1] : tensor<9000x1xf32> into tensor<9000x4xf32>
    scf.yield %3 : tensor<9000x4xf32>
  }
  %4 = scf.for %b = %c0 to %c4 step %c1 iter_args(%whole = %all) -> (tensor<9000x4xf32>) {
    %5 = scf.for %t = %c0 to %n step %c1 iter_args(%stack = %zeros) -> (tensor<9000x1xf32>) {
      %6 = tensor.extract_slice %stack[0, 0] [1, 1] [1, 1] : tensor<9000x1xf32> to tensor<1xf32>
      %7 = tensor.insert_slice %6 into %stack[%t, 0] [1, 1] [1, 1] : tensor<1xf32> into tensor<9000x1xf32>
      scf.yield %7 : tensor<9000x1xf32>
    }
    %8 = tensor.insert_slice %5 into %whole[0, %b] [9000, 1] [1, 1] : tensor<9000x1xf32> into tensor<9000x4xf32>
    scf.yield %8 : tensor<9000x4xf32>
  }
  return %0, %4 : tensor<9000x4xf32>, tensor<9000x4xf32>
}

// -----

// Nor where one turn would see what another wrote in its place: windows that lie on each other, of which turns write
// parts of their own.
// CHECK-LABEL: func @no_windows_of_others
// CHECK: scf.for
// CHECK: flow.dispatch.region
// CHECK: scf.for
// CHECK: flow.dispatch.region
func.func @no_windows_of_others(%v: tensor<1xf32>, %n: index) -> (tensor<9000xf32>, tensor<9000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %all = arith.constant dense<0.0> : tensor<9000xf32>
  %0 = scf.for %b = %c0 to %c4 step %c1 iter_args(%whole = %all) -> (tensor<9000xf32>) {
    %1 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zeros) -> (tensor<8xf32>) {
      %2 = tensor.insert_slice %v into %s[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    }
    %3 = tensor.insert_slice %1 into %whole[0] [8] [1] : tensor<8xf32> into tensor<9000xf32>
    scf.yield %3 : tensor<9000xf32>
  }
  %4 = scf.for %b = %c0 to %c4 step %c1 iter_args(%whole = %all) -> (tensor<9000xf32>) {
    %p = arith.muli %b, %c4 : index
    %5 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zeros) -> (tensor<8xf32>) {
      %q = arith.addi %t, %c4 : index
      %6 = tensor.insert_slice %v into %s[%q] [1] [1] : tensor<1xf32> into tensor<8xf32>
      scf.yield %6 : tensor<8xf32>
    }
    %7 = tensor.insert_slice %5 into %whole[%p] [8] [1] : tensor<8xf32> into tensor<9000xf32>
    scf.yield %7 : tensor<9000xf32>
  }
  return %0, %4 : tensor<9000xf32>, tensor<9000xf32>
}
