// RUN: wax-opt %s --wax-raise=wanted=top_k | FileCheck %s
// RUN: wax-opt %s --wax-simplify --cse -o %t.before
// RUN: wax-opt %s --wax-raise --wax-decompose --wax-simplify --cse --wax-verify-normal-form -o %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func.func @values_and_indices
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[R:.*]]:2 = wax.top_k (%{{.*}} = %[[X]]) {dim = 1 : i64, gives = ["values", "indices"]} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @values_and_indices(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @values
// CHECK: wax.top_k {{.*}} {dim = 1 : i64, gives = ["values"]} : (tensor<4x8xf32>) -> tensor<4x3xf32>
func.func @values(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %s = wax.sort (%a, %b = %x) along 1 : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = arith.cmpf ord, %b, %b : f32
    %2 = arith.cmpf ugt, %a, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return %v : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @unsigned_integers
// CHECK: wax.top_k {{.*}} {dim = 1 : i64, gives = ["values", "indices"], is_unsigned}
func.func @unsigned_integers(%x: tensor<4x8xi32>) -> (tensor<4x3xi32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
    %1 = arith.cmpi ugt, %a, %b : i32
    wax.yield %1 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xi32>, tensor<4x3xi32>
}

// What is nearly alike.

// CHECK-LABEL: func.func @the_least
// CHECK-NOT: wax.top_k
func.func @the_least(%x: tensor<4x8xi32>) -> (tensor<4x3xi32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
    %1 = arith.cmpi slt, %a, %b : i32
    wax.yield %1 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xi32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @without_an_order_of_nan
// CHECK-NOT: wax.top_k
func.func @without_an_order_of_nan(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ogt, %a, %b : f32
    wax.yield %1 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @nan_as_the_least
// CHECK-NOT: wax.top_k
func.func @nan_as_the_least(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %a, %a : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// No strict order.
// CHECK-LABEL: func.func @the_last_of_equal_ones
// CHECK-NOT: wax.top_k
func.func @the_last_of_equal_ones(%x: tensor<4x8xi32>) -> (tensor<4x3xi32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
    %1 = arith.cmpi sge, %a, %b : i32
    wax.yield %1 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xi32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @not_from_the_first
// CHECK-NOT: wax.top_k
func.func @not_from_the_first(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 1] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 1] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @every_second
// CHECK-NOT: wax.top_k
func.func @every_second(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 2] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 2] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @of_some_rows
// CHECK-NOT: wax.top_k
func.func @of_some_rows(%x: tensor<4x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %n = wax.iota along 1 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [2, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [2, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<2x3xi32>
  return %v, %i : tensor<2x3xf32>, tensor<2x3xi32>
}

// Rows are counted.
// CHECK-LABEL: func.func @other_indices
// CHECK-NOT: wax.top_k
func.func @other_indices(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %n = wax.iota along 0 : tensor<4x8xi32>
  %s:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s#0 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %i = wax.slice %s#1 offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xi32>) -> tensor<4x3xi32>
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: func.func @all_are_read
// CHECK-NOT: wax.top_k
func.func @all_are_read(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x8xf32>) {
  %s = wax.sort (%a, %b = %x) along 1 : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = arith.cmpf ult, %b, %a : f32
    %2 = arith.cmpf ord, %b, %b : f32
    %3 = arith.andi %1, %2 : i1
    wax.yield %3 : i1
  }
  %v = wax.slice %s offsets [0, 0] sizes [4, 3] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return %v, %s : tensor<4x3xf32>, tensor<4x8xf32>
}
