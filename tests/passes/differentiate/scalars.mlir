// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=absf" | FileCheck %s --check-prefix=ABSF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sqrt" | FileCheck %s --check-prefix=SQRT
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=rsqrt" | FileCheck %s --check-prefix=RSQRT
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=cbrt" | FileCheck %s --check-prefix=CBRT
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=exp" | FileCheck %s --check-prefix=EXP
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=exp2" | FileCheck %s --check-prefix=EXP2
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=expm1" | FileCheck %s --check-prefix=EXPM1
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log" | FileCheck %s --check-prefix=LOG
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log2" | FileCheck %s --check-prefix=LOG2
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log10" | FileCheck %s --check-prefix=LOG10
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log1p" | FileCheck %s --check-prefix=LOG1P
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sin" | FileCheck %s --check-prefix=SIN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=cos" | FileCheck %s --check-prefix=COS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=tan" | FileCheck %s --check-prefix=TAN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=asin" | FileCheck %s --check-prefix=ASIN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=acos" | FileCheck %s --check-prefix=ACOS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=atan" | FileCheck %s --check-prefix=ATAN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sinh" | FileCheck %s --check-prefix=SINH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=cosh" | FileCheck %s --check-prefix=COSH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=tanh" | FileCheck %s --check-prefix=TANH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=asinh" | FileCheck %s --check-prefix=ASINH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=acosh" | FileCheck %s --check-prefix=ACOSH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=atanh" | FileCheck %s --check-prefix=ATANH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=erf" | FileCheck %s --check-prefix=ERF
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=erfc" | FileCheck %s --check-prefix=ERFC
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=ceil" | FileCheck %s --check-prefix=CEIL
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=floor" | FileCheck %s --check-prefix=FLOOR
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=trunc" | FileCheck %s --check-prefix=TRUNC
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=roundeven" | FileCheck %s --check-prefix=ROUNDEVEN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=lgamma" | FileCheck %s --check-prefix=LGAMMA
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=erf_inv" | FileCheck %s --check-prefix=ERF-INV
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=erfc_inv" | FileCheck %s --check-prefix=ERFC-INV
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=i0e" | FileCheck %s --check-prefix=I0E
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=i1e" | FileCheck %s --check-prefix=I1E

// ABSF: func.func @absf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ABSF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.absf(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ABSF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ABSF-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ABSF-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant -1.000000e+00 : f32
// ABSF-NEXT: %[[CST_1:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// ABSF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[CST_1]] : f32
// ABSF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.select %[[V2]], %[[CST_1]], %[[A]] : f32
// ABSF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[CST_1]] : f32
// ABSF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[CST_0]], %[[V3]] : f32
// ABSF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.cmpf ogt, %[[A]], %[[CST_1]] : f32
// ABSF-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.select %[[V6]], %[[CST]], %[[V5]] : f32
// ABSF-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V7]] : f32
// ABSF-NEXT: wax.yield %[[V8]] : f32
// ABSF-NEXT: }
// ABSF-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @absf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.absf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SQRT: func.func @sqrt(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// SQRT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.sqrt(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// SQRT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// SQRT-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 2.000000e+00 : f32
// SQRT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.sqrt %[[A]] : f32
// SQRT-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[CST]] : f32
// SQRT-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V3]] : f32
// SQRT-NEXT: wax.yield %[[V4]] : f32
// SQRT-NEXT: }
// SQRT-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @sqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.sqrt(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RSQRT: func.func @rsqrt(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// RSQRT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.rsqrt(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// RSQRT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// RSQRT-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant -5.000000e-01 : f32
// RSQRT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.rsqrt %[[A]] : f32
// RSQRT-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.divf %[[V2]], %[[A]] : f32
// RSQRT-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[CST]] : f32
// RSQRT-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V4]] : f32
// RSQRT-NEXT: wax.yield %[[V5]] : f32
// RSQRT-NEXT: }
// RSQRT-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.rsqrt(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CBRT: func.func @cbrt(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CBRT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.cbrt(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// CBRT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// CBRT-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 3.000000e+00 : f32
// CBRT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.cbrt %[[A]] : f32
// CBRT-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[V2]] : f32
// CBRT-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[CST]] : f32
// CBRT-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V4]] : f32
// CBRT-NEXT: wax.yield %[[V5]] : f32
// CBRT-NEXT: }
// CBRT-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @cbrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.cbrt(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// EXP: func.func @exp(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// EXP-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// EXP-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// EXP-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.exp %[[A]] : f32
// EXP-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// EXP-NEXT: wax.yield %[[V3]] : f32
// EXP-NEXT: }
// EXP-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// EXP2: func.func @exp2(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// EXP2-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp2(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// EXP2-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// EXP2-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.693147182 : f32
// EXP2-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.exp2 %[[A]] : f32
// EXP2-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[CST]] : f32
// EXP2-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V3]] : f32
// EXP2-NEXT: wax.yield %[[V4]] : f32
// EXP2-NEXT: }
// EXP2-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @exp2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.exp2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// EXPM1: func.func @expm1(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// EXPM1-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.expm1(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// EXPM1-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// EXPM1-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.exp %[[A]] : f32
// EXPM1-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// EXPM1-NEXT: wax.yield %[[V3]] : f32
// EXPM1-NEXT: }
// EXPM1-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @expm1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.expm1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LOG: func.func @log(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// LOG-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.log(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// LOG-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// LOG-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[A]] : f32
// LOG-NEXT: wax.yield %[[V2]] : f32
// LOG-NEXT: }
// LOG-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @log(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.log(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LOG2: func.func @log2(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// LOG2-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.log2(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// LOG2-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// LOG2-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.693147182 : f32
// LOG2-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[CST]] : f32
// LOG2-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V2]] : f32
// LOG2-NEXT: wax.yield %[[V3]] : f32
// LOG2-NEXT: }
// LOG2-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @log2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.log2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LOG10: func.func @log10(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// LOG10-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.log10(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// LOG10-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// LOG10-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 2.30258512 : f32
// LOG10-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[CST]] : f32
// LOG10-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V2]] : f32
// LOG10-NEXT: wax.yield %[[V3]] : f32
// LOG10-NEXT: }
// LOG10-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @log10(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.log10(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LOG1P: func.func @log1p(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// LOG1P-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.log1p(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// LOG1P-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// LOG1P-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// LOG1P-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[CST]] : f32
// LOG1P-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V2]] : f32
// LOG1P-NEXT: wax.yield %[[V3]] : f32
// LOG1P-NEXT: }
// LOG1P-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @log1p(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.log1p(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SIN: func.func @sin(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// SIN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.sin(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// SIN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// SIN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.cos %[[A]] : f32
// SIN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// SIN-NEXT: wax.yield %[[V3]] : f32
// SIN-NEXT: }
// SIN-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @sin(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// COS: func.func @cos(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// COS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.cos(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// COS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// COS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.sin %[[A]] : f32
// COS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.negf %[[V2]] : f32
// COS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V3]] : f32
// COS-NEXT: wax.yield %[[V4]] : f32
// COS-NEXT: }
// COS-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @cos(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.cos(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// TAN: func.func @tan(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// TAN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.tan(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// TAN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// TAN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// TAN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.tan %[[A]] : f32
// TAN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[V2]] : f32
// TAN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.addf %[[V3]], %[[CST]] : f32
// TAN-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V4]] : f32
// TAN-NEXT: wax.yield %[[V5]] : f32
// TAN-NEXT: }
// TAN-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @tan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.tan(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ASIN: func.func @asin(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ASIN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.asin(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ASIN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ASIN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ASIN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[CST]] : f32
// ASIN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.subf %[[CST]], %[[A]] : f32
// ASIN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[V2]] : f32
// ASIN-NEXT: %[[V5:[a-zA-Z0-9_]+]] = math.sqrt %[[V4]] : f32
// ASIN-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V5]] : f32
// ASIN-NEXT: wax.yield %[[V6]] : f32
// ASIN-NEXT: }
// ASIN-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @asin(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.asin(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ACOS: func.func @acos(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ACOS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.acos(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ACOS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ACOS-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ACOS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[CST]] : f32
// ACOS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.subf %[[CST]], %[[A]] : f32
// ACOS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[V2]] : f32
// ACOS-NEXT: %[[V5:[a-zA-Z0-9_]+]] = math.sqrt %[[V4]] : f32
// ACOS-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.negf %[[V5]] : f32
// ACOS-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V6]] : f32
// ACOS-NEXT: wax.yield %[[V7]] : f32
// ACOS-NEXT: }
// ACOS-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @acos(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.acos(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ATAN: func.func @atan(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ATAN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.atan(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ATAN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ATAN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ATAN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[A]] : f32
// ATAN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.addf %[[V2]], %[[CST]] : f32
// ATAN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V3]] : f32
// ATAN-NEXT: wax.yield %[[V4]] : f32
// ATAN-NEXT: }
// ATAN-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @atan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.atan(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SINH: func.func @sinh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// SINH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.sinh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// SINH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// SINH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.cosh %[[A]] : f32
// SINH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// SINH-NEXT: wax.yield %[[V3]] : f32
// SINH-NEXT: }
// SINH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @sinh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.sinh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// COSH: func.func @cosh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// COSH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.cosh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// COSH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// COSH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.sinh %[[A]] : f32
// COSH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// COSH-NEXT: wax.yield %[[V3]] : f32
// COSH-NEXT: }
// COSH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @cosh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.cosh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// TANH: func.func @tanh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// TANH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.tanh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// TANH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// TANH-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// TANH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = math.tanh %[[A]] : f32
// TANH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.subf %[[CST]], %[[V2]] : f32
// TANH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.addf %[[V2]], %[[CST]] : f32
// TANH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V4]], %[[V3]] : f32
// TANH-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V5]] : f32
// TANH-NEXT: wax.yield %[[V6]] : f32
// TANH-NEXT: }
// TANH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.tanh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ASINH: func.func @asinh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ASINH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.asinh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ASINH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ASINH-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ASINH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[A]] : f32
// ASINH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.addf %[[V2]], %[[CST]] : f32
// ASINH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.sqrt %[[V3]] : f32
// ASINH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V4]] : f32
// ASINH-NEXT: wax.yield %[[V5]] : f32
// ASINH-NEXT: }
// ASINH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @asinh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.asinh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ACOSH: func.func @acosh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ACOSH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.acosh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ACOSH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ACOSH-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ACOSH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[CST]] : f32
// ACOSH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = math.sqrt %[[V2]] : f32
// ACOSH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.subf %[[A]], %[[CST]] : f32
// ACOSH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = math.sqrt %[[V4]] : f32
// ACOSH-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[V5]], %[[V3]] : f32
// ACOSH-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V6]] : f32
// ACOSH-NEXT: wax.yield %[[V7]] : f32
// ACOSH-NEXT: }
// ACOSH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @acosh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.acosh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ATANH: func.func @atanh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ATANH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.atanh(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ATANH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ATANH-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ATANH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.addf %[[A]], %[[CST]] : f32
// ATANH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.subf %[[CST]], %[[A]] : f32
// ATANH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.mulf %[[V3]], %[[V2]] : f32
// ATANH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.divf %[[B]], %[[V4]] : f32
// ATANH-NEXT: wax.yield %[[V5]] : f32
// ATANH-NEXT: }
// ATANH-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @atanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.atanh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERF: func.func @erf(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ERF-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.erf(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ERF-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ERF-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.12837923 : f32
// ERF-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[A]] : f32
// ERF-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.negf %[[V2]] : f32
// ERF-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.exp %[[V3]] : f32
// ERF-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V4]], %[[CST]] : f32
// ERF-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V5]] : f32
// ERF-NEXT: wax.yield %[[V6]] : f32
// ERF-NEXT: }
// ERF-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERFC: func.func @erfc(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ERFC-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.erfc(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ERFC-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ERFC-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant -1.12837923 : f32
// ERFC-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.mulf %[[A]], %[[A]] : f32
// ERFC-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.negf %[[V2]] : f32
// ERFC-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.exp %[[V3]] : f32
// ERFC-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V4]], %[[CST]] : f32
// ERFC-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V5]] : f32
// ERFC-NEXT: wax.yield %[[V6]] : f32
// ERFC-NEXT: }
// ERFC-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.erfc(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CEIL: func.func @ceil(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CEIL-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4xf32>
// CEIL-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map math.ceil(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// CEIL-NEXT: return %[[V1]], %[[V0]] : tensor<4xf32>, tensor<4xf32>
func.func @ceil(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.ceil(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// FLOOR: func.func @floor(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// FLOOR-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4xf32>
// FLOOR-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map math.floor(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// FLOOR-NEXT: return %[[V1]], %[[V0]] : tensor<4xf32>, tensor<4xf32>
func.func @floor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.floor(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// TRUNC: func.func @trunc(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// TRUNC-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4xf32>
// TRUNC-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map math.trunc(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// TRUNC-NEXT: return %[[V1]], %[[V0]] : tensor<4xf32>, tensor<4xf32>
func.func @trunc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.trunc(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ROUNDEVEN: func.func @roundeven(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ROUNDEVEN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4xf32>
// ROUNDEVEN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map math.roundeven(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ROUNDEVEN-NEXT: return %[[V1]], %[[V0]] : tensor<4xf32>, tensor<4xf32>
func.func @roundeven(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map math.roundeven(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LGAMMA: func.func @lgamma(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// LGAMMA-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map wax.lgamma(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// LGAMMA-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// LGAMMA-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.polygamma 0, %[[A]] : f32
// LGAMMA-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V2]] : f32
// LGAMMA-NEXT: wax.yield %[[V3]] : f32
// LGAMMA-NEXT: }
// LGAMMA-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @lgamma(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map wax.lgamma(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERF-INV: func.func @erf_inv(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ERF-INV-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map wax.erf_inv(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ERF-INV-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ERF-INV-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.886226952 : f32
// ERF-INV-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.erf_inv %[[A]] : f32
// ERF-INV-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[V2]] : f32
// ERF-INV-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.exp %[[V3]] : f32
// ERF-INV-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V4]], %[[CST]] : f32
// ERF-INV-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V5]] : f32
// ERF-INV-NEXT: wax.yield %[[V6]] : f32
// ERF-INV-NEXT: }
// ERF-INV-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @erf_inv(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map wax.erf_inv(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERFC-INV: func.func @erfc_inv(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// ERFC-INV-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map wax.erfc_inv(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// ERFC-INV-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// ERFC-INV-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant -0.886226952 : f32
// ERFC-INV-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.erfc_inv %[[A]] : f32
// ERFC-INV-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.mulf %[[V2]], %[[V2]] : f32
// ERFC-INV-NEXT: %[[V4:[a-zA-Z0-9_]+]] = math.exp %[[V3]] : f32
// ERFC-INV-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.mulf %[[V4]], %[[CST]] : f32
// ERFC-INV-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V5]] : f32
// ERFC-INV-NEXT: wax.yield %[[V6]] : f32
// ERFC-INV-NEXT: }
// ERFC-INV-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @erfc_inv(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map wax.erfc_inv(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// I0E: func.func @i0e(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// I0E-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map wax.i0e(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// I0E-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// I0E-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// I0E-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant -1.000000e+00 : f32
// I0E-NEXT: %[[CST_1:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// I0E-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.i0e %[[A]] : f32
// I0E-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[CST_1]] : f32
// I0E-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.select %[[V3]], %[[CST_1]], %[[A]] : f32
// I0E-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[CST_1]] : f32
// I0E-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.select %[[V5]], %[[CST_0]], %[[V4]] : f32
// I0E-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.cmpf ogt, %[[A]], %[[CST_1]] : f32
// I0E-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.select %[[V7]], %[[CST]], %[[V6]] : f32
// I0E-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.mulf %[[V8]], %[[V2]] : f32
// I0E-NEXT: %[[V10:[a-zA-Z0-9_]+]] = wax.i1e %[[A]] : f32
// I0E-NEXT: %[[V11:[a-zA-Z0-9_]+]] = arith.subf %[[V10]], %[[V9]] : f32
// I0E-NEXT: %[[V12:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V11]] : f32
// I0E-NEXT: wax.yield %[[V12]] : f32
// I0E-NEXT: }
// I0E-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @i0e(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map wax.i0e(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// I1E: func.func @i1e(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// I1E-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map wax.i1e(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// I1E-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// I1E-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 5.000000e-01 : f32
// I1E-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant -1.000000e+00 : f32
// I1E-NEXT: %[[CST_1:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// I1E-NEXT: %[[CST_2:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// I1E-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.i1e %[[A]] : f32
// I1E-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[A]], %[[CST_1]] : f32
// I1E-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.select %[[V3]], %[[CST_2]], %[[A]] : f32
// I1E-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.divf %[[CST_2]], %[[V4]] : f32
// I1E-NEXT: %[[V6:[a-zA-Z0-9_]+]] = arith.select %[[V3]], %[[CST_1]], %[[A]] : f32
// I1E-NEXT: %[[V7:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[CST_1]] : f32
// I1E-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.select %[[V7]], %[[CST_0]], %[[V6]] : f32
// I1E-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.cmpf ogt, %[[A]], %[[CST_1]] : f32
// I1E-NEXT: %[[V10:[a-zA-Z0-9_]+]] = arith.select %[[V9]], %[[CST_2]], %[[V8]] : f32
// I1E-NEXT: %[[V11:[a-zA-Z0-9_]+]] = arith.addf %[[V10]], %[[V5]] : f32
// I1E-NEXT: %[[V12:[a-zA-Z0-9_]+]] = arith.mulf %[[V11]], %[[V2]] : f32
// I1E-NEXT: %[[V13:[a-zA-Z0-9_]+]] = wax.i0e %[[A]] : f32
// I1E-NEXT: %[[V14:[a-zA-Z0-9_]+]] = arith.subf %[[V13]], %[[V12]] : f32
// I1E-NEXT: %[[V15:[a-zA-Z0-9_]+]] = arith.select %[[V3]], %[[CST]], %[[V14]] : f32
// I1E-NEXT: %[[V16:[a-zA-Z0-9_]+]] = arith.mulf %[[B]], %[[V15]] : f32
// I1E-NEXT: wax.yield %[[V16]] : f32
// I1E-NEXT: }
// I1E-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @i1e(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map wax.i1e(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
