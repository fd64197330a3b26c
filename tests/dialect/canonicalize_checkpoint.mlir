// RUN: wax-opt %s --wax-simplify | FileCheck %s

// CHECK-LABEL: func.func @nothing_goes_in_or_out_in_vain
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.checkpoint (%[[A:.*]] = %[[X]]) saving [] recomputed [0] : (tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %[[S:.*]] = wax.map math.sin(%[[A]])
// CHECK-NEXT:   wax.return %[[S]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]], %[[R]], %[[Y]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @nothing_goes_in_or_out_in_vain(%x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = wax.checkpoint (%b = %y, %a = %x, %c = %x) saving [] recomputed [1, 2]
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %1 = wax.map math.sin(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.map math.cos(%c) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %1, %1, %2, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %0#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @constants_are_made_where_they_are_read
// CHECK: %[[TWO:.*]] = wax.constant dense<2.000000e+00>
// CHECK: wax.checkpoint (%[[A:.*]] = %{{[a-z0-9_]+}}) saving []
// CHECK:   wax.constant dense<1.000000e+00>
// CHECK:   wax.return %{{.*}} : tensor<f32>
// CHECK: return %{{.*}}, %[[TWO]]
func.func @constants_are_made_where_they_are_read(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %one = wax.constant dense<1.0> : tensor<f32>
  %0:2 = wax.checkpoint (%a = %x, %b = %one) saving [] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %1 = wax.broadcast arith.addf(%a[], %b[]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %two = wax.constant dense<2.0> : tensor<f32>
    wax.return %1, %two : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @what_nothing_reads_goes
// CHECK-NEXT: return
func.func @what_nothing_reads_goes(%x: tensor<f32>) {
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<f32>) -> tensor<f32> {
    %1 = wax.map math.sin(%a) : (tensor<f32>) -> tensor<f32>
    wax.return %1 : tensor<f32>
  }
  return
}
