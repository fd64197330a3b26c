// RUN: wax-opt %s "--wax-batch=function=shared arguments=0 size=3" | FileCheck %s --check-prefix=SHARED
// RUN: wax-opt %s "--wax-batch=function=collective arguments=0 size=-1 axis=rows" | FileCheck %s --check-prefix=COLLECTIVE

// SHARED-LABEL: func.func @shared
// SHARED-SAME: (%[[X:.*]]: tensor<3x4xf32>, %[[W:.*]]: tensor<4xf32>)
// SHARED-NEXT: %[[R:.*]]:2 = wax.checkpoint (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[W]]) saving {{\[\[}}"names", "product"]] : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
// SHARED-NEXT:   %[[P:.*]] = wax.broadcast arith.mulf(%[[A]][0, 1], %[[B]][1])
// SHARED-NEXT:   wax.name %[[P]] "product" : (tensor<3x4xf32>) -> tensor<3x4xf32>
func.func @shared(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = wax.checkpoint (%a = %x, %b = %w) saving [["names", "product"]]
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = wax.broadcast arith.mulf(%a[0], %b[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.name %1 "product" : (tensor<4xf32>) -> tensor<4xf32>
    %3 = wax.map math.sin(%b) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The body is told the size of the batch.
// COLLECTIVE-LABEL: func.func @collective
// COLLECTIVE: wax.checkpoint ({{.*}}, %[[N:[a-z0-9_]+]] = %{{[a-z0-9_]+}}) saving [] : ({{.*}}index) -> tensor<?xi32>
// COLLECTIVE: wax.iota {{.*}}%[[N]]
func.func @collective(%x: tensor<4xf32>, %k: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %0 = wax.checkpoint (%a = %k) saving [] : (tensor<i32>) -> tensor<i32> {
    %1 = wax.axis_index "rows" : () -> tensor<i32>
    %2 = wax.broadcast arith.addi(%a[], %1[]) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    wax.return %2 : tensor<i32>
  }
  return %x, %0 : tensor<4xf32>, tensor<i32>
}
