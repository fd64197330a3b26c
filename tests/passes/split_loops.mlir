// RUN: wax-opt %s --wax-split-loops --split-input-file | FileCheck %s

// A recurrence over channels, whose rows are stacked: turns read the block's part of what they read rows of, what is
// whole in each turn is cut once for a block, and the last block has some rows again.

// CHECK-LABEL: func.func @channels
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<500x1000xf32>, %[[G:[a-z0-9]+]]: tensor<1000xf32>, %[[H:[a-z0-9]+]]: tensor<1000x4xf32>, %[[Y:[a-z0-9]+]]: tensor<500x1000xf32>
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[HS:.*]] = %{{.*}}, %[[YS:.*]] = %{{.*}}) -> (tensor<1000x4xf32>, tensor<500x1000xf32>)
// CHECK: %[[M:.*]] = arith.muli %[[B]], %{{.*}}
// CHECK: %[[P:.*]] = arith.minui %[[M]], %{{.*}}
// CHECK: %[[GB:.*]] = wax.slice %[[G]] offsets [%[[P]]] sizes [[[N:[0-9]+]]] strides [1]
// CHECK: %[[HB:.*]] = wax.slice %[[H]] offsets [%[[P]], 0] sizes [[[N]], 4] strides [1, 1]
// CHECK: %[[YB:.*]] = wax.slice %[[Y]] offsets [0, %[[P]]] sizes [500, [[N]]] strides [1, 1]
// CHECK: %[[R:.*]]:2 = scf.for %[[T:.*]] = {{.*}} iter_args(%[[HT:.*]] = %[[HB]], %[[YT:.*]] = %[[YB]]) -> (tensor<[[N]]x4xf32>, tensor<500x[[N]]xf32>)
// CHECK: wax.slice %[[X]] offsets [%[[T]], %[[P]]] sizes [1, [[N]]] strides [1, 1]
// CHECK: wax.broadcast {{.*}}%[[GB]]
// CHECK: wax.reduce {{.*}} over [1] {{.*}} -> tensor<[[N]]xf32>
// CHECK: wax.insert %{{.*}} into %[[YT]] offsets [%[[T]], 0] strides [1, 1]
// CHECK: wax.insert %[[R]]#0 into %[[HS]] offsets [%[[P]], 0] strides [1, 1]
// CHECK: wax.insert %[[R]]#1 into %[[YS]] offsets [0, %[[P]]] strides [1, 1]
func.func @channels(%x: tensor<500x1000xf32>, %g: tensor<1000xf32>, %h: tensor<1000x4xf32>, %y: tensor<500x1000xf32>) -> (tensor<1000x4xf32>, tensor<500x1000xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %r:2 = scf.for %t = %c0 to %c500 step %c1 iter_args(%state = %h, %stack = %y) -> (tensor<1000x4xf32>, tensor<500x1000xf32>) {
    %0 = wax.slice %x offsets [%t, 0] sizes [1, 1000] strides [1, 1] : (tensor<500x1000xf32>) -> tensor<1x1000xf32>
    %1 = wax.reshape %0 [[0], [1]] into [[], [0]] : (tensor<1x1000xf32>) -> tensor<1000xf32>
    %2 = wax.broadcast arith.mulf(%state[0, 1], %g[0]) : (tensor<1000x4xf32>, tensor<1000xf32>) -> tensor<1000x4xf32>
    %3 = wax.broadcast arith.addf(%2[0, 1], %1[0]) : (tensor<1000x4xf32>, tensor<1000xf32>) -> tensor<1000x4xf32>
    %4 = wax.reduce arith.addf(%3) over [1] init(%zero) : (tensor<1000x4xf32>, tensor<f32>) -> tensor<1000xf32>
    %5 = wax.reshape %4 [[], [0]] into [[0], [1]] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %6 = wax.insert %5 into %stack offsets [%t, 0] strides [1, 1] : (tensor<1x1000xf32>, tensor<500x1000xf32>) -> tensor<500x1000xf32>
    scf.yield %3, %6 : tensor<1000x4xf32>, tensor<500x1000xf32>
  }
  return %r#0, %r#1 : tensor<1000x4xf32>, tensor<500x1000xf32>
}

// -----

// A sum over rows that is only added to what begins with zeros: each block has its own, and blocks have no row twice.

// CHECK-LABEL: func.func @shared
// CHECK: %[[ALL:.*]]:2 = scf.for {{.*}} iter_args(%[[HS:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (tensor<1000x8xf32>, tensor<8xf32>)
// CHECK-NOT: arith.minui
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} -> (tensor<[[N:25|20]]x8xf32>, tensor<8xf32>)
// CHECK: wax.reduce arith.addf(%{{.*}}) over [0] {{.*}} : (tensor<[[N]]x8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: %[[SUM:.*]] = wax.broadcast arith.addf(%[[S]][0], %[[R]]#1[0])
// CHECK: scf.yield %{{.*}}, %[[SUM]]
func.func @shared(%h: tensor<1000x8xf32>) -> (tensor<1000x8xf32>, tensor<8xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %zeros = wax.constant dense<0.0> : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %r:2 = scf.for %t = %c0 to %c500 step %c1 iter_args(%state = %h, %sum = %zeros) -> (tensor<1000x8xf32>, tensor<8xf32>) {
    %0 = wax.map math.sin(%state) : (tensor<1000x8xf32>) -> tensor<1000x8xf32>
    %1 = wax.reduce arith.addf(%0) over [0] init(%zero) : (tensor<1000x8xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = wax.broadcast arith.addf(%1[0], %sum[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0, %2 : tensor<1000x8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<1000x8xf32>, tensor<8xf32>
}

// -----

// What such a sum is added to is read by the turn, or begins with something: no block has it alone.

// CHECK-LABEL: func.func @read
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @read(%h: tensor<3000x1xf32>) -> (tensor<3000x1xf32>, tensor<1xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %zeros = wax.constant dense<0.0> : tensor<1xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %r:2 = scf.for %t = %c0 to %c500 step %c1 iter_args(%state = %h, %sum = %zeros) -> (tensor<3000x1xf32>, tensor<1xf32>) {
    %0 = wax.broadcast arith.addf(%state[0, 1], %sum[1]) : (tensor<3000x1xf32>, tensor<1xf32>) -> tensor<3000x1xf32>
    %1 = wax.reduce arith.addf(%0) over [0] init(%zero) : (tensor<3000x1xf32>, tensor<f32>) -> tensor<1xf32>
    %2 = wax.broadcast arith.addf(%1[0], %sum[0]) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    scf.yield %0, %2 : tensor<3000x1xf32>, tensor<1xf32>
  }
  return %r#0, %r#1 : tensor<3000x1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @begun
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @begun(%h: tensor<3000x1xf32>, %begun: tensor<1xf32>) -> (tensor<3000x1xf32>, tensor<1xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %r:2 = scf.for %t = %c0 to %c500 step %c1 iter_args(%state = %h, %sum = %begun) -> (tensor<3000x1xf32>, tensor<1xf32>) {
    %0 = wax.map math.sin(%state) : (tensor<3000x1xf32>) -> tensor<3000x1xf32>
    %1 = wax.reduce arith.addf(%0) over [0] init(%zero) : (tensor<3000x1xf32>, tensor<f32>) -> tensor<1xf32>
    %2 = wax.broadcast arith.addf(%1[0], %sum[0]) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    scf.yield %0, %2 : tensor<3000x1xf32>, tensor<1xf32>
  }
  return %r#0, %r#1 : tensor<3000x1xf32>, tensor<1xf32>
}

// -----

// Rows that are turned, or of which a turn has some alone, mix.

// CHECK-LABEL: func.func @mixed
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @mixed(%h: tensor<3000xf32>) -> tensor<3000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c500 = arith.constant 500 : index
  %r = scf.for %t = %c0 to %c500 step %c1 iter_args(%state = %h) -> (tensor<3000xf32>) {
    %0 = wax.slice %state offsets [1] sizes [2999] strides [1] : (tensor<3000xf32>) -> tensor<2999xf32>
    %1 = wax.slice %state offsets [0] sizes [1] strides [1] : (tensor<3000xf32>) -> tensor<1xf32>
    %2 = wax.concat(%0, %1) along 0 : (tensor<2999xf32>, tensor<1xf32>) -> tensor<3000xf32>
    %3 = wax.map math.sin(%2) : (tensor<3000xf32>) -> tensor<3000xf32>
    scf.yield %3 : tensor<3000xf32>
  }
  return %r : tensor<3000xf32>
}

// -----

// Blocks of two dims: a head, and rows of its matrix, of which another dim is summed up.

// CHECK-LABEL: func.func @heads
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<100x40x64xf32>, %[[V:[a-z0-9]+]]: tensor<100x40x80xf32>
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[STATES:.*]] = %{{.*}}, %[[YS:.*]] = %{{.*}}) -> (tensor<40x80x64xf32>, tensor<100x40x80xf32>)
// CHECK: %[[ROWS:.*]] = arith.remui %[[B]], %{{.*}}
// CHECK: %[[HEAD:.*]] = arith.divui %[[B]], %{{.*}}
// CHECK: %[[J:.*]] = arith.muli %[[ROWS]], %{{.*}}
// CHECK: %[[H:.*]] = arith.muli %[[HEAD]], %{{.*}}
// CHECK: %[[R:.*]]:2 = scf.for %[[T:[a-z0-9]+]] = {{.*}} -> (tensor<1x[[N:[0-9]+]]x64xf32>, tensor<100x1x[[N]]xf32>)
// CHECK: wax.slice %[[K]] offsets [%[[T]], %[[H]], 0] sizes [1, 1, 64] strides [1, 1, 1]
// CHECK: wax.slice %[[V]] offsets [%[[T]], %[[H]], %[[J]]] sizes [1, 1, [[N]]] strides [1, 1, 1]
// CHECK: wax.insert %[[R]]#0 into %[[STATES]] offsets [%[[H]], %[[J]], 0] strides [1, 1, 1]
// CHECK: wax.insert %[[R]]#1 into %[[YS]] offsets [0, %[[H]], %[[J]]] strides [1, 1, 1]
func.func @heads(%k: tensor<100x40x64xf32>, %v: tensor<100x40x80xf32>) -> (tensor<40x80x64xf32>, tensor<100x40x80xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %h = wax.constant dense<0.0> : tensor<40x80x64xf32>
  %y = wax.constant dense<0.0> : tensor<100x40x80xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r:2 = scf.for %t = %c0 to %c100 step %c1 iter_args(%state = %h, %stack = %y) -> (tensor<40x80x64xf32>, tensor<100x40x80xf32>) {
    %0 = wax.slice %k offsets [%t, 0, 0] sizes [1, 40, 64] strides [1, 1, 1] : (tensor<100x40x64xf32>) -> tensor<1x40x64xf32>
    %1 = wax.reshape %0 [[0], [1], [2]] into [[], [0], [1]] : (tensor<1x40x64xf32>) -> tensor<40x64xf32>
    %2 = wax.slice %v offsets [%t, 0, 0] sizes [1, 40, 80] strides [1, 1, 1] : (tensor<100x40x80xf32>) -> tensor<1x40x80xf32>
    %3 = wax.reshape %2 [[0], [1], [2]] into [[], [0], [1]] : (tensor<1x40x80xf32>) -> tensor<40x80xf32>
    %4 = wax.broadcast arith.mulf(%3[0, 1], %1[0, 2]) : (tensor<40x80xf32>, tensor<40x64xf32>) -> tensor<40x80x64xf32>
    %5 = wax.broadcast arith.addf(%state[0, 1, 2], %4[0, 1, 2]) : (tensor<40x80x64xf32>, tensor<40x80x64xf32>) -> tensor<40x80x64xf32>
    %6 = wax.reduce arith.maximumf(%5) over [2] init(%zero) : (tensor<40x80x64xf32>, tensor<f32>) -> tensor<40x80xf32>
    %7 = wax.reshape %6 [[], [0], [1]] into [[0], [1], [2]] : (tensor<40x80xf32>) -> tensor<1x40x80xf32>
    %8 = wax.insert %7 into %stack offsets [%t, 0, 0] strides [1, 1, 1] : (tensor<1x40x80xf32>, tensor<100x40x80xf32>) -> tensor<100x40x80xf32>
    scf.yield %5, %8 : tensor<40x80x64xf32>, tensor<100x40x80xf32>
  }
  return %r#0, %r#1 : tensor<40x80x64xf32>, tensor<100x40x80xf32>
}
