// RUN: wax-opt %s --wax-fors-around-whiles | FileCheck %s

// CHECK-LABEL: func.func @a_while_of_open_sizes
// CHECK-SAME:    (%[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK-NOT:     scf.for
// CHECK:         %[[R:.*]]:2 = scf.while (%[[I:.*]] = %c0, %[[A:.*]] = %[[X]]) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
// CHECK:           %[[LEFT:.*]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK:           scf.condition(%[[LEFT]]) %[[I]], %[[A]] : index, tensor<?xf32>
// CHECK:         ^bb0(%[[J:.*]]: index, %[[B:.*]]: tensor<?xf32>):
// CHECK:           %[[INNER:.*]] = scf.while (%{{.*}} = %[[B]])
// CHECK:           %[[NEXT:.*]] = arith.addi %[[J]], %c1 : index
// CHECK:           scf.yield %[[NEXT]], %[[INNER]] : index, tensor<?xf32>
// CHECK:         return %[[R]]#1
func.func @a_while_of_open_sizes(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %s = scf.while (%b = %a) : (tensor<?xf32>) -> tensor<?xf32> {
      %more = arith.cmpi eq, %i, %n : index
      scf.condition(%more) %b : tensor<?xf32>
    } do {
    ^bb0(%b: tensor<?xf32>):
      scf.yield %b : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @a_while_of_known_sizes
// CHECK:         scf.for
// CHECK:           scf.while
func.func @a_while_of_known_sizes(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %s = scf.while (%b = %a) : (tensor<4xf32>) -> tensor<4xf32> {
      %more = arith.cmpi eq, %i, %n : index
      scf.condition(%more) %b : tensor<4xf32>
    } do {
    ^bb0(%b: tensor<4xf32>):
      scf.yield %b : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
