// RUN: wax-opt %s --wax-expand-unsigned | FileCheck %s

// CHECK-LABEL: @narrow
// CHECK-SAME: (%[[X:.*]]: i8, %[[Y:.*]]: i8)
// CHECK-DAG: %[[A:.*]] = arith.extui %[[X]] : i8 to i64
// CHECK-DAG: %[[B:.*]] = arith.extui %[[Y]] : i8 to i64
// CHECK: %[[N:.*]] = arith.subi %{{.*}}, %[[A]] : i64
// CHECK: %[[C:.*]] = arith.divsi %[[N]], %[[B]] : i64
// CHECK: %[[P:.*]] = arith.subi %{{.*}}, %[[C]] : i64
// CHECK: %[[Q:.*]] = arith.trunci %[[P]] : i64 to i8
// CHECK: return %[[Q]]
func.func @narrow(%x: i8, %y: i8) -> i8 {
  %q = arith.divui %x, %y : i8
  return %q : i8
}

// CHECK-LABEL: @rest
// CHECK-SAME: (%[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK: %[[Q:.*]] = arith.trunci {{.*}} : i64 to i32
// CHECK: %[[P:.*]] = arith.muli %[[Q]], %[[Y]] : i32
// CHECK: %[[R:.*]] = arith.subi %[[X]], %[[P]] : i32
// CHECK: return %[[R]]
func.func @rest(%x: i32, %y: i32) -> i32 {
  %r = arith.remui %x, %y : i32
  return %r : i32
}

// CHECK-LABEL: @wide
// CHECK-SAME: (%[[X:.*]]: i64, %[[Y:.*]]: i64)
// CHECK: %[[LARGE:.*]] = arith.cmpi slt, %[[Y]], %{{.*}} : i64
// CHECK: %[[D:.*]] = arith.select %[[LARGE]], %{{.*}}, %[[Y]] : i64
// CHECK: %[[HALF:.*]] = arith.shrui %[[X]], %{{.*}} : i64
// CHECK: %[[N:.*]] = arith.subi %{{.*}}, %[[HALF]] : i64
// CHECK: arith.divsi %[[N]], %[[D]] : i64
// CHECK-NOT: divui
// CHECK: arith.select %[[LARGE]]
func.func @wide(%x: i64, %y: i64) -> i64 {
  %q = arith.divui %x, %y : i64
  return %q : i64
}

// CHECK-LABEL: @indices
// CHECK: arith.divui %{{.*}} : index
func.func @indices(%x: index, %y: index) -> index {
  %q = arith.divui %x, %y : index
  return %q : index
}
