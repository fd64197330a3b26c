// RUN: wax-opt %s --allow-unregistered-dialect --wax-keep-sizes | FileCheck %s

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

// CHECK-LABEL: @reads_what_is_not_read
// CHECK: ^bb0(%[[I:.*]]: tensor<i32>, %[[B:.*]]: tensor<4xf32>):
// CHECK-NEXT: "util.optimization_barrier"(%[[I]]) : (tensor<i32>) -> tensor<i32>
// CHECK-NEXT: "test.turn"(%[[B]])
func.func @reads_what_is_not_read(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %1 = "test.look"(%i) : (tensor<i32>) -> i1
    scf.condition(%1) %i, %a : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%j: tensor<i32>, %b: tensor<4xf32>):
    %1:2 = "test.turn"(%b) : (tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    scf.yield %1#0, %1#1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: @of_numbers
// CHECK-NOT: optimization_barrier
func.func @of_numbers(%n: i32) -> i32 {
  %0 = scf.while (%i = %n) : (i32) -> i32 {
    %1 = "test.look"(%i) : (i32) -> i1
    scf.condition(%1) %i : i32
  } do {
  ^bb0(%j: i32):
    %1 = "test.turn"() : () -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}

// CHECK-LABEL: @gives_sizes_only
// CHECK: %[[R:.*]]:2 = scf.while
// CHECK: }
// CHECK: "util.optimization_barrier"(%[[R]]#0) : (tensor<i32>) -> tensor<i32>
// CHECK: "util.optimization_barrier"(%[[R]]#1) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: tensor.dim %[[R]]#1
func.func @gives_sizes_only(%n: tensor<i32>, %x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0:2 = scf.while (%i = %n, %a = %x) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %1 = "test.look"(%i) : (tensor<i32>) -> i1
    scf.condition(%1) %i, %a : tensor<i32>, tensor<?xf32>
  } do {
  ^bb0(%j: tensor<i32>, %b: tensor<?xf32>):
    %1:2 = "test.turn"(%j, %b) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>)
    scf.yield %1#0, %1#1 : tensor<i32>, tensor<?xf32>
  }
  %size = tensor.dim %0#1, %c0 : tensor<?xf32>
  return %size : index
}

// What the condition neither reads nor passes on of open sizes, it is made to read.
// CHECK-LABEL: @passes_on_another
// CHECK: scf.while (%[[A:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}})
// CHECK-NEXT: util.optimization_barrier"(%[[A]])
// CHECK-NOT: util.optimization_barrier"(%[[K]])
// CHECK: scf.condition(%{{.*}}) %arg0, %{{.*}} : tensor<?xf32>, tensor<4xf32>
func.func @passes_on_another(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0:2 = scf.while (%a = %x, %k = %y) : (tensor<?xf32>, tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
    %1 = "test.look"() : () -> i1
    scf.condition(%1) %x, %y : tensor<?xf32>, tensor<4xf32>
  } do {
  ^bb0(%b: tensor<?xf32>, %c: tensor<4xf32>):
    %1:2 = "test.turn"(%b) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<4xf32>)
    scf.yield %1#0, %1#1 : tensor<?xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<?xf32>
}

// What a turn knows of the sizes is forgotten.
// CHECK-LABEL: @knows_its_sizes
// CHECK: %[[T:.*]] = "test.turn"
// CHECK: %[[ROWS:.*]] = "util.optimization_barrier"(%{{.*}}) : (index) -> index
// CHECK: %[[COLUMNS:.*]] = "util.optimization_barrier"(%{{.*}}) : (index) -> index
// CHECK: %[[S:.*]] = tensor.extract_slice %[[T]][0, 0, 0] [%[[ROWS]], 3, %[[COLUMNS]]] [1, 1, 1] : tensor<2x3x?xf32> to tensor<?x3x?xf32>
// CHECK-NEXT: scf.yield %[[S]]
func.func @knows_its_sizes(%x: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %0 = scf.while (%a = %x) : (tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
    %1 = "test.look"(%a) : (tensor<?x3x?xf32>) -> i1
    scf.condition(%1) %a : tensor<?x3x?xf32>
  } do {
  ^bb0(%b: tensor<?x3x?xf32>):
    %1 = "test.turn"(%b) : (tensor<?x3x?xf32>) -> tensor<2x3x?xf32>
    %2 = tensor.cast %1 : tensor<2x3x?xf32> to tensor<?x3x?xf32>
    scf.yield %2 : tensor<?x3x?xf32>
  }
  return %0 : tensor<?x3x?xf32>
}

// An only element is not sliced where it is computed.
// CHECK-LABEL: @gives_one_element
// CHECK: %[[T:.*]] = "test.turn"
// CHECK: %[[SIZE:.*]] = "util.optimization_barrier"(%{{.*}}) : (index) -> index
// CHECK: %[[ONE:.*]] = "util.optimization_barrier"(%[[T]]) : (tensor<1xf32>) -> tensor<1xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[ONE]][0] [%[[SIZE]]] [1] : tensor<1xf32> to tensor<?xf32>
// CHECK-NEXT: scf.yield %[[S]]
func.func @gives_one_element(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %1 = "test.look"(%a) : (tensor<?xf32>) -> i1
    scf.condition(%1) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %1 = "test.turn"(%b) : (tensor<?xf32>) -> tensor<1xf32>
    %2 = tensor.cast %1 : tensor<1xf32> to tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
