// RUN: wax-opt %s --wax-resolve-dims --canonicalize --cse --split-input-file | FileCheck %s

// The symbol's first bare dim represents it; other uses of it are checked once,
// and the addition needs no check of its own.
// CHECK-LABEL: func @one_symbol_on_two_arguments
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[MIN:.*]] = arith.cmpi sge, %[[N]], %c2
// CHECK: cf.assert %[[MIN]], "argument 'x', dim 0: n must be at least 2"
// CHECK: %[[MAX:.*]] = arith.cmpi sle, %[[N]], %c512
// CHECK: cf.assert %[[MAX]], "argument 'x', dim 0: n must be at most 512"
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[SAME]], "argument 'y', dim 0: must be n, the size of argument 'x' along dim 0"
// CHECK-NOT: cf.assert
// CHECK: return %{{.*}}, %[[N]]
func.func @one_symbol_on_two_arguments(
    %x: tensor<?xf32> {wax.name = "x", wax.dims = affine_map<()[s0] -> (s0)>},
    %y: tensor<?xf32> {wax.name = "y", wax.dims = affine_map<()[s0] -> (s0)>}) -> (tensor<?xf32>, index)
    attributes {wax.symbols = [{name = "n", min = 2 : i64, max = 512 : i64}]} {
  %c0 = arith.constant 0 : index
  %0 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

// -----

// CHECK-LABEL: func @what_symbols_do_not_say_is_checked_at_the_start
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[SAME]], "{{.*}}resolve_dims.mlir:{{[0-9]+}}:{{[0-9]+}}: 'wax.broadcast' [broadcast_c3] needs dim 0 of argument 0 to equal dim 0 of argument 1"
// CHECK: wax.map
// The same once more is not checked again.
// CHECK-NOT: cf.assert
// CHECK: return
func.func @what_symbols_do_not_say_is_checked_at_the_start(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = wax.broadcast arith.addf(%0[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = wax.broadcast arith.mulf(%1[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @sizes_known_later_are_checked_before_their_operation
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[D:.*]] = tensor.dim %[[R]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[D]], %{{.*}}
// CHECK: cf.assert %[[SAME]]
// CHECK: wax.broadcast
func.func @sizes_known_later_are_checked_before_their_operation(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    %t = wax.concat (%x, %y) along 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  %0 = wax.broadcast arith.addf(%r[0], %x[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// b·s and s·b are the same size, and so are its multiples by 8 in any order.
// CHECK-LABEL: func @products_of_symbols_are_compared_as_products
// CHECK-COUNT-2: cf.assert %{{.*}}, "argument 'x'
// CHECK-NOT: cf.assert
// CHECK: return
func.func @products_of_symbols_are_compared_as_products(
    %x: tensor<?x?x8xf32> {wax.name = "x", wax.dims = affine_map<()[s0, s1] -> (s0, s1, 8)>}) -> tensor<?x?x8xf32>
    attributes {wax.symbols = [{name = "b", min = 1 : i64, max = 9223372036854775807 : i64},
                               {name = "s", min = 1 : i64, max = 9223372036854775807 : i64}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %0 = wax.reshape %x [[0, 1, 2]] into [[0]] : (tensor<?x?x8xf32>) -> tensor<?xf32>
  %sb = arith.muli %s, %b : index
  %1 = wax.reshape %0 [[0]] into [[0, 1]] sizes [%sb] : (tensor<?xf32>) -> tensor<?x8xf32>
  %2 = wax.reshape %1 [[0], [1]] into [[0, 1], [2]] sizes [%b, %s] : (tensor<?x8xf32>) -> tensor<?x?x8xf32>
  %3 = wax.broadcast arith.addf(%2[0, 1, 2], %x[0, 1, 2]) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %3 : tensor<?x?x8xf32>
}

// -----

// (2n + 1 - 1) / 2 is n, which is at most n; the slice fits.
// CHECK-LABEL: func @index_arithmetic_is_followed
// CHECK: cf.assert %{{.*}}, "argument 'x', dim 0: n must be at least 1"
// CHECK: cf.assert %{{.*}}, "argument 'x', dim 1: must be ((n * 2) + 1)"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @index_arithmetic_is_followed(
    %x: tensor<?x?xf32> {wax.name = "x", wax.dims = affine_map<()[s0] -> (s0, s0 * 2 + 1)>}) -> tensor<?x?xf32>
    attributes {wax.symbols = [{name = "n", min = 1 : i64, max = 9223372036854775807 : i64}]} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = arith.subi %m, %c1 : index
  %h = arith.divsi %a, %c2 : index
  %0 = wax.slice %x offsets [0, 0] sizes [%h, %h] strides [1, 2] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
