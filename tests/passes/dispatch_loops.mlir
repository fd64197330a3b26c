// RUN: wax-opt %s --wax-dispatch-loops --split-input-file | FileCheck %s

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

// Loops that carry more, or do more than scalars can, stay on the host.
// CHECK-LABEL: func @not_of_scalars
// CHECK-NOT: flow.dispatch.region
func.func @not_of_scalars(%x: tensor<4xf32>, %y: tensor<f32>, %n: index, %ok: i1) -> (tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<f32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    scf.yield %s : tensor<4xf32>
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<f32>) {
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%s : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %3 = arith.addf %a, %o : f32
      linalg.yield %3 : f32
    } -> tensor<f32>
    scf.yield %2 : tensor<f32>
  }
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<f32>) {
    cf.assert %ok, "checked on the host"
    scf.yield %s : tensor<f32>
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<f32>, tensor<f32>
}
