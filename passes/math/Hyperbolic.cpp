//===- Hyperbolic.cpp - sinh, cosh, tanh and their inverses ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Exponential.h"
#include "Formulas.h"
#include "Logarithm.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {

//===----------------------------------------------------------------------===//
// By e^|x| / 2 and its inverse.
//===----------------------------------------------------------------------===//

/// e^x / 2 for x ≥ 0, infinite only where sinh and cosh are.
Real halfExponential(Real x) {
  Exponential power = exponential(x);
  power.k = power.k - 1;
  return assemble(power);
}

Real sinh(Real x) {
  Real magnitude = abs(x);
  Real z = x * x;
  Real small = fma(magnitude * z, evaluate(sinhTail, z), magnitude);
  Real half = halfExponential(magnitude);
  Real large = half - 0.25 / half;
  return copySign(select(magnitude < 1.0, small, large), x);
}

Real cosh(Real x) {
  Real half = halfExponential(abs(x));
  return half + 0.25 / half;
}

/// x + x³·p(x²), and beyond ⅝ 1 − 2 / (1 + e^2|x|), where the quotient is so
/// much less than 1 that the errors of a short exponential hardly count.
Real tanh(Real x) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  Real z = x * x;
  Real small = fma(magnitude * z, evaluate(tanhTail, z), magnitude);
  // It is 1 from here on. NaN takes the other side.
  Real y = lesser(magnitude, 0.35 * (e.precision() + 2));
  // y = k·½ ln 2 + r, and 2^k·e^2r is normal.
  Integer k = toInteger(fma(y, 2.0 * log2e.get(e).hi, 0.5));
  Real r = fma(toReal(k), -0.5 * preciseLn2.get(e).hi, y);
  Real power = fromBits(bits(evaluate(expOfTwice, r)) + (k << e.storedBits()));
  Real large = 1.0 - 2.0 / (power + 1.0);
  return flipSign(select(magnitude >= 0.625, large, small), x);
}

//===----------------------------------------------------------------------===//
// Inverses: logarithms of sums that are kept in double words.
//===----------------------------------------------------------------------===//

/// log(|x| + √(x² + 1)), whose argument is 1 + |x| + x² / (1 + √(x² + 1)).
Real asinh(Real x) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  // Where x² loses the 1, it is log 2|x|.
  double far = std::ldexp(1.0, e.precision() / 2 + 2);
  Condition large = magnitude > far;
  Real y = select(large, 1.0, magnitude);
  DoubleWord square = twoProduct(y, y);
  DoubleWord root = sqrtDouble(square + y.like(1.0));
  // For small |x| the root less 1 is what counts.
  DoubleWord excess =
      divide(square, fastTwoSum(root.hi, root.lo) + y.like(1.0));
  DoubleWord f = fastTwoSum(y, excess.hi);
  DoubleWord sum = twoSum(y.like(1.0), f.hi);
  Real low = sum.lo + (f.lo + excess.lo);
  Logarithm l =
      logarithm(select(large, magnitude, sum.hi), select(large, 0.0, low));
  l.k = select(large, l.k + 1, l.k);
  Real result = select(magnitude < Infinity, assemble(l), magnitude);
  return copySign(select(magnitude == 0.0, magnitude, result), x);
}

/// log(x + √(x² − 1)).
Real acosh(Real x) {
  Emitter &e = *x.emitter;
  double far = std::ldexp(1.0, e.precision() / 2 + 2);
  Condition large = x > far;
  Real y = select(large, 1.0, x);
  DoubleWord under = twoProduct(y, y) + y.like(-1.0);
  DoubleWord root = sqrtDouble(under);
  DoubleWord sum = fastTwoSum(y, root.hi);
  Real low = sum.lo + select(under.hi > 0.0, root.lo, 0.0);
  Logarithm l = logarithm(select(large, x, sum.hi), select(large, 0.0, low));
  l.k = select(large, l.k + 1, l.k);
  Real result = select(x < Infinity, assemble(l), x);
  return select(x < 1.0, NotANumber, result);
}

/// ½ log(1 + 2x / (1 − x)).
Real atanh(Real x) {
  Real magnitude = abs(x);
  Real one = x.like(1.0);
  DoubleWord below = fastTwoSum(one, -magnitude);
  DoubleWord q = divide({2.0 * magnitude, x.like(0.0)}, below);
  DoubleWord sum = twoSum(one, q.hi);
  Real result = 0.5 * assemble(logarithm(sum.hi, sum.lo + q.lo));
  result = select(magnitude == 1.0, Infinity, result);
  result = select(magnitude == 0.0, magnitude, result);
  return copySign(select(magnitude <= 1.0, result, NotANumber), x);
}

} // namespace

void mlir::wax::formula::addHyperbolics(Formulas &formulas) {
  formulas.add<math::SinhOp>(sinh);
  formulas.add<math::CoshOp>(cosh);
  formulas.add<math::TanhOp>(tanh);
  formulas.add<math::AsinhOp>(asinh);
  formulas.add<math::AcoshOp>(acosh);
  formulas.add<math::AtanhOp>(atanh);
}
