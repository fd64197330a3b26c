// RUN: wax-opt %s --wax-keep-starts --split-input-file | FileCheck %s

// CHECK-LABEL: func @two_values_begin_with_one
// CHECK-SAME: %[[N:.*]]: index, %[[Z:.*]]: tensor<4xf32>
// CHECK: %[[HOLDS:.*]] = "util.optimization_barrier"(%{{.*}}) : (i1) -> i1
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<4xf32>)
// CHECK: arith.select %[[HOLDS]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Z]], %{{.*}} = %[[COPY]])
func.func @two_values_begin_with_one(%n: index, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %1, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// IREE makes these one: two fills of one shape with one number, and a constant of it.
// CHECK-LABEL: func @values_begin_alike
// CHECK: %[[X:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = linalg.fill
// CHECK: %[[FILLED:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: %[[CONSTANT:.*]] = linalg.generic
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[FILLED]], %{{.*}} = %[[CONSTANT]], %{{.*}} = %[[OTHER:.*]])
// CHECK-NOT: linalg.generic
func.func @values_begin_alike(%n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %0 = arith.constant 0.0 : f32
  %1 = arith.constant 0.0 : f32
  %one = tensor.empty() : tensor<4xf32>
  %other = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%0 : f32) outs(%one : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.fill ins(%1 : f32) outs(%other : tensor<4xf32>) -> tensor<4xf32>
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %w = arith.constant dense<1.0> : tensor<4xf32>
  %2:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z, %d = %w) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %3 = tensor.insert %f into %a[%i] : tensor<4xf32>
    %4 = tensor.insert %f into %c[%i] : tensor<4xf32>
    scf.yield %3, %b, %4, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %2#0, %2#1, %2#2, %2#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @a_turn_makes_two_values_one
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK: scf.yield %[[A]], %[[COPY]]
func.func @a_turn_makes_two_values_one(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %a, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// What differs needs no copy.

// CHECK-LABEL: func @two_values_of_their_own
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @two_values_of_their_own(%n: index, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#line = affine_map<(i) -> (i)>

// CHECK-LABEL: func @two_sums_begin_with_what_is_computed
// CHECK: %[[START:.*]] = linalg.generic
// CHECK: %[[ONE:.*]] = linalg.generic {{.*}} ins(%[[START]] :
// CHECK: linalg.generic {{.*}} outs(%[[ONE]] :
// CHECK: %[[OTHER:.*]] = linalg.generic {{.*}} ins(%[[START]] :
// CHECK: linalg.generic {{.*}} outs(%[[OTHER]] :
func.func @two_sums_begin_with_what_is_computed(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %start = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %3 = arith.negf %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %3 = arith.addf %a, %acc : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<4x4xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %3 = arith.addf %a, %acc : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @branch_gives_what_others_read
// CHECK: scf.if
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%arg1 :
// CHECK: scf.yield %[[COPY]]
// CHECK: else
// CHECK-NEXT: scf.yield %arg2
// CHECK: return
func.func @branch_gives_what_others_read(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = scf.if %p -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @turn_gives_what_was_made_before
// CHECK: scf.for
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%{{.*}} :
// CHECK: scf.yield %[[COPY]]
func.func @turn_gives_what_was_made_before(%n: index, %x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (tensor<4xf32>) {
    %1 = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What a loop updates is its own: of an argument, of a constant, and of what is read since, there is a copy before it.

// CHECK-LABEL: func @updated
// CHECK-SAME: %[[N:.*]]: index, %[[ROW:.*]]: tensor<1xf32>, %[[X:.*]]: tensor<4xf32>
// CHECK: %[[MADE:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: math.exp
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: %[[CONSTANT:.*]] = linalg.generic {{.*}} ins(%cst{{.*}} : tensor<4xf32>)
// CHECK: %[[AGAIN:.*]] = linalg.generic {{.*}} ins(%[[MADE]] :
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]], %{{.*}} = %[[CONSTANT]], %{{.*}} = %[[AGAIN]])
func.func @updated(%n: index, %row: tensor<1xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.insert_slice %row into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %2 = tensor.insert_slice %row into %b[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %3 = tensor.insert_slice %row into %c[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %0#2, %z : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Of two loops that begin with zeros the first one has zeros of its own, and so a loop that is in another.

// CHECK-LABEL: func @filled
// CHECK: %[[NUMBER:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[ALL:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[ZERO:.*]] = "util.optimization_barrier"(%[[NUMBER]]) : (f32) -> f32
// CHECK: %[[OWN:.*]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]])
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ALL]])
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} iter_args(%[[INSIDE:.*]] = %
// CHECK-NOT: linalg
// CHECK: return
func.func @filled(%n: index, %row: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %all = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %all) -> (tensor<4xf32>) {
    %1 = tensor.insert_slice %row into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %all) -> (tensor<4xf32>) {
    %3 = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (tensor<4xf32>) {
      %4 = tensor.insert_slice %row into %b[%j] [1] [1] : tensor<1xf32> into tensor<4xf32>
      scf.yield %4 : tensor<4xf32>
    }
    scf.yield %3 : tensor<4xf32>
  }
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What a loop reads only, and what was read before, is as it was.

// CHECK-LABEL: func @not_updated
// CHECK-SAME: %{{.*}}: index, %[[X:.*]]: tensor<4xf32>
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %{{.*}})
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @not_updated(%n: index, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %first = tensor.extract %z[%c0] : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %row = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %1 = tensor.insert_slice %row into %b[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %a, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %first : tensor<4xf32>, tensor<4xf32>, f32
}

// -----

// CHECK-LABEL: func @begun_with_one_number
// CHECK-DAG: %[[HALVES:.*]] = arith.constant dense<5.000000e-01> : tensor<3x4xbf16>
// CHECK-DAG: %[[NONE:.*]] = linalg.fill {{.*}} -> tensor<0xf32>
// CHECK-DAG: %[[BITS:.*]] = arith.constant dense<false> : tensor<4xi1>
// CHECK-DAG: %[[OPEN:.*]] = linalg.fill {{.*}} -> tensor<?xf32>
// CHECK-DAG: %[[GIVEN:.*]] = linalg.fill ins(%{{.*}}) {{.*}} -> tensor<5xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[HALVES]], %{{.*}} = %[[NONE]], %{{.*}} = %[[BITS]], %{{.*}} = %[[OPEN]], %{{.*}} = %[[GIVEN]])
// A fill that others read stays, for them.
// CHECK: %[[SEVENS:.*]] = arith.constant dense<7> : tensor<6xi64>
// CHECK: %[[READ:.*]] = linalg.fill {{.*}} -> tensor<6xi64>
// CHECK: scf.while (%{{.*}} = %[[SEVENS]])
// CHECK: return {{.*}}, %[[READ]] :
func.func @begun_with_one_number(%n: index, %given: f32, %c: i1) -> (tensor<3x4xbf16>, tensor<0xf32>, tensor<4xi1>, tensor<?xf32>, tensor<5xf32>, tensor<6xi64>, tensor<6xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : bf16
  %zero = arith.constant 0.0 : f32
  %false = arith.constant false
  %seven = arith.constant 7 : i64
  %0 = tensor.empty() : tensor<3x4xbf16>
  %halves = linalg.fill ins(%half : bf16) outs(%0 : tensor<3x4xbf16>) -> tensor<3x4xbf16>
  %1 = tensor.empty() : tensor<0xf32>
  %none = linalg.fill ins(%zero : f32) outs(%1 : tensor<0xf32>) -> tensor<0xf32>
  %2 = tensor.empty() : tensor<4xi1>
  %bits = linalg.fill ins(%false : i1) outs(%2 : tensor<4xi1>) -> tensor<4xi1>
  %3 = tensor.empty(%n) : tensor<?xf32>
  %open = linalg.fill ins(%zero : f32) outs(%3 : tensor<?xf32>) -> tensor<?xf32>
  %4 = tensor.empty() : tensor<5xf32>
  %filled = linalg.fill ins(%given : f32) outs(%4 : tensor<5xf32>) -> tensor<5xf32>
  %5:5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %halves, %b = %none, %d = %bits, %e = %open, %f = %filled) -> (tensor<3x4xbf16>, tensor<0xf32>, tensor<4xi1>, tensor<?xf32>, tensor<5xf32>) {
    scf.yield %a, %b, %d, %e, %f : tensor<3x4xbf16>, tensor<0xf32>, tensor<4xi1>, tensor<?xf32>, tensor<5xf32>
  }
  %6 = tensor.empty() : tensor<6xi64>
  %sevens = linalg.fill ins(%seven : i64) outs(%6 : tensor<6xi64>) -> tensor<6xi64>
  %7 = scf.while (%a = %sevens) : (tensor<6xi64>) -> tensor<6xi64> {
    scf.condition(%c) %a : tensor<6xi64>
  } do {
  ^bb0(%a: tensor<6xi64>):
    scf.yield %a : tensor<6xi64>
  }
  return %5#0, %5#1, %5#2, %5#3, %5#4, %7, %sevens : tensor<3x4xbf16>, tensor<0xf32>, tensor<4xi1>, tensor<?xf32>, tensor<5xf32>, tensor<6xi64>, tensor<6xi64>
}
