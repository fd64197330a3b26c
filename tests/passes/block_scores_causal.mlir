// RUN: wax-opt %s --wax-block-scores | FileCheck %s

// A block has the keys that its last query sees, all of them where a value is not finite, and counts places again.
// CHECK-LABEL: func @causal
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2048x16xf32>, %[[K:[a-z0-9]+]]: tensor<2048x16xf32>, %[[V:[a-z0-9]+]]: tensor<2048x16xf32>
// CHECK: wax.broadcast (%{{.*}} = %[[V]][0, 1])
// CHECK: arith.cmpf ueq
// CHECK: %[[ODD:.*]] = wax.reduce arith.ori
// CHECK: %[[ANY:.*]] = tensor.extract %[[ODD]][]
// CHECK: %[[EVERY:.*]] = arith.muli
// CHECK: scf.for
// CHECK: %[[BEGIN:.*]] = arith.muli
// CHECK: %[[NEXT:.*]] = arith.addi %[[BEGIN]], %c259
// CHECK: %[[SOME:.*]] = arith.maxsi %[[NEXT]], %c1
// CHECK: %[[SEEN:.*]] = arith.minsi %[[SOME]], %c2048
// CHECK: %[[KEYS:.*]] = arith.maxsi %[[SEEN]], %[[EVERY]]
// CHECK: wax.slice %[[Q]] offsets [%[[BEGIN]], 0] sizes [256, 16]
// CHECK: wax.slice %[[K]] offsets [%{{.*}}, 0] sizes [%[[KEYS]], 16]
// CHECK: wax.iota along 0 : tensor<256xi32>
// CHECK: wax.iota along 0 sizes [%[[KEYS]]] : tensor<?xi32>
// CHECK: wax.reduce arith.maximumf{{.*}} (tensor<256x?xf32>, tensor<f32>)
// CHECK: wax.slice %[[V]] offsets [%{{.*}}, 0] sizes [%[[KEYS]], 16]
// CHECK-NOT: wax.slice
// CHECK: wax.insert
func.func @causal(%q: tensor<2048x16xf32>, %k: tensor<2048x16xf32>, %v: tensor<2048x16xf32>) -> tensor<2048x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %three = wax.constant dense<3> : tensor<i32>
  %place = wax.iota along 0 : tensor<2048xi32>
  %limit = wax.broadcast arith.addi(%place[0], %three[]) : (tensor<2048xi32>, tensor<i32>) -> tensor<2048xi32>
  %0 = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %2 = wax.broadcast (%a = %1[0, 1], %b = %limit[0], %c = %place[1]) : (tensor<2048x2048xf32>, tensor<2048xi32>, tensor<2048xi32>) -> tensor<2048x2048xf32> {
    %hidden = arith.constant 0xFF800000 : f32
    %sees = arith.cmpi sle, %c, %b : i32
    %s = arith.select %sees, %a, %hidden : f32
    wax.yield %s : f32
  }
  %3 = wax.reduce arith.maximumf(%2) over [1] init(%low) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  %4 = wax.broadcast (%a = %2[0, 1], %b = %3[0]) : (tensor<2048x2048xf32>, tensor<2048xf32>) -> tensor<2048x2048xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %5 = wax.reduce arith.addf(%4) over [1] init(%zero) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  %6 = wax.broadcast arith.mulf(%4[0, 2], %v[2, 1]) : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16x2048xf32>
  %7 = wax.reduce arith.addf(%6) over [2] init(%zero) : (tensor<2048x16x2048xf32>, tensor<f32>) -> tensor<2048x16xf32>
  %8 = wax.broadcast arith.divf(%7[0, 1], %5[0]) : (tensor<2048x16xf32>, tensor<2048xf32>) -> tensor<2048x16xf32>
  return %8 : tensor<2048x16xf32>
}
