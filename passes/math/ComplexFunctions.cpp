//===- ComplexFunctions.cpp - Exponentials, logarithms, circles -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part is exact where it is well conditioned: no formula subtracts what
// nearly cancels, but where the function itself does. Signs of zeros tell the
// sides of branch cuts; special values are those of C's Annex G. Circular
// functions are the hyperbolic ones of i·z, times −i.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "DoubleWord.h"
#include "Elementary.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {
/// An argument of exponentials, brought down so that they do not overflow, and
/// the two factors that were taken off. A product with a small number may be
/// finite all the same.
struct Lowered {
  Real exponent, first, second;

  Real raise(Real x) const { return x * first * second; }
};
} // namespace

static double getLargestExponent(Real x) { return x.isDouble() ? 709.0 : 88.0; }

static Lowered lowerExponent(Real x) {
  double limit = getLargestExponent(x), step = x.isDouble() ? 512.0 : 64.0;
  double factor = std::exp(step);
  Condition once = x > limit;
  Real lowered = select(once, x - step, x);
  Condition twice = lowered > limit;
  return {select(twice, lowered - step, lowered),
          select(once, factor, x.like(1.0)),
          select(twice, factor, x.like(1.0))};
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

Complex mlir::wax::formula::exponential(Complex z) {
  Lowered lowered = lowerExponent(z.re);
  Real size = exp(lowered.exponent);
  Complex result{lowered.raise(size * cos(z.im)),
                 lowered.raise(size * sin(z.im))};
  result.im = select(z.im == 0.0, z.im, result.im);
  Condition isOpen = !isFinite(z.im);
  Real zero = z.re.like(0.0);
  result = select((z.re == -infinity) & isOpen, Complex{zero, zero}, result);
  result.re = select((z.re == infinity) & isOpen, infinity, result.re);
  return result;
}

Complex mlir::wax::formula::exponentialMinusOne(Complex z) {
  Complex whole = exponential(z);
  // eˣ·cos y − 1 = (eˣ − 1)·cos y − 2 sin²(y/2), where it may cancel.
  Real half = sin(z.im * 0.5), cosine = cos(z.im);
  Condition small = (z.re < 1.0) & (cosine > 0.0);
  Real near = fma(expm1(select(small, z.re, 0.0)), cosine, half * half * -2.0);
  Real re = select(small, near, whole.re - 1.0);
  return {select(z.re == -infinity, -1.0, re), whole.im};
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

Complex mlir::wax::formula::logarithm(Complex z) {
  // |z|² − 1 in two words.
  Real x = abs(z.re), y = abs(z.im);
  Condition swaps = x > y;
  DoubleWord large = twoProduct(select(swaps, x, y), select(swaps, x, y));
  DoubleWord small = twoProduct(select(swaps, y, x), select(swaps, y, x));
  DoubleWord first = twoSum(large.hi, x.like(-1.0));
  DoubleWord sum = twoSum(first.hi, small.hi);
  Real excess = sum.hi + (first.lo + sum.lo + (large.lo + small.lo));
  return {logModulus(z, excess), atan2(z.im, z.re)};
}

Complex mlir::wax::formula::logarithmOfOneMore(Complex z) {
  // |1 + z|² − 1 = 2x + x² + y² in two words.
  DoubleWord ofX = twoProduct(z.re, z.re), ofY = twoProduct(z.im, z.im);
  DoubleWord first = twoSum(z.re * 2.0, ofX.hi);
  DoubleWord sum = twoSum(first.hi, ofY.hi);
  Real excess = sum.hi + (first.lo + sum.lo + (ofX.lo + ofY.lo));
  Complex moved{z.re + 1.0, z.im};
  return {logModulus(moved, excess), atan2(moved.im, moved.re)};
}

Complex mlir::wax::formula::power(Complex z, Complex w) {
  Complex result = exponential(multiply(w, logarithm(z)));
  Real zero = z.re.like(0.0), one = z.re.like(1.0);
  Condition isZero = (z.re == 0.0) & (z.im == 0.0);
  result = select(isZero & (w.re > 0.0), Complex{zero, zero}, result);
  return select((w.re == 0.0) & (w.im == 0.0), Complex{one, zero}, result);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

namespace {
struct Hyperbolic {
  Real sine, cosine;
  Lowered lowered;
};
} // namespace

/// sinh u and cosh u, both to be raised.
static Hyperbolic getHyperbolic(Real u) {
  Lowered lowered = lowerExponent(abs(u));
  Real growth = expm1(lowered.exponent);
  Real whole = growth + 1.0;
  // ∞/∞ is 1 here.
  Real rest = select(whole == infinity, 1.0, growth / whole);
  return {copySign((growth + rest) * 0.5, u), (whole + 1.0 / whole) * 0.5,
          lowered};
}

Complex mlir::wax::formula::hyperbolicSine(Complex z) {
  Hyperbolic h = getHyperbolic(z.re);
  Complex result{h.lowered.raise(h.sine * cos(z.im)),
                 h.lowered.raise(h.cosine * sin(z.im))};
  Condition isOpen = !isFinite(z.im);
  Condition keeps = (isInfinite(z.re) | (z.re == 0.0)) & isOpen;
  return {select(keeps, z.re, result.re), select(z.im == 0.0, z.im, result.im)};
}

Complex mlir::wax::formula::hyperbolicCosine(Complex z) {
  Hyperbolic h = getHyperbolic(z.re);
  Complex result{h.lowered.raise(h.cosine * cos(z.im)),
                 h.lowered.raise(h.sine * sin(z.im))};
  Condition isOpen = !isFinite(z.im);
  Real zero = flipSign(copySign(z.re.like(0.0), z.re), z.im);
  return {select(isInfinite(z.re) & isOpen, infinity, result.re),
          select((z.im == 0.0) | ((z.re == 0.0) & isOpen), zero, result.im)};
}

Complex mlir::wax::formula::hyperbolicTangent(Complex z) {
  Real size = abs(z.re);
  Real sine = sin(z.im), cosine = cos(z.im);
  // tanh(u + iv) = (sinh u·cosh u + i·sin v·cos v) / (sinh² u + cos² v).
  Condition isFar = size > (z.re.isDouble() ? 22.0 : 11.0);
  Hyperbolic h = getHyperbolic(select(isFar, 0.0, z.re));
  Real square = fma(h.sine, h.sine, cosine * cosine);
  Complex near{h.sine * h.cosine / square, sine * cosine / square};
  // Far out, ±1 + 4i·sin v·cos v·e^(−2|u|).
  Real decay = exp(-size);
  Complex far{copySign(z.re.like(1.0), z.re),
              sine * cosine * 4.0 * decay * decay};
  Condition isOpen = !isFinite(z.im);
  Condition isWide = isInfinite(z.re);
  far.re = select(isOpen & !isWide, notANumber, far.re);
  far.im = select(isOpen & isWide, copySign(z.re.like(0.0), z.im), far.im);
  near.re = select((z.re == 0.0) & isOpen, z.re, near.re);
  Complex result = select(isFar, far, near);
  result.im = select(z.im == 0.0, z.im, result.im);
  return result;
}
