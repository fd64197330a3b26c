//===- Root.cpp - cbrt and rsqrt ------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

/// Newton's step for the cube root of x, the residual unrounded.
static Real improve(Real y, Real x) {
  DoubleWord square = twoProduct(y, y);
  Real residual = fma(square.lo, y, fma(square.hi, y, -x));
  return y - residual / (3.0 * square.hi);
}

static Real cbrt(Real x) {
  // |x| = m·2^(3j + i) with i one of −1, 0, 1.
  Decomposed parts = decompose(abs(x));
  Real exponent = toReal(parts.exponent);
  Real j = nearest(exponent * (1.0 / 3.0));
  Real i = exponent - 3.0 * j;
  Condition low = i < 0.0, high = i > 0.0;
  Real m = parts.significand;
  Real scaled = select(low, m * 0.5, select(high, m * 2.0, m));
  Real guess = evaluate(cbrtGuess, m);
  Real factor =
      select(low, 0x1.965fea53d6e3dp-1,
             select(high, guess.like(0x1.428a2f98d728bp+0), guess.like(1.0)));
  Real y = guess * factor;
  if (x.isDouble())
    y = improve(y, scaled);
  y = improve(y, scaled);
  Real result = copySign(y * powerOfTwo(toInteger(j)), x);
  // Zeros, infinities and NaN are their own.
  return select((x == 0.0) | !isFinite(x), x, result);
}

static Real rsqrt(Real x) { return 1.0 / sqrt(x); }

void mlir::wax::formula::addRoots(Formulas &formulas) {
  formulas.add<math::CbrtOp>(cbrt);
  formulas.add<math::RsqrtOp>(rsqrt);
}
