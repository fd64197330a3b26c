// RUN: wax-opt %s --wax-block-scores --split-input-file | FileCheck %s

// Queries are cut. What is read after the loop is carried: the sums of rows too.
// CHECK-LABEL: func @queries
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<8x1024x64xf32>, %[[K:[a-z0-9]+]]: tensor<8x1024x64xf32>, %[[V:[a-z0-9]+]]: tensor<8x1024x64xf32>
// CHECK: %[[ROWS:.*]] = wax.broadcast {{.*}} sizes [8, 1024] : (tensor<f32>) -> tensor<8x1024xf32>
// CHECK: %[[ALL:.*]] = wax.broadcast {{.*}} sizes [8, 1024, 64] : (tensor<f32>) -> tensor<8x1024x64xf32>
// CHECK: %[[TURNS:.*]] = arith.constant 16 : index
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[TURNS]] step %{{.*}} iter_args(%[[S:.*]] = %[[ROWS]], %[[O:.*]] = %[[ALL]])
// CHECK: %[[PLACE:.*]] = arith.remui %[[I]]
// CHECK: %[[HEADS:.*]] = arith.divui %[[I]]
// CHECK: %[[BEGIN:.*]] = arith.muli %[[PLACE]], %c256
// CHECK: %[[HEAD:.*]] = arith.muli %[[HEADS]], %c2
// CHECK-NOT: arith.minui
// CHECK: %[[BLOCK:.*]] = wax.slice %[[Q]] offsets [%[[HEAD]], %[[BEGIN]], 0] sizes [2, 256, 64]
// CHECK: %[[KEYS:.*]] = wax.slice %[[K]] offsets [%[[HEAD]], 0, 0] sizes [2, 1024, 64]
// CHECK: wax.broadcast arith.mulf(%[[BLOCK]][0, 1, 3], %[[KEYS]][0, 2, 3]) {{.*}} -> tensor<2x256x1024x64xf32>
// CHECK: wax.reduce arith.maximumf
// CHECK: math.exp
// CHECK: %[[SUMS:.*]] = wax.reduce arith.addf({{.*}}) over [2]
// CHECK: %[[VALUES:.*]] = wax.slice %[[V]] offsets [%[[HEAD]], 0, 0]
// CHECK: wax.broadcast arith.mulf(%{{.*}}[0, 1, 3], %[[VALUES]][0, 3, 2]) {{.*}} -> tensor<2x256x64x1024xf32>
// CHECK: wax.insert %[[SUMS]] into %[[S]] offsets [%[[HEAD]], %[[BEGIN]]]
// CHECK: wax.insert %{{.*}} into %[[O]] offsets [%[[HEAD]], %[[BEGIN]], 0]
// CHECK: wax.broadcast arith.divf(%[[LOOP]]#1[0, 1, 2], %[[LOOP]]#0[0, 1])
func.func @queries(%q: tensor<8x1024x64xf32>, %k: tensor<8x1024x64xf32>, %v: tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x1024x64xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x1024x64xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x1024x1024x64xf32>, tensor<f32>) -> tensor<8x1024x1024xf32>
  %2 = wax.reduce arith.maximumf(%1) over [2] init(%low) : (tensor<8x1024x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %3 = wax.broadcast (%a = %1[0, 1, 2], %b = %2[0, 1]) : (tensor<8x1024x1024xf32>, tensor<8x1024xf32>) -> tensor<8x1024x1024xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %4 = wax.reduce arith.addf(%3) over [2] init(%zero) : (tensor<8x1024x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x1024x1024xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x64x1024xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<8x1024x64x1024xf32>, tensor<f32>) -> tensor<8x1024x64xf32>
  %7 = wax.broadcast arith.divf(%6[0, 1, 2], %4[0, 1]) : (tensor<8x1024x64xf32>, tensor<8x1024xf32>) -> tensor<8x1024x64xf32>
  return %7 : tensor<8x1024x64xf32>
}

// -----

// Many heads are cut too. The last block of queries begins earlier, where their
// number is no multiple of a block's.
// CHECK-LABEL: func @heads
// CHECK: arith.constant 60 : index
// CHECK: scf.for
// CHECK: %[[PARTS:.*]] = arith.constant 3 : index
// CHECK: arith.remui %{{.*}}, %[[PARTS]]
// CHECK: arith.divui %{{.*}}, %[[PARTS]]
// CHECK: arith.constant 467 : index
// CHECK: arith.minui
// CHECK: -> tensor<5x234x300x16xf32>
func.func @heads(%q: tensor<100x701x16xf32>, %k: tensor<100x300x16xf32>, %v: tensor<100x300x16xf32>) -> tensor<100x701x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<100x701x16xf32>, tensor<100x300x16xf32>) -> tensor<100x701x300x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<100x701x300x16xf32>, tensor<f32>) -> tensor<100x701x300xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<100x701x300xf32>, tensor<f32>) -> tensor<100x701xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<100x701x300xf32>, tensor<100x701xf32>) -> tensor<100x701x300xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<100x701x300xf32>, tensor<100x300x16xf32>) -> tensor<100x701x16x300xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<100x701x16x300xf32>, tensor<f32>) -> tensor<100x701x16xf32>
  return %6 : tensor<100x701x16xf32>
}

// -----

// Of an open batch each turn has one.
// CHECK-LABEL: func @batch
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x512x16xf32>
// CHECK: %[[SIZE:.*]] = tensor.dim
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[SIZE]]
// CHECK: wax.slice %[[Q]] offsets [%[[I]], 0, 0] sizes [1, 512, 16]
func.func @batch(%q: tensor<?x512x16xf32>, %k: tensor<?x512x16xf32>, %v: tensor<?x512x16xf32>) -> tensor<?x512x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<?x512x16xf32>, tensor<?x512x16xf32>) -> tensor<?x512x512x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<?x512x512x16xf32>, tensor<f32>) -> tensor<?x512x512xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<?x512x512xf32>, tensor<f32>) -> tensor<?x512xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<?x512x512xf32>, tensor<?x512xf32>) -> tensor<?x512x512xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<?x512x512xf32>, tensor<?x512x16xf32>) -> tensor<?x512x16x512xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<?x512x16x512xf32>, tensor<f32>) -> tensor<?x512x16xf32>
  return %6 : tensor<?x512x16xf32>
}

// -----

// Where queries and keys are open a block's size is chosen when they are known.
// CHECK-LABEL: func @open
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<8x?x16xf32>, %[[K:[a-z0-9]+]]: tensor<8x?x16xf32>, %[[V:[a-z0-9]+]]: tensor<8x?x16xf32>
// CHECK: %[[MOST:.*]] = arith.divui %c524288
// CHECK: %[[HEADS:.*]] = arith.ceildivui %c8
// CHECK: %[[QUERIES:.*]] = arith.ceildivui
// CHECK: scf.for {{.*}} -> (tensor<8x?x16xf32>)
// CHECK: wax.slice %[[Q]] offsets [%[[HEAD:.*]], %[[BEGIN:.*]], 0] sizes [%{{.*}}, %{{.*}}, 16] {{.*}} -> tensor<?x?x16xf32>
// CHECK: wax.slice %[[K]] offsets [%[[HEAD]], 0, 0] sizes [%{{.*}}, %{{.*}}, 16]
// CHECK: wax.slice %[[V]] offsets [%[[HEAD]], 0, 0] sizes [%{{.*}}, %{{.*}}, 16]
// CHECK: wax.insert %{{.*}} into %{{.*}} offsets [%[[HEAD]], %[[BEGIN]], 0] {{.*}} : (tensor<?x?x16xf32>, tensor<8x?x16xf32>)
func.func @open(%q: tensor<8x?x16xf32>, %k: tensor<8x?x16xf32>, %v: tensor<8x?x16xf32>) -> tensor<8x?x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x?x16xf32>, tensor<8x?x16xf32>) -> tensor<8x?x?x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x?x?x16xf32>, tensor<f32>) -> tensor<8x?x?xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<8x?x?xf32>, tensor<f32>) -> tensor<8x?xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<8x?x?xf32>, tensor<8x?xf32>) -> tensor<8x?x?xf32>
  %4 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x?x?xf32>, tensor<8x?x16xf32>) -> tensor<8x?x16x?xf32>
  %5 = wax.reduce arith.addf(%4) over [3] init(%zero) : (tensor<8x?x16x?xf32>, tensor<f32>) -> tensor<8x?x16xf32>
  return %5 : tensor<8x?x16xf32>
}

// -----

// A few queries are one block, whatever the keys.
// CHECK-LABEL: func @step
// CHECK-NOT: scf.for
func.func @step(%q: tensor<8x1x16xf32>, %k: tensor<8x?x16xf32>, %v: tensor<8x?x16xf32>) -> tensor<8x1x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x1x16xf32>, tensor<8x?x16xf32>) -> tensor<8x1x?x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x1x?x16xf32>, tensor<f32>) -> tensor<8x1x?xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<8x1x?xf32>, tensor<f32>) -> tensor<8x1xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<8x1x?xf32>, tensor<8x1xf32>) -> tensor<8x1x?xf32>
  %4 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x1x?xf32>, tensor<8x?x16xf32>) -> tensor<8x1x16x?xf32>
  %5 = wax.reduce arith.addf(%4) over [3] init(%zero) : (tensor<8x1x16x?xf32>, tensor<f32>) -> tensor<8x1x16xf32>
  return %5 : tensor<8x1x16xf32>
}

// -----

// Scores that are read elsewhere are to be whole.
// CHECK-LABEL: func @read
// CHECK-NOT: scf.for
func.func @read(%q: tensor<8x512x16xf32>, %k: tensor<8x512x16xf32>, %v: tensor<8x512x16xf32>) -> (tensor<8x512x16xf32>, tensor<8x512x512xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x512x16xf32>, tensor<8x512x16xf32>) -> tensor<8x512x512x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x512x512x16xf32>, tensor<f32>) -> tensor<8x512x512xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<8x512x512xf32>, tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x512x512xf32>, tensor<8x512x16xf32>) -> tensor<8x512x16x512xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<8x512x16x512xf32>, tensor<f32>) -> tensor<8x512x16xf32>
  return %6, %1 : tensor<8x512x16xf32>, tensor<8x512x512xf32>
}

// -----

// A softmax over the queries needs them all.
// CHECK-LABEL: func @columns
// CHECK-NOT: scf.for
func.func @columns(%q: tensor<2048x16xf32>, %k: tensor<2048x16xf32>, %v: tensor<2048x16xf32>) -> tensor<2048x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %2 = wax.reduce arith.addf(%1) over [0] init(%zero) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1], %2[1]) : (tensor<2048x2048xf32>, tensor<2048xf32>) -> tensor<2048x2048xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 2], %v[2, 1]) : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16x2048xf32>
  %6 = wax.reduce arith.addf(%5) over [2] init(%zero) : (tensor<2048x16x2048xf32>, tensor<f32>) -> tensor<2048x16xf32>
  return %6 : tensor<2048x16xf32>
}

// -----

// What a block makes for its queries is read for all keys.
// CHECK-LABEL: func @crossed
// CHECK-NOT: scf.for
func.func @crossed(%q: tensor<2048x16xf32>, %k: tensor<2048x16xf32>, %v: tensor<2048x16xf32>) -> tensor<2048x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1], %2[1]) : (tensor<2048x2048xf32>, tensor<2048xf32>) -> tensor<2048x2048xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 2], %v[2, 1]) : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16x2048xf32>
  %6 = wax.reduce arith.addf(%5) over [2] init(%zero) : (tensor<2048x16x2048xf32>, tensor<f32>) -> tensor<2048x16xf32>
  return %6 : tensor<2048x16xf32>
}

// -----

// Scores that are read as they are and turned have no blocks.
// CHECK-LABEL: func @turned
// CHECK-NOT: scf.for
func.func @turned(%q: tensor<2048x16xf32>, %k: tensor<2048x16xf32>, %v: tensor<2048x16xf32>) -> tensor<2048x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 2], %k[1, 2]) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  %3 = wax.broadcast (%a = %1[0, 1], %t = %1[1, 0], %b = %2[0]) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048xf32>) -> tensor<2048x2048xf32> {
    %s = arith.addf %a, %t : f32
    %d = arith.divf %s, %b : f32
    wax.yield %d : f32
  }
  %5 = wax.broadcast arith.mulf(%3[0, 2], %v[2, 1]) : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16x2048xf32>
  %6 = wax.reduce arith.addf(%5) over [2] init(%zero) : (tensor<2048x16x2048xf32>, tensor<f32>) -> tensor<2048x16xf32>
  return %6 : tensor<2048x16xf32>
}

// -----

// Two layers, whose hidden elements are folded by nothing else, read their
// weights once.
// CHECK-LABEL: func @layers
// CHECK-NOT: scf.for
func.func @layers(%x: tensor<2048x16xf32>, %w: tensor<2048x16xf32>, %v: tensor<2048x16xf32>) -> tensor<2048x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%x[0, 2], %w[1, 2]) : (tensor<2048x16xf32>, tensor<2048x16xf32>) -> tensor<2048x2048x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
  %2 = wax.map (%a = %1) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %t = math.tanh %a : f32
    wax.yield %t : f32
  }
  %5 = wax.broadcast arith.mulf(%2[0, 2], %v[2, 1]) : (tensor<2048x2048xf32>, tensor<2048x16xf32>) -> tensor<2048x16x2048xf32>
  %6 = wax.reduce arith.addf(%5) over [2] init(%zero) : (tensor<2048x16x2048xf32>, tensor<f32>) -> tensor<2048x16xf32>
  return %6 : tensor<2048x16xf32>
}

// -----

// Few scores are in a cache.
// CHECK-LABEL: func @few
// CHECK-NOT: scf.for
func.func @few(%q: tensor<8x256x16xf32>, %k: tensor<8x256x16xf32>, %v: tensor<8x256x16xf32>) -> tensor<8x256x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : (tensor<8x256x16xf32>, tensor<8x256x16xf32>) -> tensor<8x256x256x16xf32>
  %1 = wax.reduce arith.addf(%0) over [3] init(%zero) : (tensor<8x256x256x16xf32>, tensor<f32>) -> tensor<8x256x256xf32>
  %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1, 2], %2[0, 1]) : (tensor<8x256x256xf32>, tensor<8x256xf32>) -> tensor<8x256x256xf32>
  %5 = wax.broadcast arith.mulf(%3[0, 1, 3], %v[0, 3, 2]) : (tensor<8x256x256xf32>, tensor<8x256x16xf32>) -> tensor<8x256x16x256xf32>
  %6 = wax.reduce arith.addf(%5) over [3] init(%zero) : (tensor<8x256x16x256xf32>, tensor<f32>) -> tensor<8x256x16xf32>
  return %6 : tensor<8x256x16xf32>
}
