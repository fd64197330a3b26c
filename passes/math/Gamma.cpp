//===- Gamma.cpp - lgamma and polygamma -----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Near 2 the logarithm of Γ is a polynomial that has the zero as a factor. What
// lies in [−½, 8) is brought there by Γ(x + 1) = x·Γ(x), the products first, so
// that one logarithm is taken; from 8 on there is Stirling's series. Below −½,
// Γ(x)·Γ(−x) = −π / (x·sin πx).
//
// ψ has its root as a factor on [1, 2], is brought there by
// ψ(x + 1) = ψ(x) + 1/x, and has an asymptotic series from 8 on. Its
// derivatives are sums of positive terms: as many as lead to an asymptotic
// series.
//
//===----------------------------------------------------------------------===//

#include "Gamma.h"
#include "Elementary.h"
#include "Special.h"
#include "SpecialCoefficients.h"

using namespace mlir;
using namespace mlir::wax::formula;

static constexpr double pi = 0x1.921fb54442d18p+1;

//===----------------------------------------------------------------------===//
// Sines of multiples of π
//===----------------------------------------------------------------------===//

/// sin πr for 0 ≤ r ≤ ½.
static Real sineOfPi(Real r) { return r * evaluate(sinePi, r * r); }

/// x − n for a nearest integer n; NaN of an infinity.
static Real distanceFromInteger(Real x) {
  // From there on there are only integers.
  Condition isWhole = abs(x) >= std::ldexp(1.0, x.emitter->precision() - 1);
  return x - select(isWhole, x, nearest(x));
}

/// cot πr for |r| ≤ ½.
static Real cotangentOfPi(Real r) {
  Real size = abs(r);
  return copySign(sineOfPi(0.5 - size) / sineOfPi(size), r);
}

//===----------------------------------------------------------------------===//
// The logarithm of Γ
//===----------------------------------------------------------------------===//

GammaFactors mlir::wax::formula::factorGamma(Real x) {
  // Down to [1½, 2½), in exact steps. From 1¼ on log x would cancel.
  Real y = x, product = x.like(1.0);
  for (int step = 0; step < 7; ++step) {
    Condition above = y >= 2.5;
    Real next = y - 1.0;
    product = select(above, product * next, product);
    y = select(above, next, y);
  }
  Condition first = x < 0.5, divides = x < 1.25;
  product = select(divides, select(first, abs(x * (x + 1.0)), x), product);
  Real z = select(first, x, select(divides, x - 1.0, y - 2.0));
  return {product, divides, z * evaluate(gammaNearTwo, z)};
}

Real mlir::wax::formula::logGammaOfOneMore(Real a) {
  Condition first = a < 0.25;
  Real z = select(first, a, a - 1.0);
  Real rest = z * evaluate(gammaNearTwo, z);
  return rest - select(first, log1p(a), 0.0);
}

Real mlir::wax::formula::stirlingRest(Real reciprocal) {
  return reciprocal * evaluate(stirling, reciprocal * reciprocal);
}

Real mlir::wax::formula::lgamma(Real x) {
  Real size = abs(x);
  Condition reflected = x <= -0.5;
  Real y = select(reflected, size, x);
  Condition near = y < 8.0;
  GammaFactors factors = factorGamma(select(near, y, 1.0));
  Real logarithm = log(select(near, factors.product, y));
  Real nearby = factors.rest + select(factors.divides, -logarithm, logarithm);
  // ½ log 2π − ½, since log x − 1 is multiplied by x − ½.
  Real far = fma(y - 0.5, logarithm - 1.0,
                 stirlingRest(1.0 / y) + 0x1.acfe390c97d6ap-2);
  Real result = select(near, nearby, far);

  Real sine = sineOfPi(abs(distanceFromInteger(size)));
  Real reflection = -log(size * sine * (1.0 / pi)) - result;
  result = select(reflected, reflection, result);
  return select(isInfinite(x), infinity, result);
}

//===----------------------------------------------------------------------===//
// The derivatives of the logarithm of Γ
//===----------------------------------------------------------------------===//

static Real digamma(Real x) {
  Condition reflected = x < 0.0;
  Real y = select(reflected, 1.0 - x, x);
  Condition first = y < 1.0, near = y < 8.0;

  // The sum of 1/(z − 1), 1/(z − 2), … as one quotient.
  Real z = select(first, y + 1.0, select(near, y, 1.0));
  Real numerator = y.like(0.0), denominator = y.like(1.0);
  for (int step = 0; step < 6; ++step) {
    Condition above = z >= 2.0;
    Real next = z - 1.0;
    numerator = select(above, fma(numerator, next, denominator), numerator);
    denominator = select(above, denominator * next, denominator);
    z = select(above, next, z);
  }
  Real shift = select(first, -1.0, numerator) / select(first, y, denominator);
  DoubleWord root = digammaRoot.get(*x.emitter);
  Real nearby =
      fma((z - root.hi) - root.lo, evaluate(digammaNearRoot, z - 1.5), shift);

  Real u = 1.0 / y;
  Real far = log(y) - u * fma(u, evaluate(digammaTail, u * u), 0.5);
  Real result = select(near, nearby, far);

  Real r = distanceFromInteger(x);
  Real reflection =
      select(r == 0.0, notANumber, fma(cotangentOfPi(r), -pi, result));
  return select(reflected, reflection, result);
}

/// The coefficients, in 1/z², of what stands beside (n − 1)!/zⁿ in the
/// asymptotic series of the derivative of order n: as many as matter from
/// `least` on.
static SmallVector<double> getPolygammaTail(int64_t n, double least,
                                            double smallest) {
  // Bernoulli's numbers of even index.
  static constexpr double bernoulli[] = {
      1.0 / 6,       -1.0 / 30,           1.0 / 42,       -1.0 / 30,
      5.0 / 66,      -691.0 / 2730,       7.0 / 6,        -3617.0 / 510,
      43867.0 / 798, -174611.0 / 330,     854513.0 / 138, -236364091.0 / 2730,
      8553103.0 / 6, -23749461029.0 / 870};
  SmallVector<double> tail;
  double choices = 1.0, power = 1.0;
  for (int64_t k = 1; k <= int64_t(std::size(bernoulli)); ++k) {
    // (2k + n − 1)! / ((2k)! (n − 1)!)
    choices *= double(2 * k + n - 2) * double(2 * k + n - 1) /
               (double(2 * k - 1) * double(2 * k));
    power /= least * least;
    tail.push_back(bernoulli[k - 1] * choices);
    if (std::abs(tail.back()) * power < smallest)
      break;
  }
  return tail;
}

/// The polynomial that the derivative of order n of cot is in cot, over its
/// factor cot where n is even, in squares of it.
static SmallVector<double> getCotangentDerivative(int64_t n) {
  SmallVector<double> all{0.0, 1.0};
  for (int64_t step = 0; step < n; ++step) {
    SmallVector<double> next(all.size() + 1, 0.0);
    for (size_t i = 1; i < all.size(); ++i) {
      next[i - 1] -= double(i) * all[i];
      next[i + 1] -= double(i) * all[i];
    }
    all = next;
  }
  SmallVector<double> squares;
  for (size_t i = n % 2 == 0 ? 1 : 0; i < all.size(); i += 2)
    squares.push_back(all[i]);
  return squares;
}

static double getFactorial(int64_t n) { return std::tgamma(double(n + 1)); }

Real mlir::wax::formula::polygamma(int64_t order, Real x) {
  if (order == 0)
    return digamma(x);
  bool isEven = order % 2 == 0;
  Emitter &e = *x.emitter;
  Condition reflected = x < 0.0;
  Real y = select(reflected, 1.0 - x, x);

  // n!/y^(n+1) + n!/(y + 1)^(n+1) + …
  int64_t steps = order + (e.isDouble() ? 10 : 4);
  Condition near = y < double(steps);
  Real z = select(near, y, 1.0), sum = y.like(0.0);
  for (int64_t step = steps - 1; step >= 0; --step) {
    // Adding 0 would lose the sign of −0.
    Real reciprocal = 1.0 / (step ? z + double(step) : z);
    Real term = reciprocal;
    for (int64_t factor = 0; factor < order; ++factor)
      term = term * reciprocal;
    sum = sum + term;
  }
  // (n − 1)!/zⁿ in factors that are near the result, against underflow.
  z = select(near, y + double(steps), y);
  Real u = 1.0 / z;
  Real far = u;
  for (int64_t factor = 1; factor < order; ++factor)
    far = far * (u * double(factor));
  SmallVector<double> tail = getPolygammaTail(
      order, double(steps), std::ldexp(1.0, -e.precision() - 3));
  Real square = u * u;
  far = far * (fma(square, evaluate(tail, square), u * (0.5 * order)) + 1.0);
  Real result = far + select(near, sum * getFactorial(order), 0.0);
  if (isEven)
    result = -result;

  Real r = distanceFromInteger(x);
  Real cotangent = cotangentOfPi(r);
  Real derivative =
      evaluate(getCotangentDerivative(order), cotangent * cotangent);
  if (isEven)
    derivative = derivative * cotangent;
  Real reflection = fma(derivative, -std::pow(pi, double(order + 1)),
                        isEven ? result : -result);
  if (isEven)
    reflection = select(r == 0.0, notANumber, reflection);
  return select(reflected, reflection, result);
}
