// RUN: wax-opt %s --wax-short-folds | FileCheck %s

// The first elements of all rows, the second ones, the third ones; what counts along rows is known.
// CHECK-LABEL: func @where
// CHECK: %[[A:.*]] = wax.slice %arg0 offsets [0, 0] sizes [4096, 1] strides [1, 1]
// CHECK: %[[FIRST:.*]] = wax.reshape %[[A]]
// CHECK: wax.slice %arg0 offsets [0, 1]
// CHECK: %[[SECOND:.*]] = wax.reshape
// CHECK: wax.slice %arg0 offsets [0, 2]
// CHECK: %[[THIRD:.*]] = wax.reshape
// CHECK: wax.broadcast (%a = %[[FIRST]][0], %b = %[[SECOND]][0], %c = %[[THIRD]][0], %d = %{{.*}}[], %e = %{{.*}}[])
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %d, %a
// CHECK: arith.select %[[LESS]], %c0_i32, %e
// CHECK: arith.select %{{.*}}, %c1_i32
// CHECK: arith.select %{{.*}}, %c2_i32
// CHECK-NOT: wax.reduce
func.func @where(%x: tensor<4096x3xf32>, %low: tensor<f32>, %none: tensor<i32>) -> tensor<4096xi32> {
  %n = wax.iota along 1 : tensor<4096x3xi32>
  %0:2 = wax.reduce (%a = %x, %i = %n) over [1] init(%most = %low, %at = %none)
      : (tensor<4096x3xf32>, tensor<4096x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<4096xf32>, tensor<4096xi32>) {
    %l = arith.cmpf olt, %most, %a : f32
    %m = arith.select %l, %a, %most : f32
    %p = arith.select %l, %i, %at : i32
    wax.yield %m, %p : f32, i32
  }
  return %0#1 : tensor<4096xi32>
}

// What a map makes for the fold alone is made of elements too, and the order is as it was.
// CHECK-LABEL: func @squares
// CHECK-COUNT-2: wax.slice %arg0
// CHECK: wax.broadcast (%a = %{{.*}}[0], %b = %{{.*}}[0], %c = %arg1[])
// CHECK: %[[A:.*]] = arith.mulf %a, %a
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %c
// CHECK: %[[B:.*]] = arith.mulf %b, %b
// CHECK: arith.addf %[[B]], %[[SUM]]
func.func @squares(%x: tensor<5000x2xf32>, %zero: tensor<f32>) -> tensor<5000xf32> {
  %s = wax.map (%a = %x) : (tensor<5000x2xf32>) -> tensor<5000x2xf32> {
    %m = arith.mulf %a, %a : f32
    wax.yield %m : f32
  }
  %0 = wax.reduce ordered arith.addf(%s) over [1] init(%zero) : (tensor<5000x2xf32>, tensor<f32>) -> tensor<5000xf32>
  return %0 : tensor<5000xf32>
}

// Five elements, few rows, sizes that are open, rows that are needed again, and products stay.
// CHECK-LABEL: func @others
// CHECK-COUNT-5: wax.reduce
// CHECK-NOT: wax.slice
// CHECK: return
func.func @others(%a: tensor<5000x5xf32>, %b: tensor<4095x3xf32>, %c: tensor<?x3xf32>, %d: tensor<5000x3xf32>, %w: tensor<3xf32>,
                  %zero: tensor<f32>) -> (tensor<5000xf32>, tensor<4095xf32>, tensor<?xf32>, tensor<5000x3xf32>, tensor<5000xf32>) {
  %0 = wax.reduce arith.addf(%a) over [1] init(%zero) : (tensor<5000x5xf32>, tensor<f32>) -> tensor<5000xf32>
  %1 = wax.reduce arith.addf(%b) over [1] init(%zero) : (tensor<4095x3xf32>, tensor<f32>) -> tensor<4095xf32>
  %2 = wax.reduce arith.addf(%c) over [1] init(%zero) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = wax.reduce arith.addf(%d) over [1] init(%zero) : (tensor<5000x3xf32>, tensor<f32>) -> tensor<5000xf32>
  %4 = wax.broadcast arith.divf(%d[0, 1], %3[0]) : (tensor<5000x3xf32>, tensor<5000xf32>) -> tensor<5000x3xf32>
  %5 = wax.broadcast arith.mulf(%d[0, 1], %w[1]) : (tensor<5000x3xf32>, tensor<3xf32>) -> tensor<5000x3xf32>
  %6 = wax.reduce arith.addf(%5) over [1] init(%zero) : (tensor<5000x3xf32>, tensor<f32>) -> tensor<5000xf32>
  return %0, %1, %2, %4, %6 : tensor<5000xf32>, tensor<4095xf32>, tensor<?xf32>, tensor<5000x3xf32>, tensor<5000xf32>
}

// Thirty-two rows of three columns are one of 96.
// CHECK-LABEL: func @columns
// CHECK: %[[WIDE:.*]] = wax.reshape %arg0 {{.*}} -> tensor<200x96xf32>
// CHECK: %[[PARTS:.*]] = wax.reduce arith.maximumf(%[[WIDE]]) over [0] init(%arg1) {{.*}} -> tensor<96xf32>
// CHECK: %[[ROWS:.*]] = wax.reshape %[[PARTS]] {{.*}} -> tensor<32x3xf32>
// CHECK: wax.reduce (%a = %[[ROWS]]) over [0] init(%acc = %arg1)
// CHECK: arith.maximumf %acc, %a
func.func @columns(%x: tensor<6400x3xf32>, %low: tensor<f32>) -> tensor<3xf32> {
  %0 = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<6400x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// One row is left over.
// CHECK-LABEL: func @left_over
// CHECK: %[[LEFT:.*]] = wax.slice %{{.*}} offsets [6400, 0] sizes [1, 3]
// CHECK: %[[MOST:.*]] = wax.slice %{{.*}} offsets [0, 0] sizes [6400, 3]
// CHECK: wax.reshape %[[MOST]] {{.*}} -> tensor<200x96xf32>
// CHECK: %[[FOLDED:.*]] = wax.reduce ({{.*}}) over [0] {{.*}} -> tensor<3xf32>
// CHECK: %[[REST:.*]] = wax.reduce arith.addf(%[[LEFT]]) over [0]
// CHECK: wax.broadcast arith.addf(%[[FOLDED]][0], %[[REST]][0])
func.func @left_over(%x: tensor<6401x3xf32>, %zero: tensor<f32>) -> tensor<3xf32> {
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<6401x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Not in an order that counts, nor of fewer rows, nor of many columns.
// CHECK-LABEL: func @other_columns
// CHECK-COUNT-3: wax.reduce
// CHECK-NOT: wax.reduce
// CHECK: return
func.func @other_columns(%a: tensor<6400x3xf32>, %b: tensor<2047x3xf32>, %c: tensor<6400x16xf32>, %zero: tensor<f32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<16xf32>) {
  %0 = wax.reduce ordered arith.addf(%a) over [0] init(%zero) : (tensor<6400x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = wax.reduce arith.addf(%b) over [0] init(%zero) : (tensor<2047x3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = wax.reduce arith.addf(%c) over [0] init(%zero) : (tensor<6400x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<16xf32>
}
