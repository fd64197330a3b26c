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

/// eʳ − 1 for |r| ≤ ln 2 / 2; of greater r, something greater still.
static Real expm1OfReduced(Real r) {
  return fma(r * r, evaluate(expTail, r), r);
}

Exponential mlir::wax::formula::exponential(Real x, std::optional<Real> low) {
  Emitter &e = *x.emitter;
  // So low that the result is 0. So high that it is infinite, and half of it
  // too, whatever r is. NaN stays in x, but has a k.
  Real raised = greater(e.isDouble() ? -747.0 : -105.0, x);
  Real bounded = lesser(raised, e.isDouble() ? 711.0 : 90.0);
  Real k = nearest(bounded * log2e.get(e).hi);
  DoubleWord unit = ln2.get(e);
  // The first product is exact, and so is its difference from x.
  Real r = fma(k, -unit.hi, raised);
  Real rest =
      low ? fma(k, -unit.lo, select(raised == x, *low, 0.0)) : k * -unit.lo;
  return {expm1OfReduced(r + rest), toInteger(k)};
}

Real mlir::wax::formula::assemble(Exponential e) {
  // The first product is exact but for the fraction; the second rounds where
  // the result is subnormal, and overflows where it is infinite.
  Integer half = shiftArithmetic(e.k, 1);
  Real unit = powerOfTwo(half);
  return fma(e.fraction, unit, unit) * powerOfTwo(e.k - half);
}

static Real exp(Real x) { return assemble(exponential(x)); }

static Real exp2(Real x) {
  Emitter &e = *x.emitter;
  // As above; NaN stays in the first of the two.
  int low = e.minExponent() - e.precision() - 1, high = e.maxExponent() + 2;
  Real bounded = lesser(high, greater(low, x));
  Real k = nearest(lesser(bounded, high));
  Real rest = bounded - k;
  DoubleWord unit = ln2.get(e);
  Real fraction = expm1OfReduced(fma(rest, unit.lo, rest * unit.hi));
  return assemble({fraction, toInteger(k)});
}

static Real expm1(Real x) {
  Emitter &e = *x.emitter;
  Exponential power = exponential(x);
  // 2^k·(f + (1 − 2⁻ᵏ)); where 2⁻ᵏ is below the last bit, a greater one does,
  // and where 2^k is, the result is −1.
  Integer k = power.k;
  int most = e.precision() + 2;
  Integer down = select(k > most, k.like(most), k);
  Real offset = 1.0 - powerOfTwo(0 - down);
  Real result = scale(power.fraction + offset, k);
  result = select(x < -0.7 * most, -1.0, result);
  return select(x == 0.0, x, result);
}

void mlir::wax::formula::addExponentials(Formulas &formulas) {
  formulas.add<math::ExpOp>(exp);
  formulas.add<math::Exp2Op>(exp2);
  formulas.add<math::ExpM1Op>(expm1);
}
