//===- Power.cpp - powf ---------------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y = 2^(y·log2|x|): the logarithm and its product with y have to be known to
// a dozen bits more than the format has, since the integer part of the product
// takes as many away.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Exponential.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {

/// log x for finite x > 0: k·ln 2 + 2·atanh(s), s = f / (2 + f).
DoubleWord preciseLog(Real x) {
  Emitter &e = *x.emitter;
  Decomposed parts = decompose(x);
  Real f = parts.significand - 1.0;
  DoubleWord s = divide({f, f.like(0.0)}, fastTwoSum(f.like(2.0), f));
  DoubleWord z = s * s;
  // 2·atanh(s) = 2s + s·z·(2/3 + z·p(z)).
  DoubleWord third = twoThirds.get(e);
  Real p = z.hi * evaluate(atanhTail, z.hi);
  DoubleWord series = fastTwoSum(third.hi, p);
  series.lo = series.lo + third.lo;
  DoubleWord tail = s * (z * series);
  DoubleWord head{s.hi * 2.0, s.lo * 2.0};
  head = fastTwoSum(head.hi, head.lo);
  DoubleWord sum = fastTwoSum(head.hi, tail.hi);
  DoubleWord fraction = fastTwoSum(sum.hi, sum.lo + (head.lo + tail.lo));
  Real k = toReal(parts.exponent);
  DoubleWord unit = preciseLn2.get(e);
  DoubleWord whole = twoProduct(k, unit.hi);
  whole = fastTwoSum(whole.hi, fma(k, unit.lo, whole.lo));
  DoubleWord total = fastTwoSum(whole.hi, fraction.hi);
  return fastTwoSum(total.hi, total.lo + (whole.lo + fraction.lo));
}

Real pow(Real x, Real y) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  // A product that overflows has a result that does.
  double most = std::ldexp(1.0, e.precision() + 12);
  Real bounded = select(abs(y) < most, y, copySign(y.like(most), y));
  DoubleWord product = preciseLog(magnitude) * bounded;
  Exponential power = exponential(product.hi, product.lo);
  Real result = assemble(power);

  Real one = x.like(1.0);
  // |x| of 0 or infinity, and an infinite y.
  Condition up = y > 0.0;
  result =
      select(magnitude == 0.0, select(up, 0.0, one.like(Infinity)), result);
  result = select(magnitude == Infinity, select(up, one.like(Infinity), 0.0),
                  result);
  Condition grows = up ^ (magnitude < 1.0);
  Real limit = select(grows, one.like(Infinity), 0.0);
  result =
      select(abs(y) == Infinity, select(magnitude == 1.0, one, limit), result);

  // A negative base has powers by integers only, of which odd ones keep the
  // sign.
  Real half = y * 0.5;
  Condition whole = floor(y) == y;
  Condition odd = whole & (floor(half) != half) & isFinite(y);
  result =
      select((x < 0.0) & !whole & (magnitude < Infinity), NotANumber, result);
  result = select(odd, copySign(result, x), result);
  result = select(isNaN(x) | isNaN(y), NotANumber, result);
  return select((x == 1.0) | (y == 0.0), one, result);
}

} // namespace

void mlir::wax::formula::addPowers(Formulas &formulas) {
  formulas.add<math::PowFOp>(pow);
}
