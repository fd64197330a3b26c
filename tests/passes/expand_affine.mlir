// RUN: wax-opt %s --wax-expand-affine | FileCheck %s

// CHECK-LABEL: func @a_sum_of_sizes
// CHECK-SAME: %[[M:.*]]: index, %[[N:.*]]: index
// CHECK-DAG: %[[TWICE:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK: arith.addi %[[M]], %[[TWICE]]
// CHECK-NOT: affine.apply
// CHECK: return
func.func @a_sum_of_sizes(%m: index, %n: index) -> index {
  %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[%m, %n]
  return %0 : index
}
