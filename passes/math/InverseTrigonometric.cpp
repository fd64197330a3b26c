//===- InverseTrigonometric.cpp - asin, acos, atan, atan2 -----------------===//
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

namespace {

//===----------------------------------------------------------------------===//
// asin and acos: a polynomial for |x| ≤ ½. Beyond, with y = √((1 − |x|) / 2),
// acos |x| = 2·asin y.
//===----------------------------------------------------------------------===//

/// asin y − y, and y as a sum.
struct ArcSine {
  DoubleWord y;
  Real tail;
};

ArcSine arcSine(Real x, Condition small) {
  Real magnitude = abs(x);
  Real half = (1.0 - magnitude) * 0.5; // exact where it is used
  Real z = select(small, x * x, half);
  DoubleWord root = sqrtDouble({half, half.like(0.0)});
  Real low = select(half > 0.0, root.lo, 0.0);
  DoubleWord y{select(small, magnitude, root.hi), select(small, 0.0, low)};
  return {y, y.hi * z * evaluate(asinTail, z)};
}

Real asin(Real x) {
  Condition small = abs(x) <= 0.5;
  ArcSine a = arcSine(x, small);
  DoubleWord quarter = halfPi.get(*x.emitter);
  DoubleWord head = fastTwoSum(quarter.hi, -2.0 * a.y.hi);
  Real large = head.hi + (head.lo + (quarter.lo - 2.0 * (a.y.lo + a.tail)));
  Real result = copySign(select(small, a.y.hi + a.tail, large), x);
  return select(abs(x) <= 1.0, result, NotANumber);
}

Real acos(Real x) {
  Condition small = abs(x) <= 0.5, negative = x < 0.0;
  ArcSine a = arcSine(x, small);
  DoubleWord quarter = halfPi.get(*x.emitter);
  // π/2 − asin x, π − 2·asin y, and 2·asin y.
  DoubleWord y{select(small, copySign(a.y.hi, x), 2.0 * a.y.hi),
               select(small, copySign(a.tail, x), 2.0 * (a.y.lo + a.tail))};
  Real scale = select(small, quarter.hi.like(1.0), quarter.hi.like(2.0));
  DoubleWord head = fastTwoSum(quarter.hi * scale, -y.hi);
  Real fromPi = head.hi + (head.lo + (quarter.lo * scale - y.lo));
  Real result = select(small | negative, fromPi, y.hi + y.lo);
  return select(abs(x) <= 1.0, result, NotANumber);
}

//===----------------------------------------------------------------------===//
// atan: a polynomial for |x| ≤ 1, beyond π/2 − atan(1/x). atan2 of a quotient
// in double words.
//===----------------------------------------------------------------------===//

Real atan(Real x) {
  Real magnitude = abs(x);
  Condition small = magnitude <= 1.0;
  Real one = x.like(1.0);
  Real q = select(small, magnitude, one / magnitude);
  Real z = q * q;
  Real tail = q * z * evaluate(atanTail, z);
  DoubleWord quarter = halfPi.get(*x.emitter);
  DoubleWord head = fastTwoSum(quarter.hi, -q);
  Real large = head.hi + (head.lo + (quarter.lo - tail));
  return copySign(select(small, q + tail, large), x);
}

Real atan2(Real y, Real x) {
  Emitter &e = *x.emitter;
  Real ax = abs(x), ay = abs(y);
  Condition steep = ay > ax;
  Real below = select(steep, ay, ax), above = select(steep, ax, ay);
  Real q = above / below;
  // Both infinite, or both 0.
  q = select(above == below, select(below == 0.0, 0.0, q.like(1.0)), q);
  Real z = q * q;
  // What the division left, where it can be had.
  Real rest = fma(-q, below, above) / below;
  rest = select(isFinite(below) &
                    (below > std::ldexp(1.0, e.minExponent() + e.precision())),
                rest, 0.0);
  Real tail = fma(q * z, evaluate(atanTail, z), rest / (1.0 + z));
  DoubleWord quarter = halfPi.get(e);
  // The angle from the nearest axis, then from the positive one.
  Condition left = bits(x) < 0;
  Real turns =
      select(steep, q.like(1.0), select(left, q.like(2.0), q.like(0.0)));
  Condition minus = steep ^ left;
  DoubleWord head = fastTwoSum(quarter.hi * turns, select(minus, -q, q));
  Real result =
      head.hi + (head.lo + fma(quarter.lo, turns, select(minus, -tail, tail)));
  result = select(isNaN(x) | isNaN(y), NotANumber, result);
  return copySign(result, y);
}

} // namespace

void mlir::wax::formula::addInverseTrigonometrics(Formulas &formulas) {
  formulas.add<math::AsinOp>(asin);
  formulas.add<math::AcosOp>(acos);
  formulas.add<math::AtanOp>(atan);
  formulas.add<math::Atan2Op>(atan2);
}
