// RUN: wax-opt %s --allow-unregistered-dialect --wax-keep-carried | FileCheck %s

// CHECK-LABEL: @passes_on_fewer
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[R:.*]]:2 = scf.while (%[[I:.*]] = %[[N]], %[[A:.*]] = %[[X]]) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
// CHECK: scf.condition(%{{.*}}) %[[I]], %[[A]]
// CHECK: ^bb0(%[[J:.*]]: tensor<i32>, %[[B:.*]]: tensor<4xf32>):
// CHECK: "test.turn"(%[[B]])
// CHECK: return %[[R]]#1
func.func @passes_on_fewer(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %0 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.extract %i[] : tensor<i32>
    %holds = arith.cmpi sgt, %e, %c0 : i32
    scf.condition(%holds) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %1:2 = "test.turn"(%b) : (tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    scf.yield %1#0, %1#1 : tensor<i32>, tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @passes_on_what_it_computes
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3xi32>
// CHECK: %[[R:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %{{.*}} = %[[E]]) : (tensor<4xf32>, tensor<3xi32>) -> (tensor<4xf32>, tensor<3xi32>)
// CHECK: %[[C:.*]]:2 = "test.look"(%[[A]])
// CHECK: scf.condition(%[[C]]#0) %[[A]], %[[C]]#1
// CHECK: ^bb0(%[[B:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<3xi32>):
// CHECK: %[[T:.*]] = "test.turn"(%[[D]])
// CHECK: scf.yield %[[T]], %[[D]]
// CHECK: return %[[R]]#1
func.func @passes_on_what_it_computes(%x: tensor<4xf32>) -> tensor<3xi32> {
  %0 = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<3xi32> {
    %1:2 = "test.look"(%a) : (tensor<4xf32>) -> (i1, tensor<3xi32>)
    scf.condition(%1#0) %1#1 : tensor<3xi32>
  } do {
  ^bb0(%b: tensor<3xi32>):
    %1 = "test.turn"(%b) : (tensor<3xi32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: @passes_on_all
// CHECK: scf.while (%[[A:.*]] = %arg0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: scf.condition(%{{.*}}) %[[A]] : tensor<4xf32>
func.func @passes_on_all(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = "test.look"(%a) : (tensor<4xf32>) -> i1
    scf.condition(%1) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %1 = "test.turn"(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @carries_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<0x3xf32>)
// CHECK: %[[MADE:.*]] = tensor.empty() : tensor<0x3xf32>
// CHECK: %[[R:.*]] = scf.while (%[[A:.*]] = %[[X]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: "test.look"(%[[A]], %[[MADE]])
// CHECK: scf.condition(%{{.*}}) %[[A]] : tensor<4xf32>
// CHECK: ^bb0(%[[B:.*]]: tensor<4xf32>):
// CHECK: %[[T:.*]]:2 = "test.turn"(%[[MADE]], %[[B]])
// CHECK: scf.yield %[[T]]#1 : tensor<4xf32>
// CHECK: return %[[R]], %[[MADE]]
func.func @carries_nothing(%x: tensor<4xf32>, %e: tensor<0x3xf32>) -> (tensor<4xf32>, tensor<0x3xf32>) {
  %0:2 = scf.while (%c = %e, %a = %x) : (tensor<0x3xf32>, tensor<4xf32>) -> (tensor<0x3xf32>, tensor<4xf32>) {
    %1 = "test.look"(%a, %c) : (tensor<4xf32>, tensor<0x3xf32>) -> i1
    scf.condition(%1) %c, %a : tensor<0x3xf32>, tensor<4xf32>
  } do {
  ^bb0(%d: tensor<0x3xf32>, %b: tensor<4xf32>):
    %1:2 = "test.turn"(%d, %b) : (tensor<0x3xf32>, tensor<4xf32>) -> (tensor<0x3xf32>, tensor<4xf32>)
    scf.yield %1#0, %1#1 : tensor<0x3xf32>, tensor<4xf32>
  }
  return %0#1, %0#0 : tensor<4xf32>, tensor<0x3xf32>
}

// CHECK-LABEL: @carries_sizes_of_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<0x?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[E]]
// CHECK: %[[R:.*]]:2 = scf.while (%[[SIZE:.*]] = %[[N]], %[[A:.*]] = %[[X]]) : (index, tensor<4xf32>) -> (index, tensor<4xf32>)
// CHECK: %[[MADE:.*]] = tensor.empty(%[[SIZE]]) : tensor<0x?xf32>
// CHECK: "test.look"(%[[A]], %[[MADE]])
// CHECK: scf.condition(%{{.*}}) %[[SIZE]], %[[A]] : index, tensor<4xf32>
// CHECK: ^bb0(%[[AFTER:.*]]: index, %[[B:.*]]: tensor<4xf32>):
// CHECK: %[[AGAIN:.*]] = tensor.empty(%[[AFTER]]) : tensor<0x?xf32>
// CHECK: %[[T:.*]]:2 = "test.turn"(%[[AGAIN]], %[[B]])
// CHECK: %[[M:.*]] = tensor.dim %[[T]]#0
// CHECK: scf.yield %[[M]], %[[T]]#1 : index, tensor<4xf32>
// CHECK: %[[LAST:.*]] = tensor.empty(%[[R]]#0) : tensor<0x?xf32>
// CHECK: return %[[R]]#1, %[[LAST]]
func.func @carries_sizes_of_nothing(%x: tensor<4xf32>, %e: tensor<0x?xf32>) -> (tensor<4xf32>, tensor<0x?xf32>) {
  %0:2 = scf.while (%c = %e, %a = %x) : (tensor<0x?xf32>, tensor<4xf32>) -> (tensor<0x?xf32>, tensor<4xf32>) {
    %1 = "test.look"(%a, %c) : (tensor<4xf32>, tensor<0x?xf32>) -> i1
    scf.condition(%1) %c, %a : tensor<0x?xf32>, tensor<4xf32>
  } do {
  ^bb0(%d: tensor<0x?xf32>, %b: tensor<4xf32>):
    %1:2 = "test.turn"(%d, %b) : (tensor<0x?xf32>, tensor<4xf32>) -> (tensor<0x?xf32>, tensor<4xf32>)
    scf.yield %1#0, %1#1 : tensor<0x?xf32>, tensor<4xf32>
  }
  return %0#1, %0#0 : tensor<4xf32>, tensor<0x?xf32>
}

// %b is computed for nobody, and %c stays as it is: neither is carried.
// CHECK-LABEL: func.func @unread
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[LOOP:.*]] = scf.while (%{{.*}} = %[[X]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: do {
// CHECK-NOT: linalg.sqrt
// CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[LOOP]]) -> (tensor<4xf32>)
// CHECK: return %[[FOR]], %[[X]]
func.func @unread(%x: tensor<4xf32>, %holds: i1, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4xf32>
  %1:2 = scf.while (%a = %x, %b = %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%holds) %a, %b : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %3 = linalg.exp ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %4 = linalg.sqrt ins(%b : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3, %3 : tensor<4xf32>, tensor<4xf32>
  }
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %1#0, %c = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %3 = linalg.exp ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3, %c : tensor<4xf32>, tensor<4xf32>
  }
  return %2#0, %2#1 : tensor<4xf32>, tensor<4xf32>
}
