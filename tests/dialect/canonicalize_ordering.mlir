// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_element_is_in_order
// CHECK-SAME: (%[[X:.*]]: tensor<4x1xf32>)
// CHECK: return %[[X]]
func.func @one_element_is_in_order(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<4x1xf32>) -> tensor<4x1xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: func.func @what_is_sorted_stays
// CHECK: %[[S:.*]]:2 = wax.sort
// CHECK-NOT: wax.sort
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @what_is_sorted_stays(%x: tensor<?xf32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0 : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  %1:2 = wax.sort (%a, %b = %0#0, %c, %d = %0#1) along 0 : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %1#0, %1#1 : tensor<?xf32>, tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @another_order_is_another_sort
// CHECK-COUNT-2: wax.sort
func.func @another_order_is_another_sort(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<?xf32>) -> tensor<?xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  %1 = wax.sort (%a, %b = %0) along 0 : (tensor<?xf32>) -> tensor<?xf32> {
    %l = arith.cmpf ogt, %a, %b : f32
    wax.yield %l : i1
  }
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @operand_given_twice
// CHECK-SAME: (%[[X:.*]]: tensor<9xf32>, %[[Y:.*]]: tensor<9xf32>)
// CHECK: %[[S:.*]]:2 = wax.sort (%[[A:.*]], %[[B:.*]] = %[[X]], %[[C:.*]], %[[D:.*]] = %[[Y]]) along 0
// CHECK:   arith.cmpf olt, %[[A]], %[[B]]
// CHECK: return %[[S]]#0, %[[S]]#0, %[[S]]#1
func.func @operand_given_twice(%x: tensor<9xf32>, %y: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) {
  %0:3 = wax.sort (%a, %b = %x, %c, %d = %x, %e, %f = %y) along 0
      : (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) {
    %l = arith.cmpf olt, %c, %d : f32
    wax.yield %l : i1
  }
  return %0#0, %0#1, %0#2 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
}

// -----

// CHECK-LABEL: func.func @operand_that_nothing_asks_for
// CHECK-SAME: (%[[X:.*]]: tensor<9xf32>, %[[Y:.*]]: tensor<9xi32>)
// CHECK: %[[S:.*]] = wax.sort (%{{.*}}, %{{.*}} = %[[Y]]) along 0 {note} : (tensor<9xi32>) -> tensor<9xi32>
// CHECK: return %[[S]]
func.func @operand_that_nothing_asks_for(%x: tensor<9xf32>, %y: tensor<9xi32>) -> tensor<9xi32> {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0 {note} : (tensor<9xf32>, tensor<9xi32>) -> (tensor<9xf32>, tensor<9xi32>) {
    %l = arith.cmpi slt, %c, %d : i32
    wax.yield %l : i1
  }
  return %0#1 : tensor<9xi32>
}

// -----

// The sizes of the operands must still be compared.
// CHECK-LABEL: func.func @operand_of_unknown_size_stays
// CHECK: wax.sort (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) along 0
func.func @operand_of_unknown_size_stays(%x: tensor<?xf32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0 : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %l = arith.cmpi slt, %c, %d : i32
    wax.yield %l : i1
  }
  return %0#1 : tensor<?xi32>
}
