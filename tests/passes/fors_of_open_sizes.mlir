// RUN: wax-opt %s --wax-fors-of-open-sizes | FileCheck %s

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

// A turn that appends gives other sizes than it gets.
// CHECK-LABEL: func.func @a_turn_that_appends
// CHECK-NOT:     scf.for
// CHECK:         scf.while
// CHECK:           tensor.concat
func.func @a_turn_that_appends(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %s = tensor.concat dim(0) %a, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// And so does a loop around one.
// CHECK-LABEL: func.func @around_one_that_appends
// CHECK-NOT:     scf.for
// CHECK:         scf.while
// CHECK:           scf.while
func.func @around_one_that_appends(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
      %t = tensor.concat dim(0) %b, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @carried_swapped
// CHECK-NOT:     scf.for
func.func @carried_swapped(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @sizes_that_stay
// CHECK:         scf.for
// CHECK:           scf.for
func.func @sizes_that_stay(%x: tensor<?x3xf32>, %u: tensor<1x3xf32>, %n: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x3xf32>) {
    %d = tensor.dim %a, %c0 : tensor<?x3xf32>
    %e = tensor.empty(%d) : tensor<?x3xf32>
    %m = linalg.exp ins(%a : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %m) -> (tensor<?x3xf32>) {
      %t = tensor.insert_slice %u into %b[%j, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
      scf.yield %t : tensor<?x3xf32>
    }
    scf.yield %s : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}
