// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=neg" | FileCheck %s --check-prefix=NEG
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=conj" | FileCheck %s --check-prefix=CONJ
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sign" | FileCheck %s --check-prefix=SIGN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sqrt" | FileCheck %s --check-prefix=SQRT
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=rsqrt" | FileCheck %s --check-prefix=RSQRT
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=exp" | FileCheck %s --check-prefix=EXP
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=expm1" | FileCheck %s --check-prefix=EXPM1
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log" | FileCheck %s --check-prefix=LOG
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=log1p" | FileCheck %s --check-prefix=LOG1P
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sin" | FileCheck %s --check-prefix=SIN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=cos" | FileCheck %s --check-prefix=COS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=tan" | FileCheck %s --check-prefix=TAN
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=tanh" | FileCheck %s --check-prefix=TANH
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=re" | FileCheck %s --check-prefix=RE
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=im" | FileCheck %s --check-prefix=IM
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=abs" | FileCheck %s --check-prefix=ABS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=angle" | FileCheck %s --check-prefix=ANGLE
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=add" | FileCheck %s --check-prefix=ADD
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sub" | FileCheck %s --check-prefix=SUB
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=mul" | FileCheck %s --check-prefix=MUL
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=div" | FileCheck %s --check-prefix=DIV
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=pow" | FileCheck %s --check-prefix=POW
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=create" | FileCheck %s --check-prefix=CREATE

// NEG: func.func @neg(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// NEG-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.neg(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// NEG-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map complex.neg(%[[ARG1]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// NEG-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @neg(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.neg(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CONJ: func.func @conj(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// CONJ-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.conj(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// CONJ-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map complex.conj(%[[ARG1]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// CONJ-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @conj(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.conj(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// SIGN: func.func @sign(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// SIGN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.sign(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// SIGN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// SIGN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// SIGN-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// SIGN-NEXT: %[[CST_1:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// SIGN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.sign %[[A]] : complex<f32>
// SIGN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[V2]], %[[B]] : complex<f32>
// SIGN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.re %[[V3]] : complex<f32>
// SIGN-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.create %[[V4]], %[[CST_1]] : complex<f32>
// SIGN-NEXT: %[[V6:[a-zA-Z0-9_]+]] = complex.conj %[[V2]] : complex<f32>
// SIGN-NEXT: %[[V7:[a-zA-Z0-9_]+]] = complex.mul %[[V6]], %[[V5]] : complex<f32>
// SIGN-NEXT: %[[V8:[a-zA-Z0-9_]+]] = complex.abs %[[A]] : complex<f32>
// SIGN-NEXT: %[[V9:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[V8]], %[[CST_1]] : f32
// SIGN-NEXT: %[[V10:[a-zA-Z0-9_]+]] = arith.select %[[V9]], %[[CST_0]], %[[V8]] : f32
// SIGN-NEXT: %[[V11:[a-zA-Z0-9_]+]] = complex.create %[[V10]], %[[CST_1]] : complex<f32>
// SIGN-NEXT: %[[V12:[a-zA-Z0-9_]+]] = complex.sub %[[B]], %[[V7]] : complex<f32>
// SIGN-NEXT: %[[V13:[a-zA-Z0-9_]+]] = complex.div %[[V12]], %[[V11]] : complex<f32>
// SIGN-NEXT: %[[V14:[a-zA-Z0-9_]+]] = complex.eq %[[A]], %[[CST]] : complex<f32>
// SIGN-NEXT: %[[V15:[a-zA-Z0-9_]+]] = arith.select %[[V14]], %[[CST]], %[[V13]] : complex<f32>
// SIGN-NEXT: wax.yield %[[V15]] : complex<f32>
// SIGN-NEXT: }
// SIGN-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @sign(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.sign(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// SQRT: func.func @sqrt(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// SQRT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.sqrt(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// SQRT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// SQRT-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [2.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// SQRT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.sqrt %[[A]] : complex<f32>
// SQRT-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[V2]], %[[CST]] : complex<f32>
// SQRT-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.div %[[B]], %[[V3]] : complex<f32>
// SQRT-NEXT: wax.yield %[[V4]] : complex<f32>
// SQRT-NEXT: }
// SQRT-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @sqrt(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.sqrt(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// RSQRT: func.func @rsqrt(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// RSQRT-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.rsqrt(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// RSQRT-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// RSQRT-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [-5.000000e-01 : f32, 0.000000e+00 : f32] : complex<f32>
// RSQRT-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.rsqrt %[[A]] : complex<f32>
// RSQRT-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.div %[[V2]], %[[A]] : complex<f32>
// RSQRT-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.mul %[[V3]], %[[CST]] : complex<f32>
// RSQRT-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V4]] : complex<f32>
// RSQRT-NEXT: wax.yield %[[V5]] : complex<f32>
// RSQRT-NEXT: }
// RSQRT-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @rsqrt(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.rsqrt(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// EXP: func.func @exp(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// EXP-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.exp(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// EXP-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// EXP-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.exp %[[A]] : complex<f32>
// EXP-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V2]] : complex<f32>
// EXP-NEXT: wax.yield %[[V3]] : complex<f32>
// EXP-NEXT: }
// EXP-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @exp(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.exp(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// EXPM1: func.func @expm1(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// EXPM1-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.expm1(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// EXPM1-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// EXPM1-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.exp %[[A]] : complex<f32>
// EXPM1-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V2]] : complex<f32>
// EXPM1-NEXT: wax.yield %[[V3]] : complex<f32>
// EXPM1-NEXT: }
// EXPM1-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @expm1(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.expm1(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// LOG: func.func @log(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// LOG-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.log(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// LOG-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// LOG-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.div %[[B]], %[[A]] : complex<f32>
// LOG-NEXT: wax.yield %[[V2]] : complex<f32>
// LOG-NEXT: }
// LOG-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @log(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.log(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// LOG1P: func.func @log1p(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// LOG1P-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.log1p(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// LOG1P-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// LOG1P-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// LOG1P-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.add %[[A]], %[[CST]] : complex<f32>
// LOG1P-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.div %[[B]], %[[V2]] : complex<f32>
// LOG1P-NEXT: wax.yield %[[V3]] : complex<f32>
// LOG1P-NEXT: }
// LOG1P-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @log1p(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.log1p(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// SIN: func.func @sin(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// SIN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.sin(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// SIN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// SIN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.cos %[[A]] : complex<f32>
// SIN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V2]] : complex<f32>
// SIN-NEXT: wax.yield %[[V3]] : complex<f32>
// SIN-NEXT: }
// SIN-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @sin(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.sin(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// COS: func.func @cos(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// COS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.cos(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// COS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// COS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.sin %[[A]] : complex<f32>
// COS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.neg %[[V2]] : complex<f32>
// COS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V3]] : complex<f32>
// COS-NEXT: wax.yield %[[V4]] : complex<f32>
// COS-NEXT: }
// COS-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @cos(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.cos(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// TAN: func.func @tan(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// TAN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.tan(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// TAN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// TAN-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// TAN-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.tan %[[A]] : complex<f32>
// TAN-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[V2]], %[[V2]] : complex<f32>
// TAN-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.add %[[V3]], %[[CST]] : complex<f32>
// TAN-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V4]] : complex<f32>
// TAN-NEXT: wax.yield %[[V5]] : complex<f32>
// TAN-NEXT: }
// TAN-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @tan(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.tan(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// TANH: func.func @tanh(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// TANH-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.tanh(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// TANH-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// TANH-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// TANH-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.tanh %[[A]] : complex<f32>
// TANH-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.sub %[[CST]], %[[V2]] : complex<f32>
// TANH-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.add %[[CST]], %[[V2]] : complex<f32>
// TANH-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.mul %[[V4]], %[[V3]] : complex<f32>
// TANH-NEXT: %[[V6:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V5]] : complex<f32>
// TANH-NEXT: wax.yield %[[V6]] : complex<f32>
// TANH-NEXT: }
// TANH-NEXT: return %[[V0]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @tanh(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.map complex.tanh(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// RE: func.func @re(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
// RE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.re(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// RE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]]) : (tensor<4xf32>) -> tensor<4xcomplex<f32>> {
// RE-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// RE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.create %[[A]], %[[CST]] : complex<f32>
// RE-NEXT: wax.yield %[[V2]] : complex<f32>
// RE-NEXT: }
// RE-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xcomplex<f32>>
func.func @re(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = wax.map complex.re(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// IM: func.func @im(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
// IM-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.im(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// IM-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]]) : (tensor<4xf32>) -> tensor<4xcomplex<f32>> {
// IM-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// IM-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.negf %[[A]] : f32
// IM-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.create %[[CST]], %[[V2]] : complex<f32>
// IM-NEXT: wax.yield %[[V3]] : complex<f32>
// IM-NEXT: }
// IM-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xcomplex<f32>>
func.func @im(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = wax.map complex.im(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ABS: func.func @abs(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
// ABS-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.abs(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// ABS-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>> {
// ABS-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// ABS-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant 1.000000e+00 : f32
// ABS-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.abs %[[A]] : complex<f32>
// ABS-NEXT: %[[V3:[a-zA-Z0-9_]+]] = arith.cmpf oeq, %[[V2]], %[[CST]] : f32
// ABS-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.select %[[V3]], %[[CST_0]], %[[V2]] : f32
// ABS-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.create %[[V4]], %[[CST]] : complex<f32>
// ABS-NEXT: %[[V6:[a-zA-Z0-9_]+]] = complex.conj %[[A]] : complex<f32>
// ABS-NEXT: %[[V7:[a-zA-Z0-9_]+]] = complex.div %[[V6]], %[[V5]] : complex<f32>
// ABS-NEXT: %[[V8:[a-zA-Z0-9_]+]] = complex.create %[[B]], %[[CST]] : complex<f32>
// ABS-NEXT: %[[V9:[a-zA-Z0-9_]+]] = complex.mul %[[V8]], %[[V7]] : complex<f32>
// ABS-NEXT: wax.yield %[[V9]] : complex<f32>
// ABS-NEXT: }
// ABS-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xcomplex<f32>>
func.func @abs(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = wax.map complex.abs(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ANGLE: func.func @angle(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>) {
// ANGLE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map complex.angle(%[[ARG0]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// ANGLE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>> {
// ANGLE-NEXT: %[[CST:[a-zA-Z0-9_]+]] = arith.constant 0.000000e+00 : f32
// ANGLE-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = arith.constant -1.000000e+00 : f32
// ANGLE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = complex.create %[[CST]], %[[CST_0]] : complex<f32>
// ANGLE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.div %[[V2]], %[[A]] : complex<f32>
// ANGLE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.create %[[B]], %[[CST]] : complex<f32>
// ANGLE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.mul %[[V4]], %[[V3]] : complex<f32>
// ANGLE-NEXT: wax.yield %[[V5]] : complex<f32>
// ANGLE-NEXT: }
// ANGLE-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xcomplex<f32>>
func.func @angle(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = wax.map complex.angle(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ADD: func.func @add(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// ADD-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.add(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// ADD-NEXT: return %[[V0]], %[[ARG2]], %[[ARG2]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @add(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.add(%x[0], %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// SUB: func.func @sub(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// SUB-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.sub(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// SUB-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map complex.neg(%[[ARG2]]) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// SUB-NEXT: return %[[V0]], %[[ARG2]], %[[V1]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @sub(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.sub(%x[0], %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// MUL: func.func @mul(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// MUL-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.mul(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// MUL-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// MUL-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[A]] : complex<f32>
// MUL-NEXT: wax.yield %[[V3]] : complex<f32>
// MUL-NEXT: }
// MUL-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// MUL-NEXT: %[[V3]] = complex.mul %[[B]], %[[A]] : complex<f32>
// MUL-NEXT: wax.yield %[[V3]] : complex<f32>
// MUL-NEXT: }
// MUL-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @mul(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.mul(%x[0], %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// DIV: func.func @div(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// DIV-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.div(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// DIV-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// DIV-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.div %[[B]], %[[A]] : complex<f32>
// DIV-NEXT: wax.yield %[[V3]] : complex<f32>
// DIV-NEXT: }
// DIV-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// DIV-NEXT: %[[V3]] = complex.div %[[A]], %[[B]] : complex<f32>
// DIV-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.div %[[V3]], %[[B]] : complex<f32>
// DIV-NEXT: %[[V5:[a-zA-Z0-9_]+]] = complex.neg %[[V4]] : complex<f32>
// DIV-NEXT: %[[V6:[a-zA-Z0-9_]+]] = complex.mul %[[C]], %[[V5]] : complex<f32>
// DIV-NEXT: wax.yield %[[V6]] : complex<f32>
// DIV-NEXT: }
// DIV-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @div(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.div(%x[0], %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// POW: func.func @pow(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
// POW-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.pow(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// POW-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG0]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][0], %[[C:[a-zA-Z0-9_]+]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// POW-NEXT: %[[CST:[a-zA-Z0-9_]+]] = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// POW-NEXT: %[[CST_0:[a-zA-Z0-9_]+]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// POW-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.sub %[[B]], %[[CST_0]] : complex<f32>
// POW-NEXT: %[[V4:[a-zA-Z0-9_]+]] = complex.eq %[[B]], %[[CST]] : complex<f32>
// POW-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.select %[[V4]], %[[CST_0]], %[[V3]] : complex<f32>
// POW-NEXT: %[[V6:[a-zA-Z0-9_]+]] = complex.pow %[[A]], %[[V5]] : complex<f32>
// POW-NEXT: %[[V7:[a-zA-Z0-9_]+]] = complex.mul %[[B]], %[[V6]] : complex<f32>
// POW-NEXT: %[[V8:[a-zA-Z0-9_]+]] = complex.mul %[[C]], %[[V7]] : complex<f32>
// POW-NEXT: wax.yield %[[V8]] : complex<f32>
// POW-NEXT: }
// POW-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A]] = %[[ARG0]][0], %[[B]] = %[[ARG1]][0], %[[C]] = %[[ARG2]][0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
// POW-NEXT: %[[CST]] = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// POW-NEXT: %[[CST_0]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// POW-NEXT: %[[V3]] = complex.pow %[[A]], %[[B]] : complex<f32>
// POW-NEXT: %[[V4]] = complex.eq %[[A]], %[[CST]] : complex<f32>
// POW-NEXT: %[[V5]] = arith.select %[[V4]], %[[CST_0]], %[[A]] : complex<f32>
// POW-NEXT: %[[V6]] = complex.log %[[V5]] : complex<f32>
// POW-NEXT: %[[V7]] = complex.mul %[[V6]], %[[V3]] : complex<f32>
// POW-NEXT: %[[V8]] = complex.mul %[[C]], %[[V7]] : complex<f32>
// POW-NEXT: wax.yield %[[V8]] : complex<f32>
// POW-NEXT: }
// POW-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
func.func @pow(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.pow(%x[0], %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CREATE: func.func @create(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG2:[a-zA-Z0-9_]+]]: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>) {
// CREATE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast complex.create(%[[ARG0]][0], %[[ARG1]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
// CREATE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.map complex.re(%[[ARG2]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CREATE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.map (%[[A:[a-zA-Z0-9_]+]] = %[[ARG2]]) : (tensor<4xcomplex<f32>>) -> tensor<4xf32> {
// CREATE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = complex.im %[[A]] : complex<f32>
// CREATE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.negf %[[V3]] : f32
// CREATE-NEXT: wax.yield %[[V4]] : f32
// CREATE-NEXT: }
// CREATE-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>
func.func @create(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %0 = wax.broadcast complex.create(%x[0], %y[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
