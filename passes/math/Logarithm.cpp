//===- Logarithm.cpp - log, log2, log10, log1p ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x = 2^k·(1 + f) with 1 + f in [√½, √2), and log(1 + f) = 2·atanh(s) for
// s = f / (2 + f). The series in s is rearranged so that f and f²/2, the
// greatest terms, enter unrounded.
//
//===----------------------------------------------------------------------===//

#include "Logarithm.h"
#include "Coefficients.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

Logarithm mlir::wax::formula::logarithm(Real x, std::optional<Real> low) {
  Decomposed parts = decompose(x);
  Real f = parts.significand - 1.0;
  std::optional<Real> rest;
  if (low) {
    DoubleWord sum = fastTwoSum(f, scale(*low, 0 - parts.exponent));
    // Where f is 0 the low part is all there is.
    f = sum.hi;
    rest = sum.lo;
  }
  Real s = f / (f + 2.0);
  Real z = s * s;
  DoubleWord square = twoProduct(f, f);
  Real half = square.hi * 0.5;
  DoubleWord head = fastTwoSum(f, -half);
  Real tail = s * fma(z, evaluate(logTail, z), half);
  tail = tail + fma(square.lo, -0.5, head.lo);
  // d log(1 + f) is df / (1 + f), roughly.
  if (rest)
    tail = tail + *rest * (1.0 - 2.0 * (s - z));
  return {fastTwoSum(head.hi, tail), parts.exponent};
}

Real mlir::wax::formula::assemble(Logarithm logarithm) {
  Real k = toReal(logarithm.k);
  DoubleWord unit = ln2.get(*k.emitter);
  // The product is exact; it is 0, or has the greater exponent.
  DoubleWord sum = fastTwoSum(k * unit.hi, logarithm.fraction.hi);
  return sum.hi + (sum.lo + fma(k, unit.lo, logarithm.fraction.lo));
}

/// `result`, which holds for finite x > 0, completed.
static Real complete(Real x, Real result) {
  result = select(x < Infinity, result, x);
  result = select(x == 0.0, -Infinity, result);
  return select(x < 0.0, NotANumber, result);
}

static Real log(Real x) { return complete(x, assemble(logarithm(x))); }

static Real log2(Real x) {
  Logarithm l = logarithm(x);
  DoubleWord fraction = l.fraction * log2e.get(*x.emitter);
  DoubleWord sum = fastTwoSum(toReal(l.k), fraction.hi);
  return complete(x, sum.hi + (sum.lo + fraction.lo));
}

static Real log10(Real x) {
  Logarithm l = logarithm(x);
  DoubleWord fraction = l.fraction * log10e.get(*x.emitter);
  DoubleWord unit = log10of2.get(*x.emitter);
  Real k = toReal(l.k);
  DoubleWord sum = fastTwoSum(k * unit.hi, fraction.hi);
  return complete(x, sum.hi + (sum.lo + fma(k, unit.lo, fraction.lo)));
}

static Real log1p(Real x) {
  DoubleWord sum = twoSum(x.like(1.0), x);
  Real result = complete(sum.hi, assemble(logarithm(sum.hi, sum.lo)));
  // An infinite sum leaves nothing to its low part.
  return select(x == 0.0, x, result);
}

void mlir::wax::formula::addLogarithms(Formulas &formulas) {
  formulas.add<math::LogOp>(log);
  formulas.add<math::Log2Op>(log2);
  formulas.add<math::Log10Op>(log10);
  formulas.add<math::Log1pOp>(log1p);
}
