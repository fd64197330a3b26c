// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=addf" | FileCheck %s --check-prefix=ADDF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=subf" | FileCheck %s --check-prefix=SUBF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=mulf" | FileCheck %s --check-prefix=MULF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=divf" | FileCheck %s --check-prefix=DIVF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=remf" | FileCheck %s --check-prefix=REMF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=maximumf" | FileCheck %s --check-prefix=MAXIMUMF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=minimumf" | FileCheck %s --check-prefix=MINIMUMF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=powf" | FileCheck %s --check-prefix=POWF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=atan2" | FileCheck %s --check-prefix=ATAN2
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=copysign" | FileCheck %s --check-prefix=COPYSIGN

// ADDF: func.func @addf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// ADDF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.addf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// ADDF-NEXT: return %[[V0]], %[[ARG2]], %[[ARG2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @addf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SUBF: func.func @subf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// SUBF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.subf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// SUBF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map arith.negf(%[[ARG2]]) : (tensor<4xf32>) -> tensor<4xf32>
// SUBF-NEXT: return %[[V0]], %[[ARG2]], %[[V1]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @subf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.subf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// MULF: func.func @mulf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// MULF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.mulf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// MULF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MULF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[A]] : f32
// MULF-NEXT: wax.yield %[[V3]] : f32
// MULF-NEXT: }
// MULF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MULF-NEXT: %[[V3]] = arith.mulf %[[B]], %[[A]] : f32
// MULF-NEXT: wax.yield %[[V3]] : f32
// MULF-NEXT: }
// MULF-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @mulf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// DIVF: func.func @divf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// DIVF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.divf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// DIVF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// DIVF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[A]] : f32
// DIVF-NEXT: wax.yield %[[V3]] : f32
// DIVF-NEXT: }
// DIVF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// DIVF-NEXT: %[[V3]] = arith.divf %[[A]], %[[B]] : f32
// DIVF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.divf %[[V3]], %[[B]] : f32
// DIVF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.negf %[[V4]] : f32
// DIVF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V5]] : f32
// DIVF-NEXT: wax.yield %[[V6]] : f32
// DIVF-NEXT: }
// DIVF-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @divf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.divf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// REMF: func.func @remf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// REMF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.remf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// REMF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// REMF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.divf %[[A]], %[[B]] : f32
// REMF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = math.trunc %[[V2]] : f32
// REMF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.negf %[[V3]] : f32
// REMF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V4]] : f32
// REMF-NEXT: wax.yield %[[V5]] : f32
// REMF-NEXT: }
// REMF-NEXT: return %[[V0]], %[[ARG2]], %[[V1]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @remf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.remf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// MAXIMUMF: func.func @maximumf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// MAXIMUMF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.maximumf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// MAXIMUMF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MAXIMUMF-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// MAXIMUMF-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 5.000000e-01 : f32
// MAXIMUMF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[CST_0]] : f32
// MAXIMUMF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MAXIMUMF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[V3]], %[[CST]] : f32
// MAXIMUMF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.cmpf ogt, %[[A]], %[[B]] : f32
// MAXIMUMF-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.select %[[V6]], %[[C]], %[[V5]] : f32
// MAXIMUMF-NEXT: wax.yield %[[V7]] : f32
// MAXIMUMF-NEXT: }
// MAXIMUMF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MAXIMUMF-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// MAXIMUMF-NEXT: %[[CST_0]] = arith.constant 5.000000e-01 : f32
// MAXIMUMF-NEXT: %[[V3]] = arith.mulf %[[C]], %[[CST_0]] : f32
// MAXIMUMF-NEXT: %[[V4]] = arith.cmpf oeq, %[[B]], %[[A]] : f32
// MAXIMUMF-NEXT: %[[V5]] = arith.select %[[V4]], %[[V3]], %[[CST]] : f32
// MAXIMUMF-NEXT: %[[V6]] = arith.cmpf ogt, %[[B]], %[[A]] : f32
// MAXIMUMF-NEXT: %[[V7]] = arith.select %[[V6]], %[[C]], %[[V5]] : f32
// MAXIMUMF-NEXT: wax.yield %[[V7]] : f32
// MAXIMUMF-NEXT: }
// MAXIMUMF-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @maximumf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.maximumf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// MINIMUMF: func.func @minimumf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// MINIMUMF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast arith.minimumf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// MINIMUMF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MINIMUMF-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// MINIMUMF-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 5.000000e-01 : f32
// MINIMUMF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[CST_0]] : f32
// MINIMUMF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// MINIMUMF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[V3]], %[[CST]] : f32
// MINIMUMF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// MINIMUMF-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.select %[[V6]], %[[C]], %[[V5]] : f32
// MINIMUMF-NEXT: wax.yield %[[V7]] : f32
// MINIMUMF-NEXT: }
// MINIMUMF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// MINIMUMF-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// MINIMUMF-NEXT: %[[CST_0]] = arith.constant 5.000000e-01 : f32
// MINIMUMF-NEXT: %[[V3]] = arith.mulf %[[C]], %[[CST_0]] : f32
// MINIMUMF-NEXT: %[[V4]] = arith.cmpf oeq, %[[B]], %[[A]] : f32
// MINIMUMF-NEXT: %[[V5]] = arith.select %[[V4]], %[[V3]], %[[CST]] : f32
// MINIMUMF-NEXT: %[[V6]] = arith.cmpf olt, %[[B]], %[[A]] : f32
// MINIMUMF-NEXT: %[[V7]] = arith.select %[[V6]], %[[C]], %[[V5]] : f32
// MINIMUMF-NEXT: wax.yield %[[V7]] : f32
// MINIMUMF-NEXT: }
// MINIMUMF-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @minimumf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast arith.minimumf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// POWF: func.func @powf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// POWF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast math.powf(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// POWF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// POWF-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// POWF-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// POWF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.subf %[[B]], %[[CST_0]] : f32
// POWF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[B]], %[[CST]] : f32
// POWF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[CST_0]], %[[V3]] : f32
// POWF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = math.powf %[[A]], %[[V5]] : f32
// POWF-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V6]] : f32
// POWF-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V7]] : f32
// POWF-NEXT: wax.yield %[[V8]] : f32
// POWF-NEXT: }
// POWF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// POWF-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// POWF-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// POWF-NEXT: %[[V3]] = math.powf %[[A]], %[[B]] : f32
// POWF-NEXT: %[[V4]] = arith.cmpf oeq, %[[A]], %[[CST]] : f32
// POWF-NEXT: %[[V5]] = arith.select %[[V4]], %[[CST_0]], %[[A]] : f32
// POWF-NEXT: %[[V6]] = math.log %[[V5]] : f32
// POWF-NEXT: %[[V7]] = arith.mulf %[[V6]], %[[V3]] : f32
// POWF-NEXT: %[[V8]] = arith.mulf %[[C]], %[[V7]] : f32
// POWF-NEXT: wax.yield %[[V8]] : f32
// POWF-NEXT: }
// POWF-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @powf(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast math.powf(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ATAN2: func.func @atan2(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// ATAN2-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast math.atan2(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// ATAN2-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ATAN2-NEXT: %[[V3:[a-zA-Z0-9_]+]] = math.absf %[[B]] : f32
// ATAN2-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.absf %[[A]] : f32
// ATAN2-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.maximumf %[[V4]], %[[V3]] : f32
// ATAN2-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.divf %[[A]], %[[V5]] : f32
// ATAN2-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V5]] : f32
// ATAN2-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.mulf %[[V6]], %[[V6]] : f32
// ATAN2-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.mulf %[[V7]], %[[V7]] : f32
// ATAN2-NEXT: %[[V10:[a-zA-Z0-9_]+]] = arith.addf %[[V9]], %[[V8]] : f32
// ATAN2-NEXT: %[[V11:[a-zA-Z0-9_]+]] = arith.divf %[[V7]], %[[V10]] : f32
// ATAN2-NEXT: %[[V12:[a-zA-Z0-9_]+]] = arith.divf %[[V11]], %[[V5]] : f32
// ATAN2-NEXT: %[[V13:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V12]] : f32
// ATAN2-NEXT: wax.yield %[[V13]] : f32
// ATAN2-NEXT: }
// ATAN2-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ATAN2-NEXT: %[[V3]] = arith.negf %[[A]] : f32
// ATAN2-NEXT: %[[V4]] = math.absf %[[B]] : f32
// ATAN2-NEXT: %[[V5]] = math.absf %[[A]] : f32
// ATAN2-NEXT: %[[V6]] = arith.maximumf %[[V5]], %[[V4]] : f32
// ATAN2-NEXT: %[[V7]] = arith.divf %[[A]], %[[V6]] : f32
// ATAN2-NEXT: %[[V8]] = arith.divf %[[B]], %[[V6]] : f32
// ATAN2-NEXT: %[[V9]] = arith.mulf %[[V7]], %[[V7]] : f32
// ATAN2-NEXT: %[[V10]] = arith.mulf %[[V8]], %[[V8]] : f32
// ATAN2-NEXT: %[[V11]] = arith.addf %[[V10]], %[[V9]] : f32
// ATAN2-NEXT: %[[V12]] = arith.divf %[[V3]], %[[V6]] : f32
// ATAN2-NEXT: %[[V13]] = arith.divf %[[V12]], %[[V11]] : f32
// ATAN2-NEXT: %[[V14:[a-zA-Z0-9_]+]] = arith.divf %[[V13]], %[[V6]] : f32
// ATAN2-NEXT: %[[V15:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V14]] : f32
// ATAN2-NEXT: wax.yield %[[V15]] : f32
// ATAN2-NEXT: }
// ATAN2-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @atan2(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast math.atan2(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// COPYSIGN: func.func @copysign(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// COPYSIGN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4xf32>
// COPYSIGN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast math.copysign(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// COPYSIGN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// COPYSIGN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// COPYSIGN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = math.copysign %[[CST]], %[[A]] : f32
// COPYSIGN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.copysign %[[CST]], %[[B]] : f32
// COPYSIGN-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[V4]] : f32
// COPYSIGN-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[C]], %[[V5]] : f32
// COPYSIGN-NEXT: wax.yield %[[V6]] : f32
// COPYSIGN-NEXT: }
// COPYSIGN-NEXT: return %[[V1]], %[[V2]], %[[V0]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @copysign(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast math.copysign(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
