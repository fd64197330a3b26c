//===- ComplexArithmetic.cpp - Products, quotients, roots, sizes ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here overflows or underflows unless its result does: operands are
// first scaled by powers of two. Special values are those of C's Annex G.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "DoubleWord.h"
#include "Elementary.h"

using namespace mlir;
using namespace mlir::wax::formula;

//===----------------------------------------------------------------------===//
// Scaling
//===----------------------------------------------------------------------===//

namespace {
/// A number by the sizes of its parts, scaled so that their squares neither
/// overflow nor lose bits that matter. An even power of two undoes it.
struct Scaled {
  Real greater, lesser;
  Condition isLarge, isSmall;
  int down, up;

  /// `x` times the power that undoes the scaling, or its square root.
  Real undo(Real x, bool root = false) const {
    auto power = [&](int k) { return std::ldexp(1.0, root ? k / 2 : k); };
    Real factor = select(isSmall, power(-up), x.like(1.0));
    return x * select(isLarge, power(down), factor);
  }
  /// The logarithm of that power.
  Real undone(Real like) const {
    double unit = 0x1.62e42fefa39efp-1;
    return select(isLarge, like.like(down * unit),
                  select(isSmall, -up * unit, like.like(0.0)));
  }
};
} // namespace

/// A NaN comes out as one of the sizes.
static Scaled scaleSizes(Complex z) {
  Emitter &e = *z.re.emitter;
  int half = (e.maxExponent() + 1) / 2;
  int down = half + 8, up = e.isDouble() ? 600 : 98;
  Real x = abs(z.re), y = abs(z.im);
  Condition swaps = x > y;
  Real large = select(swaps, x, y), small = select(swaps, y, x);
  Condition isLarge = large > std::ldexp(1.0, half - 4);
  Condition isSmall = large < std::ldexp(1.0, e.precision() + 4 - half);
  Real factor = select(isLarge, std::ldexp(1.0, -down),
                       select(isSmall, std::ldexp(1.0, up), large.like(1.0)));
  return {large * factor, small * factor, isLarge, isSmall, down, up};
}

static Real hypotenuse(Real x, Real y) { return sqrt(fma(x, x, y * y)); }

static Condition hasInfinity(Complex z) {
  return isInfinite(z.re) | isInfinite(z.im);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Real mlir::wax::formula::modulus(Complex z) {
  Scaled scaled = scaleSizes(z);
  Real result = scaled.undo(hypotenuse(scaled.greater, scaled.lesser));
  return select(hasInfinity(z), infinity, result);
}

Real mlir::wax::formula::logModulus(Complex z, Real excess) {
  Scaled scaled = scaleSizes(z);
  Real size = hypotenuse(scaled.greater, scaled.lesser);
  Real result =
      log(select(hasInfinity(z), infinity, size)) + scaled.undone(size);
  Condition near = (excess >= -0.5) & (excess <= 1.25);
  return select(near, log1p(select(near, excess, 0.0)) * 0.5, result);
}

Complex mlir::wax::formula::direction(Complex z) {
  Scaled scaled = scaleSizes(z);
  Emitter &e = *z.re.emitter;
  Real factor =
      select(scaled.isLarge, std::ldexp(1.0, -scaled.down),
             select(scaled.isSmall, std::ldexp(1.0, scaled.up), Real(e, 1.0)));
  Real size = hypotenuse(scaled.greater, scaled.lesser);
  size = select(scaled.greater == 0.0, 1.0, size);
  return {z.re * factor / size, z.im * factor / size};
}

//===----------------------------------------------------------------------===//
// Products and quotients
//===----------------------------------------------------------------------===//

Complex mlir::wax::formula::multiply(Complex z, Complex w) {
  return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}

/// a·b + c·d to within 1½ ULP (Jeannerod, Louvet, Muller, "Further analysis of
/// Kahan's algorithm for the accurate computation of 2 × 2 determinants",
/// 2013).
static Real sumOfProducts(Real a, Real b, Real c, Real d) {
  Real second = product(c, d);
  Real rest = fma(c, d, -second);
  return fma(a, b, second) + rest;
}

/// The exponent of the greater part: of a normal number, its own.
static Integer getExponent(Complex z) {
  Emitter &e = *z.re.emitter;
  Real x = abs(z.re), y = abs(z.im);
  Integer biased =
      shiftLogical(bits(select(x > y, x, y)), int64_t(e.storedBits()));
  Integer exponent = biased - e.bias();
  exponent = select(exponent > e.maxExponent(), e.maxExponent(), exponent);
  return select(exponent < e.minExponent(), e.minExponent(), exponent);
}

static Complex scaleBoth(Complex z, Integer k) {
  return {scale(z.re, k), scale(z.im, k)};
}

/// 1 for an infinite part, 0 for a finite one, with its sign.
static Complex markInfinite(Complex z) {
  auto mark = [](Real x) {
    return copySign(select(isInfinite(x), 1.0, x.like(0.0)), x);
  };
  return {mark(z.re), mark(z.im)};
}

Complex mlir::wax::formula::divide(Complex z, Complex w) {
  Integer ofZ = getExponent(z), ofW = getExponent(w);
  Complex a = scaleBoth(z, 0 - ofZ), b = scaleBoth(w, 0 - ofW);
  Real square = fma(b.re, b.re, b.im * b.im);
  Complex scaled{sumOfProducts(a.re, b.re, a.im, b.im) / square,
                 sumOfProducts(a.im, b.re, -a.re, b.im) / square};
  Complex result = scaleBoth(scaled, ofZ - ofW);

  // By zero: infinite along z.
  Real unit = copySign(w.re.like(infinity), w.re);
  Condition isZero = (w.re == 0.0) & (w.im == 0.0);
  result = select(isZero, Complex{unit * z.re, unit * z.im}, result);
  // The quotient of the signs, times infinity or zero.
  auto ofSigns = [](Complex z, Complex w, double factor) -> Complex {
    return {(z.re * w.re + z.im * w.im) * factor,
            (z.im * w.re - z.re * w.im) * factor};
  };
  Condition isFiniteZ = isFinite(z.re) & isFinite(z.im);
  Condition isFiniteW = isFinite(w.re) & isFinite(w.im);
  result = select(hasInfinity(z) & isFiniteW & !isZero,
                  ofSigns(markInfinite(z), w, infinity), result);
  return select(isFiniteZ & hasInfinity(w), ofSigns(z, markInfinite(w), 0.0),
                result);
}

Complex mlir::wax::formula::integerPower(Complex z, Value exponent) {
  Emitter &e = *z.re.emitter;
  auto type = cast<IntegerType>(exponent.getType());
  auto constant = [&](int64_t value) {
    return e.make<arith::ConstantOp>(e.builder.getIntegerAttr(type, value));
  };
  Value zero = constant(0), one = constant(1);
  Condition isNegative(
      e, e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, exponent, zero));
  Value left = e.make<arith::SelectOp>(
      isNegative.value, e.make<arith::SubIOp>(zero, exponent), exponent);
  Complex result{Real(e, 1.0), Real(e, 0.0)}, base = z;
  for (unsigned bit = 0; bit < type.getWidth(); ++bit) {
    Value last = e.make<arith::AndIOp>(left, one);
    Condition isOdd(
        e, e.make<arith::CmpIOp>(arith::CmpIPredicate::ne, last, zero));
    result = select(isOdd, multiply(result, base), result);
    base = multiply(base, base);
    if (bit + 1 < type.getWidth())
      left = e.make<arith::ShRUIOp>(left, one);
  }
  Complex inverse = divide({Real(e, 1.0), Real(e, 0.0)}, result);
  return select(isNegative, inverse, result);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

Complex mlir::wax::formula::squareRoot(Complex z) {
  Scaled scaled = scaleSizes(z);
  Real factor = select(
      scaled.isLarge, std::ldexp(1.0, -scaled.down),
      select(scaled.isSmall, std::ldexp(1.0, scaled.up), z.re.like(1.0)));
  Real x = abs(z.re) * factor, y = abs(z.im) * factor;
  Real size = hypotenuse(scaled.greater, scaled.lesser);
  // The greater part of the root of |x| + i·y first: no cancellation.
  Real large = sqrt((x + size) * 0.5);
  Real small = y * 0.5 / large;
  large = scaled.undo(large, /*root=*/true);
  small = scaled.undo(small, /*root=*/true);
  small = select((z.re == 0.0) & (z.im == 0.0), 0.0, small);
  Condition isWide = isInfinite(z.re);
  large = select(isWide, infinity, large);
  small = select(isWide, abs(z.im) * 0.0, small);

  Condition right = z.re >= 0.0;
  Complex result{select(right, large, small),
                 copySign(select(right, small, large), z.im)};
  return select(isInfinite(z.im), Complex{z.re.like(infinity), z.im}, result);
}
