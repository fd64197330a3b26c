//===- ErrorFunction.cpp - erf and erfc -----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Exponential.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

/// x·(1 + p(x²)) for |x| < 1, beyond 1 − e^−p(|x|): where erf is near 1, little
/// is asked of the exponential.
static Real erf(Real x) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  Real z = x * x;
  Real small = fma(magnitude, evaluate(erfTail, z), magnitude);
  Real bounded = lesser(e.isDouble() ? 6.0 : 4.0, magnitude);
  Exponential power = exponential(-evaluate(erfcLog, bounded));
  Real unit = powerOfTwo(power.k);
  Real large = 1.0 - fma(unit, power.fraction, unit);
  return copySign(select(magnitude < 1.0, small, large), x);
}

/// e^−x²·p((x − 4) / (x + 4)) / (1 + 2x) with the
/// polynomial for (1 + 2x)·e^x²·erfc x on all x ≥ 0: in double words, so that
/// the result is rounded where it is put together.
static Real erfc(Real x) {
  Emitter &e = *x.emitter;
  // From here on it is 0.
  Real y = lesser(e.isDouble() ? 28.0 : 11.0, abs(x));
  ArrayRef<double> p = erfcScaled.get(e);
  Real inverse = 1.0 / (y + 4.0);
  Real t = (y - 4.0) * inverse;
  // What t leaves of y − 4 = t·(y + 4).
  t = fma(inverse, fma(-t, y, fma(t + 1.0, -4.0, y)), t);
  DoubleWord scaled =
      fastTwoSum(y.like(p[0]), product(t, evaluate(p.drop_front(), t)));
  DoubleWord q = divide(scaled, twoSum(2.0 * y, y.like(1.0)));
  DoubleWord square = twoProduct(y, y);
  Exponential power = exponential(-square.hi, -square.lo);
  Real result = scale(q.hi + fma(q.hi, power.fraction, q.lo), power.k);
  result = select(x < 0.0, 2.0 - result, result);

  // Near 0 the result is near 1.
  Real small = (1.0 - x) - x * evaluate(erfTail, x * x);
  return select(abs(x) < 0.46875, small, result);
}

void mlir::wax::formula::addErrorFunctions(Formulas &formulas) {
  formulas.add<math::ErfOp>(erf);
  formulas.add<math::ErfcOp>(erfc);
}
