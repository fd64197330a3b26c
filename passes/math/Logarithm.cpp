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
// In f32, log and log1p do without the division, and without most of the words
// in two: 1 + f is in (¾, 1½], and what follows f is a polynomial, whose value
// is less than a third of the result. For log1p, f is exact, however 1 + x is
// rounded: where k is 1, x is above ½, and f has no more bits than that.
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

namespace {
/// A number of f32 as 2^k·(1 + f), with 1 + f in (¾, 1½].
struct Near {
  Real f;
  Integer k;
};
} // namespace

/// Of a normal x > 0; k is so much less.
static Near nearOne(Real x, Integer less) {
  constexpr int64_t one = 0x3F800000, least = 0x3F400001;
  Integer moved = bits(x) + (one - least);
  Integer significand = (moved & 0x7FFFFF) + least;
  return {fromBits(significand) - 1.0, shiftArithmetic(moved, 23) - less};
}

static Real assemble(Near near) {
  auto [f, k] = near;
  DoubleWord unit = ln2.get(*f.emitter);
  Real exponent = toReal(k);
  Real square = f * f;
  // In pairs, which need not wait for each other.
  auto pair = [&](unsigned i) {
    return fma(f, logSeries[i + 1], f.like(logSeries[i]));
  };
  static_assert(std::size(logSeries) == 8);
  Real series = fma(square * square, fma(square, pair(6), pair(4)),
                    fma(square, pair(2), pair(0)));
  Real cubic = fma(square, f * series, exponent * unit.lo);
  // The product is exact; it is 0, or has the greater exponent.
  DoubleWord sum = fastTwoSum(exponent * unit.hi, f);
  return sum.hi + fma(f * -0.5, f, sum.lo + cubic);
}

static Real log(Real x) {
  if (x.isDouble())
    return complete(x, assemble(logarithm(x)));
  // Subnormal numbers are made normal first.
  Condition tiny = x < std::ldexp(1.0, x.emitter->minExponent());
  Real normal = select(tiny, x * std::ldexp(1.0, 24), x);
  int64_t bias = x.emitter->bias();
  Integer less = select(tiny, bias + 24, Integer(*x.emitter, bias));
  return complete(x, assemble(nearOne(normal, less)));
}

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
  if (!x.isDouble()) {
    Real sum = x + 1.0;
    Near near = nearOne(sum, Integer(*x.emitter, x.emitter->bias()));
    // Of the sum's rounding there is nothing left long before 2^64.
    Integer k = select(near.k > 64, 64, near.k);
    near.f = fma(x - (sum - 1.0), powerOfTwo(0 - k), near.f);
    return select(x == 0.0, x, complete(sum, assemble(near)));
  }
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
