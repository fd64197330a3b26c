// RUN: wax-opt %s --wax-simplify | FileCheck %s

// CHECK-LABEL: @remembers_what_nobody_reads
func.func @remembers_what_nobody_reads(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %room = wax.constant dense<0.0> : tensor<8x3xf32>
  // CHECK: scf.for {{.*}} -> (tensor<3xf32>) {
  // CHECK-NEXT: wax.map math.sin
  // CHECK-NEXT: scf.yield
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %stack = %room) -> (tensor<3xf32>, tensor<8x3xf32>) {
    %1 = wax.reshape %a [[], [0]] into [[0], [1]] : (tensor<3xf32>) -> tensor<1x3xf32>
    %2 = wax.insert %1 into %stack offsets [%i, 0] strides [1, 1] : (tensor<1x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %3 = wax.map math.sin(%a) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %3, %2 : tensor<3xf32>, tensor<8x3xf32>
  }
  return %0#0 : tensor<3xf32>
}

// CHECK-LABEL: @counts_for_a_check
func.func @counts_for_a_check(%x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %least = arith.constant 10 : i32
  // CHECK: scf.for {{.*}} -> (i32)
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %1 = arith.addi %a, %one : i32
    %2 = arith.muli %b, %a : i32
    %3 = arith.cmpi sge, %a, %least : i32
    cf.assert %3, "too few"
    scf.yield %1, %2 : i32, i32
  }
  return
}

// CHECK-LABEL: @zeros_where_it_has_read
// CHECK-SAME: %[[ROWS:[^:]*]]: tensor<8x3xf32>, %[[X:[^:]*]]:
func.func @zeros_where_it_has_read(%rows: tensor<8x3xf32>, %x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zeros = wax.constant dense<0.0> : tensor<1x3xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[X]]) -> (tensor<1x3xf32>) {
  // CHECK: wax.slice %[[ROWS]]
  // CHECK-NOT: wax.insert
  // CHECK: return
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %x, %rest = %rows) -> (tensor<1x3xf32>, tensor<8x3xf32>) {
    %at = arith.subi %c7, %i : index
    %1 = wax.slice %rest offsets [%at, 0] sizes [1, 3] strides [1, 1] : (tensor<8x3xf32>) -> tensor<1x3xf32>
    %2 = wax.insert %zeros into %rest offsets [%at, 0] strides [1, 1] : (tensor<1x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %3 = wax.broadcast arith.addf(%sum[0, 1], %1[0, 1]) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    scf.yield %3, %2 : tensor<1x3xf32>, tensor<8x3xf32>
  }
  return %0#0 : tensor<1x3xf32>
}

// The last turns read the row that the first have changed.
// CHECK-LABEL: @reads_the_same_row_again
func.func @reads_the_same_row_again(%rows: tensor<6x3xf32>, %x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zeros = wax.constant dense<0.0> : tensor<1x3xf32>
  // CHECK: scf.for {{.*}} -> (tensor<1x3xf32>, tensor<6x3xf32>) {
  // CHECK: wax.insert
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %x, %rest = %rows) -> (tensor<1x3xf32>, tensor<6x3xf32>) {
    %at = arith.subi %c7, %i : index
    %1 = wax.slice %rest offsets [%at, 0] sizes [1, 3] strides [1, 1] : (tensor<6x3xf32>) -> tensor<1x3xf32>
    %2 = wax.insert %zeros into %rest offsets [%at, 0] strides [1, 1] : (tensor<1x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
    %3 = wax.broadcast arith.addf(%sum[0, 1], %1[0, 1]) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    scf.yield %3, %2 : tensor<1x3xf32>, tensor<6x3xf32>
  }
  return %0#0 : tensor<1x3xf32>
}

// A row that another turn has changed.
// CHECK-LABEL: @reads_the_row_before
func.func @reads_the_row_before(%rows: tensor<9x3xf32>, %x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: scf.for {{.*}} -> (tensor<1x3xf32>, tensor<9x3xf32>) {
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %x, %rest = %rows) -> (tensor<1x3xf32>, tensor<9x3xf32>) {
    %next = arith.addi %i, %c1 : index
    %1 = wax.slice %rest offsets [%i, 0] sizes [1, 3] strides [1, 1] : (tensor<9x3xf32>) -> tensor<1x3xf32>
    %3 = wax.broadcast arith.addf(%sum[0, 1], %1[0, 1]) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    %2 = wax.insert %3 into %rest offsets [%next, 0] strides [1, 1] : (tensor<1x3xf32>, tensor<9x3xf32>) -> tensor<9x3xf32>
    scf.yield %3, %2 : tensor<1x3xf32>, tensor<9x3xf32>
  }
  return %0#0 : tensor<1x3xf32>
}
