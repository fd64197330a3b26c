// RUN: wax-opt %s --allow-unregistered-dialect --wax-keep-carried | FileCheck %s

// CHECK-LABEL: @passes_on_fewer
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[R:.*]]:2 = scf.while (%[[I:.*]] = %[[N]], %[[A:.*]] = %[[X]]) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
// CHECK: scf.condition(%{{.*}}) %[[I]], %[[A]]
// CHECK: ^bb0(%[[J:.*]]: tensor<i32>, %[[B:.*]]: tensor<4xf32>):
// CHECK-NEXT: "util.optimization_barrier"(%[[J]])
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
// CHECK: "util.optimization_barrier"(%[[B]])
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
// CHECK-NOT: optimization_barrier
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

// Its size is read and given anew, unknown to be the same.
// CHECK-LABEL: @carries_open_sizes
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (tensor<?x3xf32>) -> tensor<?x3xf32>
// CHECK: scf.condition(%{{.*}}) %[[A]]
// CHECK: ^bb0(%[[B:.*]]: tensor<?x3xf32>):
// CHECK: %[[D:.*]] = tensor.dim %[[B]], %c0
// CHECK: "util.optimization_barrier"(%[[D]]) : (index) -> index
// CHECK-NOT: "util.optimization_barrier"(%[[B]])
// CHECK: %[[T:.*]] = "test.turn"(%[[B]])
// CHECK: %[[E:.*]] = tensor.dim %[[T]], %c0
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[E]]) : (index) -> index
// CHECK: %[[TIED:.*]] = "flow.tensor.tie_shape"(%[[T]], %[[HIDDEN]])
// CHECK: scf.yield %[[TIED]]
func.func @carries_open_sizes(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = scf.while (%a = %x) : (tensor<?x3xf32>) -> tensor<?x3xf32> {
    %1 = "test.look"(%a) : (tensor<?x3xf32>) -> i1
    scf.condition(%1) %a : tensor<?x3xf32>
  } do {
  ^bb0(%b: tensor<?x3xf32>):
    %1 = "test.turn"(%b) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    scf.yield %1 : tensor<?x3xf32>
  }
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @reads_what_may_be_nothing
// CHECK: ^bb0(%[[B:.*]]: tensor<?xf32>):
// CHECK: "util.optimization_barrier"(%[[B]]) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: tensor.cast %[[B]]
func.func @reads_what_may_be_nothing(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %1 = "test.look"(%a) : (tensor<?xf32>) -> i1
    scf.condition(%1) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %1 = tensor.cast %b : tensor<?xf32> to tensor<0xf32>
    %2 = "test.turn"(%1) : (tensor<0xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @gives_nothing
// CHECK: "test.turn"
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%{{.*}}) : (index) -> index
// CHECK: %[[E:.*]] = tensor.empty(%[[HIDDEN]]) : tensor<?x3xf32>
// CHECK-NEXT: scf.yield %[[E]]
func.func @gives_nothing(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = scf.while (%a = %x) : (tensor<?x3xf32>) -> tensor<?x3xf32> {
    %1 = "test.look"(%a) : (tensor<?x3xf32>) -> i1
    scf.condition(%1) %a : tensor<?x3xf32>
  } do {
  ^bb0(%b: tensor<?x3xf32>):
    %1 = "test.turn"(%b) : (tensor<?x3xf32>) -> tensor<0x3xf32>
    %2 = tensor.cast %1 : tensor<0x3xf32> to tensor<?x3xf32>
    scf.yield %2 : tensor<?x3xf32>
  }
  return %0 : tensor<?x3xf32>
}
