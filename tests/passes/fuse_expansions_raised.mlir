// RUN: wax-opt %s --split-input-file --wax-fuse-expansions | FileCheck %s

// Each factor is computed before, and takes the sign; so the rest is a product
// of two elements.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x8xf32>, %[[B:[^:]*]]: tensor<8x6xf32>
// CHECK: %[[F:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[A]]
// CHECK: math.exp
// CHECK-NEXT: arith.negf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[F]], %[[B]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @computed(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = math.exp %x : f32
    %2 = arith.mulf %1, %y : f32
    %3 = arith.negf %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Both factors, of two operands each, one of them a mask; transposed, of open
// sizes, in the other order.
// CHECK-LABEL: func.func @masked
// CHECK-SAME: %[[M:[^:]*]]: tensor<?x?xi1>, %[[A:[^:]*]]: tensor<?x?xf64>, %[[S:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?x?xf64>
// CHECK: %[[L:.*]] = linalg.generic
// CHECK-SAME: ins(%[[S]], %[[B]] : tensor<?xf64>, tensor<?x?xf64>)
// CHECK: arith.subf
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: ins(%[[M]], %[[A]] : tensor<?x?xi1>, tensor<?x?xf64>)
// CHECK: arith.select
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[L]], %[[R]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
#lhs = affine_map<(k, m, n) -> (m, k)>
#row = affine_map<(k, m, n) -> (n)>
#rhs = affine_map<(k, m, n) -> (n, k)>
#out = affine_map<(k, m, n) -> (n, m)>
func.func @masked(%mask: tensor<?x?xi1>, %a: tensor<?x?xf64>, %s: tensor<?xf64>, %b: tensor<?x?xf64>, %zero: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %none = arith.constant 0.0 : f64
  %0 = linalg.generic {indexing_maps = [#lhs, #lhs, #row, #rhs, #out], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%mask, %a, %s, %b : tensor<?x?xi1>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>) outs(%zero : tensor<?x?xf64>) {
  ^bb0(%keep: i1, %x: f64, %t: f64, %y: f64, %acc: f64):
    %1 = arith.select %keep, %x, %none : f64
    %2 = arith.subf %y, %t : f64
    %3 = arith.mulf %2, %1 : f64
    %4 = arith.addf %3, %acc : f64
    linalg.yield %4 : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// Elements that are extended stay where they are: compilers know such products.
// CHECK-LABEL: func.func @extended
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @extended(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %zero: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%zero : tensor<4x6xi32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extui %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}

// -----

// A third factor would be multiplied in another order.
// CHECK-LABEL: func.func @three_factors
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @three_factors(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %two = arith.constant 3.0 : f32
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.mulf %1, %two : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @quotient
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @quotient(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.divf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// A factor of all dims is computed where it is read.
// CHECK-LABEL: func.func @all_dims
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @all_dims(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.subf %x, %y : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// A fold in order is no sum.
// CHECK-LABEL: func.func @in_order
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @in_order(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = math.exp %x : f32
    %2 = arith.mulf %1, %y : f32
    %3 = arith.subf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
