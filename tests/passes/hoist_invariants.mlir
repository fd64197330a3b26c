// RUN: wax-opt %s --wax-hoist-invariants --split-input-file | FileCheck %s

// CHECK-LABEL: func @out_of_a_counted_loop
// CHECK: wax.map math.exp
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK: wax.broadcast arith.addf
func.func @out_of_a_counted_loop(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %1 = wax.map math.exp(%y) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.broadcast arith.addf(%s[0], %1[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Out of both loops, from the test as well as from the turn.
// CHECK-LABEL: func @out_of_nested_loops
// CHECK-DAG: wax.map math.exp
// CHECK-DAG: wax.map math.tanh
// CHECK: scf.while
// CHECK: scf.for
// CHECK-NOT: math.exp
func.func @out_of_nested_loops(%x: tensor<f32>, %y: tensor<f32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.while (%s = %x) : (tensor<f32>) -> tensor<f32> {
    %limit = wax.map math.tanh(%y) : (tensor<f32>) -> tensor<f32>
    %1 = wax.broadcast (%a = %s[], %b = %limit[]) : (tensor<f32>, tensor<f32>) -> tensor<i1> {
      %less = arith.cmpf olt, %a, %b : f32
      wax.yield %less : i1
    }
    %go = tensor.extract %1[] : tensor<i1>
    scf.condition(%go) %s : tensor<f32>
  } do {
  ^bb0(%s: tensor<f32>):
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<f32>) {
      %2 = wax.map math.exp(%y) : (tensor<f32>) -> tensor<f32>
      %3 = wax.broadcast arith.addf(%t[], %2[]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %3 : tensor<f32>
    }
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// What a check guards stays behind it.
// CHECK-LABEL: func @checked
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: tensor.extract_slice
func.func @checked(%x: tensor<?xf32>, %n: index, %ok: i1) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<1xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e) -> (tensor<1xf32>) {
    cf.assert %ok, "there is such an element"
    %1 = tensor.extract_slice %x[7] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %1 : tensor<1xf32>
  }
  return %0 : tensor<1xf32>
}

// -----

// Each turn passes it on as it got it.
// CHECK-LABEL: func @passed_on_by_a_counted_loop
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[CAST:.*]] = tensor.cast %[[X]]
// CHECK: %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%[[S:.*]] = %[[Y]], %[[KEPT:.*]] = %[[X]])
// CHECK: wax.broadcast arith.addf(%[[S]][0], %[[CAST]][0])
// CHECK: scf.yield %{{.*}}, %[[KEPT]]
// CHECK: return %[[SUM]]#0, %[[X]]
func.func @passed_on_by_a_counted_loop(%x: tensor<?xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y, %t = %x) -> (tensor<4xf32>, tensor<?xf32>) {
    %1 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
    %2 = wax.broadcast arith.addf(%s[0], %1[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
    scf.yield %2, %3 : tensor<4xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<?xf32>
}

// -----

// The condition passes it on at another place, as one of another type.
// CHECK-LABEL: func @passed_on_by_a_while
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[GIVEN:.*]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<4xf32>
// CHECK: wax.map arith.negf(%[[GIVEN]])
// CHECK: scf.while
// CHECK: wax.broadcast (%a = %{{.*}}[], %b = %[[X]][0])
// CHECK: return %[[GIVEN]]
func.func @passed_on_by_a_while(%x: tensor<?xf32>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1:3 = scf.while (%t = %x, %s = %y, %u = %0) : (tensor<?xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
    %2 = wax.broadcast (%a = %s[], %b = %t[0]) : (tensor<f32>, tensor<?xf32>) -> tensor<?xi1> {
      %less = arith.cmpf olt, %a, %b : f32
      wax.yield %less : i1
    }
    %c0 = arith.constant 0 : index
    %go = tensor.extract %2[%c0] : tensor<?xi1>
    %3 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
    scf.condition(%go) %s, %3, %u : tensor<f32>, tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%s: tensor<f32>, %t: tensor<4xf32>, %u: tensor<4xf32>):
    %2 = wax.map arith.negf(%t) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = wax.map arith.negf(%s) : (tensor<f32>) -> tensor<f32>
    %4 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    scf.yield %4, %3, %2 : tensor<?xf32>, tensor<f32>, tensor<4xf32>
  }
  return %1#1, %1#2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Each turn gives again what the loop begins with.
// CHECK-LABEL: func @given_again
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: scf.for {{.*}} iter_args(%[[KEPT:.*]] = %[[X]])
// CHECK: scf.yield %[[KEPT]]
// CHECK: return %[[X]]
func.func @given_again(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf32>) {
    %1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
    %2 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
