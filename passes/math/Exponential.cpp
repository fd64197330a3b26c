//===- Exponential.cpp - exp, exp2, expm1 ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x = k·ln 2 + r with |r| ≤ ln 2 / 2 and an integer k, so that eˣ = 2^k·eʳ
// (Muller et al., "Handbook of Floating-Point Arithmetic", 10.2).
//
//===----------------------------------------------------------------------===//

#include "Exponential.h"
#include "Coefficients.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {
/// Beyond these eˣ is 0, and eˣ / 2 is infinite. Within, scaling by powers of
/// two finds out itself what underflows and overflows.
struct Range {
  double low, high;
};
} // namespace

static Range getRange(const Emitter &emitter) {
  return emitter.isDouble() ? Range{-747.0, 711.0} : Range{-105.0, 90.0};
}

/// x within the range: NaN becomes a bound, so that it has an integer too.
static Real clamp(Real x, Range range) {
  return greater(lesser(x, range.high), range.low);
}

/// eʳ − 1 for |r| ≤ ln 2 / 2.
static Real expm1OfReduced(Real r) {
  return fma(r * r, evaluate(expTail, r), r);
}

Exponential mlir::wax::formula::exponential(Real x, std::optional<Real> low) {
  Emitter &e = *x.emitter;
  Real k = nearest(clamp(x, getRange(e)) * log2e.get(e).hi);
  DoubleWord unit = ln2.get(e);
  // The first product is exact, and so is its difference from x.
  Real r = fma(k, -unit.hi, x);
  Real rest = low ? fma(k, -unit.lo, *low) : k * -unit.lo;
  return {expm1OfReduced(r + rest), toInteger(k)};
}

Real mlir::wax::formula::assemble(Exponential e, Real x) {
  Range range = getRange(*x.emitter);
  Real result = scale(e.fraction + 1.0, e.k);
  result = select(x > range.high, Infinity, result);
  return select(x < range.low, 0.0, result);
}

static Real exp(Real x) { return assemble(exponential(x), x); }

static Real exp2(Real x) {
  Emitter &e = *x.emitter;
  double low = e.minExponent() - e.precision(), high = e.maxExponent() + 1;
  Real k = nearest(clamp(x, {low, high}));
  Real rest = x - k;
  DoubleWord unit = ln2.get(e);
  Real fraction = expm1OfReduced(fma(rest, unit.lo, rest * unit.hi));
  Real result = scale(fraction + 1.0, toInteger(k));
  result = select(x >= high, Infinity, result);
  return select(x < low, 0.0, result);
}

static Real expm1(Real x) {
  Emitter &e = *x.emitter;
  Exponential power = exponential(x);
  // 2^k·(f + (1 − 2⁻ᵏ)); where 2⁻ᵏ is below the last bit, it is left out, and
  // where 2^k is, the result is −1.
  Integer k = power.k;
  Integer most = k.like(e.precision() + 2);
  Integer down = select(k > e.precision() + 2, most, k);
  Real offset = 1.0 - powerOfTwo(0 - down);
  Real result = scale(power.fraction + offset, k);
  Range range = getRange(e);
  result = select(x > range.high, Infinity, result);
  result = select(x < -0.7 * (e.precision() + 2), -1.0, result);
  return select(x == 0.0, x, result);
}

void mlir::wax::formula::addExponentials(Formulas &formulas) {
  formulas.add<math::ExpOp>(exp);
  formulas.add<math::Exp2Op>(exp2);
  formulas.add<math::ExpM1Op>(expm1);
}
