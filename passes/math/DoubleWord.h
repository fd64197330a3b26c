//===- DoubleWord.h - Numbers as unevaluated sums of two --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the few places where a function needs more bits than its format has. The
// algorithms are those of Muller et al., "Handbook of Floating-Point
// Arithmetic" (2nd edition, 2018), chapter 14.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_DOUBLEWORD_H
#define WAX_PASSES_MATH_DOUBLEWORD_H

#include "Scalars.h"

namespace mlir::wax::formula {

/// hi + lo, where hi is the nearest number to the sum.
struct DoubleWord {
  Real hi, lo;
};

/// x + y exactly, where x is 0 or has the greater exponent.
inline DoubleWord fastTwoSum(Real x, Real y) {
  Real hi = x + y;
  return {hi, y - (hi - x)};
}

/// x + y exactly.
inline DoubleWord twoSum(Real x, Real y) {
  Real hi = x + y;
  Real ofY = hi - x;
  return {hi, (x - (hi - ofY)) + (y - ofY)};
}

/// x·y exactly, unless the low part underflows.
inline DoubleWord twoProduct(Real x, Real y) {
  Real hi = product(x, y);
  return {hi, fma(x, y, -hi)};
}

/// √x to about twice the precision, for x > 0.
inline DoubleWord sqrtDouble(DoubleWord x) {
  Real hi = sqrt(x.hi);
  Real rest = fma(-hi, hi, x.hi) + x.lo;
  return {hi, rest * 0.5 / hi};
}

/// x/y to about twice the precision, for y neither so small nor so great that
/// its inverse is not normal.
inline DoubleWord divide(DoubleWord x, DoubleWord y) {
  Real inverse = 1.0 / y.hi;
  Real hi = x.hi * inverse;
  Real rest = fma(-hi, y.hi, x.hi) + fma(-hi, y.lo, x.lo);
  return fastTwoSum(hi, rest * inverse);
}

inline DoubleWord operator+(DoubleWord x, Real y) {
  DoubleWord sum = twoSum(x.hi, y);
  return fastTwoSum(sum.hi, sum.lo + x.lo);
}

inline DoubleWord operator+(DoubleWord x, DoubleWord y) {
  DoubleWord sum = twoSum(x.hi, y.hi);
  return fastTwoSum(sum.hi, sum.lo + (x.lo + y.lo));
}

inline DoubleWord operator*(DoubleWord x, Real y) {
  DoubleWord hi = twoProduct(x.hi, y);
  return fastTwoSum(hi.hi, fma(x.lo, y, hi.lo));
}

inline DoubleWord operator*(DoubleWord x, DoubleWord y) {
  DoubleWord hi = twoProduct(x.hi, y.hi);
  Real lo = fma(x.hi, y.lo, fma(x.lo, y.hi, hi.lo));
  return fastTwoSum(hi.hi, lo);
}

/// A constant given as the sum of numbers of each format, of two or three.
struct Constant {
  double f32[3];
  double f64[3];

  DoubleWord get(Emitter &emitter) const {
    const double *parts = emitter.isDouble() ? f64 : f32;
    return {Real(emitter, parts[0]), Real(emitter, parts[1])};
  }
};

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_DOUBLEWORD_H
