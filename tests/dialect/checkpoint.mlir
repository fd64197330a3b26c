// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @checkpoints
func.func @checkpoints(%x: tensor<4x?xf32>, %n: index) {
  // CHECK: wax.checkpoint (%[[A:.*]] = %{{.*}}) saving [] : (tensor<4x?xf32>) -> tensor<4x?xf32> {
  // CHECK-NEXT: %[[S:.*]] = wax.map math.sin(%[[A]])
  // CHECK-NEXT: wax.return %[[S]] : tensor<4x?xf32>
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<4x?xf32>) -> tensor<4x?xf32> {
    %1 = wax.map math.sin(%a) : (tensor<4x?xf32>) -> tensor<4x?xf32>
    wax.return %1 : tensor<4x?xf32>
  }
  // CHECK: saving {{\[\[}}"dots"], ["names", "a", "b"]] recomputed [0] mergeable : (tensor<4x?xf32>, index) -> ()
  wax.checkpoint (%a = %x, %i = %n) saving [["dots"], ["names", "a", "b"]] recomputed [0] mergeable
      : (tensor<4x?xf32>, index) -> () {
    wax.return
  }
  // CHECK: wax.name %{{.*}} "hidden" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = wax.name %0 "hidden" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.barrier %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %3 = wax.barrier %2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.barrier %{{.*}} after %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %4 = wax.barrier %2 after %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}
