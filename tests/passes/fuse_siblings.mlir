// RUN: wax-opt %s --wax-fuse-siblings --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-fuse-siblings --wax-fuse-siblings --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-fuse-siblings --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATION

// What the second one needs is moved before the first one, and what reads the
// first one stays behind.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[X:.*]]: tensor<64x1000xf32>
// CHECK-DAG: %[[ZERO:.*]] = wax.constant dense<0.0
// CHECK-DAG: %[[LOW:.*]] = wax.constant dense<0xFF800000>
// CHECK: %[[SQUARE:.*]] = wax.broadcast arith.mulf(%[[X]][0, 1], %[[X]][0, 1])
// CHECK: %[[ALL:.*]]:3 = wax.reduce (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[SQUARE]]) over [1] init(%[[P:.*]] = %[[ZERO]], %[[Q:.*]] = %[[LOW]], %[[R:.*]] = %[[ZERO]])
// CHECK-DAG: arith.addf %[[A]], %[[P]]
// CHECK-DAG: arith.maximumf %[[A]], %[[Q]]
// CHECK-DAG: arith.addf %[[B]], %[[R]]
// CHECK: combine (%[[P:.*]], %[[Q:.*]], %[[R:.*]], %[[P1:.*]], %[[Q1:.*]], %[[R1:.*]]) {
// CHECK-DAG: arith.addf %[[P]], %[[P1]]
// CHECK-DAG: arith.maximumf %[[Q]], %[[Q1]]
// CHECK-DAG: arith.addf %[[R]], %[[R1]]
// CHECK: math.exp(%[[ALL]]#0)
// CHECK: return %{{.*}}, %[[ALL]]#1, %[[ALL]]#2
// LOCATION: loc(fused[
func.func @rows(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.map math.exp(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %2 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.broadcast arith.mulf(%x[0, 1], %x[0, 1]) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %4 = wax.reduce arith.addf(%3) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %2, %4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// Of an open size, along columns; each has accumulators of its own.
// CHECK-LABEL: func @columns
// CHECK: wax.reduce ({{.*}}) over [0] {{.*}} -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>)
// CHECK-NOT: wax.reduce
func.func @columns(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %places: tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %none = wax.constant dense<0> : tensor<i32>
  %0 = wax.broadcast arith.mulf(%x[0, 1], %y[0, 1]) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = wax.reduce arith.addf(%0) over [0] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %2:2 = wax.reduce (%a = %y, %n = %places) over [0] init(%best = %zero, %at = %none) : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %k = arith.select %more, %n, %at : i32
    wax.yield %v, %k : f32, i32
  } combine (%p, %q, %r, %s) {
    %more = arith.cmpf ogt, %p, %r : f32
    %v = arith.select %more, %p, %r : f32
    %k = arith.select %more, %q, %s : i32
    wax.yield %v, %k : f32, i32
  }
  return %1, %2#0, %2#1 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>
}

// -----

// What one in place makes for several is read from memory by none of them.
// CHECK-LABEL: func @moments
// CHECK: wax.reduce ({{.*}}) over [0, 1] {{.*}} -> (tensor<f32>, tensor<f32>, tensor<f32>)
// CHECK-NOT: wax.reduce
func.func @moments(%x: tensor<64x1000xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0, 1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = wax.broadcast arith.mulf(%x[0, 1], %x[0, 1]) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %2 = wax.reduce arith.addf(%1) over [0, 1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<f32>
  %3 = wax.broadcast arith.mulf(%1[0, 1], %x[0, 1]) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %4 = wax.reduce arith.addf(%3) over [0, 1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<f32>
  return %0, %2, %4 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// What stays reads what the others read, as it did.
// CHECK-LABEL: func @partly
// CHECK-SAME: %[[X:.*]]: tensor<64x1000xf32>
// CHECK: %[[TWICE:.*]] = wax.broadcast arith.addf(%[[X]][0, 1], %[[X]][0, 1])
// CHECK: %[[BOTH:.*]]:2 = wax.reduce (%{{.*}} = %[[TWICE]]) over [1]
// CHECK: %[[LESS:.*]] = wax.broadcast arith.subf(%[[TWICE]][0, 1], %[[BOTH]]#0[0])
// CHECK: wax.reduce arith.addf(%[[LESS]])
func.func @partly(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.addf(%x[0, 1], %x[0, 1]) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %1 = wax.reduce arith.maximumf(%0) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.reduce arith.minimumf(%0) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.broadcast arith.subf(%0[0, 1], %1[0]) : (tensor<64x1000xf32>, tensor<64xf32>) -> tensor<64x1000xf32>
  %4 = wax.reduce arith.addf(%3) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %2, %4 : tensor<64xf32>, tensor<64xf32>
}

// -----

// The ninth accumulator is one of another reduction.
// CHECK-LABEL: func @many
// CHECK: -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
// CHECK: wax.reduce arith.mulf
func.func @many(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %a = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.reduce arith.maximumf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.reduce arith.minimumf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.reduce arith.maxnumf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %4 = wax.reduce arith.minnumf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = wax.reduce arith.addf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %6 = wax.reduce arith.addf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %7 = wax.reduce arith.addf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %8 = wax.reduce arith.mulf(%x) over [1] init(%a) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// The second one needs the first one's result.
// CHECK-LABEL: func @dependent
// CHECK: wax.reduce arith.maximumf
// CHECK: wax.reduce arith.addf
func.func @dependent(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.broadcast arith.subf(%x[0, 1], %0[0]) : (tensor<64x1000xf32>, tensor<64xf32>) -> tensor<64x1000xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

// CHECK-LABEL: func @other_dims
// CHECK: wax.reduce arith.addf
// CHECK: wax.reduce arith.maximumf
func.func @other_dims(%x: tensor<64x64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0] init(%zero) : (tensor<64x64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %1 = wax.reduce arith.maximumf(%x) over [1] init(%zero) : (tensor<64x64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  return %0, %1 : tensor<64x8xf32>, tensor<64x8xf32>
}

// -----

// The tensors have nothing in common but a row, which costs nothing to read.
// CHECK-LABEL: func @other_tensors
// CHECK: wax.reduce arith.addf
// CHECK: wax.reduce arith.addf
func.func @other_tensors(%x: tensor<64x1000xf32>, %y: tensor<64x1000xf32>, %row: tensor<1000xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%x[0, 1], %row[1]) : (tensor<64x1000xf32>, tensor<1000xf32>) -> tensor<64x1000xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.broadcast arith.mulf(%y[0, 1], %row[1]) : (tensor<64x1000xf32>, tensor<1000xf32>) -> tensor<64x1000xf32>
  %3 = wax.reduce arith.addf(%2) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %3 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Few elements, and short rows.
// CHECK-LABEL: func @small
// CHECK-COUNT-4: wax.reduce
func.func @small(%x: tensor<64x64xf32>, %y: tensor<4096x7xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.reduce arith.maximumf(%x) over [1] init(%zero) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.reduce arith.addf(%y) over [1] init(%zero) : (tensor<4096x7xf32>, tensor<f32>) -> tensor<4096xf32>
  %3 = wax.reduce arith.maximumf(%y) over [1] init(%zero) : (tensor<4096x7xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<4096xf32>, tensor<4096xf32>
}

// -----

// IREE computes functions of `math` in the dispatch that adds them up.
// CHECK-LABEL: func @functions
// CHECK: wax.reduce arith.addf
// CHECK: wax.reduce arith.addf
func.func @functions(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.map math.exp(%x) : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Sums of products of matrices are products.
// CHECK-LABEL: func @products
// CHECK: wax.reduce arith.addf
// CHECK: wax.reduce arith.addf
func.func @products(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%x[0, 2], %y[1, 2]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %2 = wax.broadcast arith.mulf(%x[0, 2], %z[1, 2]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %3 = wax.reduce arith.addf(%2) over [2] init(%zero) : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  return %1, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// What folds in order has no vectors.
// CHECK-LABEL: func @ordered
// CHECK: wax.reduce ordered arith.addf
// CHECK: wax.reduce ordered arith.mulf
func.func @ordered(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce ordered arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.reduce ordered arith.mulf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// One is in a branch.
// CHECK-LABEL: func @branch
// CHECK: wax.reduce arith.addf
// CHECK: scf.if
// CHECK: wax.reduce arith.maximumf
func.func @branch(%x: tensor<64x1000xf32>, %flag: i1) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = scf.if %flag -> tensor<64xf32> {
    %2 = wax.reduce arith.maximumf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
    scf.yield %2 : tensor<64xf32>
  } else {
    scf.yield %0 : tensor<64xf32>
  }
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// What the second one reads too is made by something that is not moved.
// CHECK-LABEL: func @made_between
// CHECK: wax.reduce arith.addf
// CHECK: scf.for
// CHECK: wax.reduce arith.addf
func.func @made_between(%x: tensor<64x1000xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<64x1000xf32>) {
    %4 = wax.map arith.negf(%y) : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    scf.yield %4 : tensor<64x1000xf32>
  }
  %2 = wax.broadcast arith.mulf(%x[0, 1], %1[0, 1]) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %3 = wax.reduce arith.addf(%2) over [1] init(%zero) : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %3 : tensor<64xf32>, tensor<64xf32>
}
