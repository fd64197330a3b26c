//===- Trigonometric.cpp - sin, cos, tan, sincos --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sin x is ±sin r for x = k·π + r, and cos x for x = (k + ½)·π − r, |r| ≤ π/2:
// one polynomial for either, where multiples of π/2 would ask for two and a
// choice. tan needs two anyway, and is of x = q·π/2 + r with |r| ≤ π/4.
//
// r is found by parts of π for most, and for large x by Payne and Hanek's
// reduction (Muller et al., "Handbook of Floating-Point Arithmetic", 11.3 and
// 11.4): x is an integer m times 2^e, and of x·2/π only the integer part modulo
// 4 and the fraction count. So the bits of 2/π before a place that e decides
// can be dropped, and those far after it. The window between is cut out of the
// constant by selects, and multiplied by m in integers: exact for all x, and
// the same for all, which loops over vectors need.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {

/// What is left of an angle, and the multiple taken off, in its low bits.
struct Reduced {
  DoubleWord r;
  Integer multiple;
};

/// Three words of the constant from the bit `start` on.
std::array<Integer, 3> getWindow(ArrayRef<uint64_t> constants, Integer start) {
  Emitter &e = *start.emitter;
  int64_t width = e.word.getWidth();
  SmallVector<Integer> words;
  for (uint64_t constant : constants)
    words.emplace_back(e, constant);
  // By whole words, a power of two of them at a time, from the most there are;
  // four remain.
  for (size_t step = llvm::bit_floor(words.size() - 4); step; step /= 2) {
    Condition isSet = (start & int64_t(width * step)) != 0;
    size_t size = words.size(), needed = std::min(size, step + 3);
    for (size_t i = 0; i < needed && i + step < size; ++i)
      words[i] = select(isSet, words[i + step], words[i]);
    words.truncate(needed);
  }
  // By bits; a shift by the width would be undefined.
  Integer left = start & (width - 1), right = left ^ (width - 1);
  auto shift = [&](int i) {
    return (words[i] << left) |
           shiftLogical(shiftLogical(words[i + 1], 1), right);
  };
  return {shift(0), shift(1), shift(2)};
}

/// The angle of a fraction of a quarter turn in two words, the first signed, in
/// units of 4·2^−64. Where one number will do, the last bits are left out.
DoubleWord getAngleSingle(Integer high, Integer low, bool isPrecise) {
  const double *quarter = halfPi.f32;
  // In parts that the format holds, of either sign lest they cancel.
  Real a = toReal(shiftArithmetic(high + 32, 6));
  Integer rest = (high << high.like(26)) | shiftLogical(low, 6);
  // Where the first part is 0, the second is rounded to a whole number's worth
  // of bits.
  if (!isPrecise)
    return {fma(a, a.like(quarter[0] * 0x1p-24),
                fma(toReal(rest), quarter[0] * 0x1p-56,
                    a * (quarter[1] * 0x1p-24))),
            a.like(0.0)};
  Real b = toReal(shiftArithmetic(rest, 8));
  DoubleWord head = fastTwoSum(a * 0x1p-24, b * 0x1p-48);
  Real c = toReal(low & 0x3FFF);
  return fastTwoSum(head.hi, fma(c, 0x1p-62, head.lo)) *
         halfPi.get(*high.emitter);
}

/// The same in units of 4·2^−128.
DoubleWord getAngleDouble(Integer high, Integer low) {
  // A word of 32 bits goes into the low bits of 2⁵², which is then taken off.
  auto natural = [](Integer x) {
    return fromBits((x & 0xFFFFFFFF) | 0x4330000000000000) - 0x1p52;
  };
  Real a = toReal(shiftArithmetic(high, 32)) * 0x1p-30;
  DoubleWord head = fastTwoSum(a, natural(high) * 0x1p-62);
  DoubleWord tail = fastTwoSum(natural(shiftLogical(low, 32)) * 0x1p-94,
                               natural(low) * 0x1p-126);
  return (head + tail) * halfPi.get(*high.emitter);
}

/// What multiples of an angle are taken off.
enum class Multiples { OfQuarterTurns, OfHalfTurns };

/// Of `turns` quarter turns, and an integer times 2^e, the window of the
/// constant for which starts there.
Reduced reduce(Integer significand, Integer start, Multiples multiples,
               int turns, bool isPrecise) {
  Emitter &e = *start.emitter;
  auto [first, second, third] = getWindow(
      e.isDouble() ? ArrayRef(fourTurnsDouble) : ArrayRef(fourTurnsSingle),
      start);
  Integer middle = significand * second;
  Integer low = middle + multiplyHigh(significand, third);
  Condition carries = compare(arith::CmpIPredicate::ult, low, middle);
  Integer high = significand * first + multiplyHigh(significand, second) +
                 select(carries, 1, low.like(0));
  // The first word is a turn. Of its fourths or halves, the nearest whole
  // number.
  int64_t width = e.word.getWidth();
  if (turns)
    high = high + (int64_t(turns) << (width - 2));
  int64_t unit = multiples == Multiples::OfQuarterTurns ? width - 2 : width - 1;
  Integer whole = shiftLogical(high + (int64_t(1) << (unit - 1)), unit);
  high = high - (whole << whole.like(unit));
  return {e.isDouble() ? getAngleDouble(high, low)
                       : getAngleSingle(high, low, isPrecise),
          whole};
}

/// From here on the multiples have so many bits that their rounding shows in r.
Condition isLarge(Real magnitude) {
  return !(magnitude < (magnitude.isDouble() ? 0x1p28 : 0x1p13));
}

/// Of |x| where it is large, and `turns` quarter turns. NaN and infinite values
/// are.
Reduced reduceLarge(Real magnitude, Condition isLarge, Multiples multiples,
                    int turns, bool isPrecise) {
  Emitter &e = *magnitude.emitter;
  Integer word = bits(magnitude);
  int64_t hidden = int64_t(1) << e.storedBits();
  Integer significand = (word & (hidden - 1)) | hidden;
  // x is its significand times 2^e, and the window starts at the bit e after
  // the zeros that stand in front of the constant, a word of them. None starts
  // beyond the constant, for NaN's sake.
  int64_t first = e.bias() + e.storedBits() - e.word.getWidth();
  Integer exponent = shiftLogical(word, e.storedBits());
  exponent = select(isLarge, exponent, exponent.like(e.bias()));
  exponent = select(exponent > 2 * e.bias(), 2 * e.bias(), exponent);
  return reduce(significand, exponent - first, multiples, turns, isPrecise);
}

//===----------------------------------------------------------------------===//
// sin and cos
//===----------------------------------------------------------------------===//

ArrayRef<double> getHalfPi(Emitter &e) {
  return e.isDouble() ? ArrayRef(halfPi.f64) : ArrayRef(halfPi.f32);
}

/// A number that is the sine of r after so many half turns, of which the last
/// bit counts.
struct Sine {
  Real r;
  Integer halfTurns;
};

/// sin x or cos x of x ≥ 0 that is not large, with π in three parts (Cody and
/// Waite). Where r is small the difference from the first is exact, as both are
/// multiples of its last bit, or of that of x.
Sine reduceSmallByHalves(Real x, bool isCosine) {
  Emitter &e = *x.emitter;
  ArrayRef<double> quarter = getHalfPi(e);
  // A sum from here on is rounded to a whole number, k in its last bits.
  double whole = std::ldexp(1.0, e.storedBits());
  double offset = isCosine ? whole - 0.5 : whole;
  Real sum = fma(x, x.like(0.5 / quarter[0]), offset);
  // For cosines that of 0 may be less. For all, drivers of GPUs that take sums
  // for exact would find the number that was added to be the one taken off.
  sum = greater(sum, sum.like(whole));
  // x − k·π, or (k + ½)·π − x.
  Real multiple = sum - offset;
  double two = isCosine ? 2 : -2;
  Real r = fma(multiple, two * quarter[0], isCosine ? -x : x);
  r = fma(multiple, two * quarter[1], r);
  return {fma(multiple, two * quarter[2], r), bits(sum)};
}

/// sin |x| or cos x. Infinite x give NaN.
Sine reduceByHalves(Real x, bool isCosine) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  Condition large = isLarge(magnitude);
  Sine usual = reduceSmallByHalves(magnitude, isCosine);
  SmallVector<Value> chosen =
      rarely(large, {usual.r.value, usual.halfTurns.value}, [&] {
        Reduced reduced =
            reduceLarge(magnitude, large, Multiples::OfHalfTurns,
                        /*turns=*/isCosine ? 1 : 0, /*isPrecise=*/false);
        Real r = select(isFinite(x), reduced.r.hi, NotANumber);
        return SmallVector<Value>{r.value, reduced.multiple.value};
      });
  return {{e, chosen[0]}, {e, chosen[1]}};
}

/// The number. Before its last rounding it is less than a unit beyond 1, so
/// that none is greater than 1: for this the first coefficient is multiplied by
/// r² before the others are added to it.
Real evaluate(Sine sine) {
  Emitter &e = *sine.r.emitter;
  ArrayRef<double> tail = sineTail.get(e);
  Real z = sine.r * sine.r;
  Real rest = z * z * evaluate(tail.drop_front(), z);
  Real result = fma(fma(z, tail.front(), rest), sine.r, sine.r);
  return fromBits(bits(result) ^ (sine.halfTurns << sine.halfTurns.like(
                                      e.type.getWidth() - 1)));
}

Real sin(Real x) {
  return flipSign(evaluate(reduceByHalves(x, /*isCosine=*/false)), x);
}
Real cos(Real x) { return evaluate(reduceByHalves(x, /*isCosine=*/true)); }

//===----------------------------------------------------------------------===//
// tan
//===----------------------------------------------------------------------===//

/// Of x ≥ 0 that is not large: x − q·π/2, to twice the precision.
Reduced reduceSmallByQuarters(Real x) {
  ArrayRef<double> quarter = getHalfPi(*x.emitter);
  Real q = nearest(x * (1 / quarter[0]));
  Real rest = fma(q, -quarter[0], x);
  DoubleWord second = twoProduct(q, x.like(quarter[1]));
  DoubleWord sum = twoSum(rest, -second.hi);
  Real low = sum.lo - fma(q, quarter[2], second.lo);
  return {fastTwoSum(sum.hi, low), toInteger(q)};
}

/// Of |x|, to twice the precision.
Reduced reduceByQuarters(Real x) {
  Emitter &e = *x.emitter;
  Real magnitude = abs(x);
  Condition large = isLarge(magnitude);
  Reduced usual = reduceSmallByQuarters(select(large, 0.0, magnitude));
  auto values = [](const Reduced &reduced) {
    return SmallVector<Value>{reduced.r.hi.value, reduced.r.lo.value,
                              reduced.multiple.value};
  };
  SmallVector<Value> chosen = rarely(large, values(usual), [&] {
    return values(reduceLarge(magnitude, large, Multiples::OfQuarterTurns,
                              /*turns=*/0, /*isPrecise=*/true));
  });
  return {{{e, chosen[0]}, {e, chosen[1]}}, {e, chosen[2]}};
}

/// sin and cos of r, as sums whose second part is small.
DoubleWord sinReduced(DoubleWord r) {
  Real z = r.hi * r.hi;
  return {r.hi, fma(r.hi * z, evaluate(sinTail, z), r.lo)};
}
DoubleWord cosReduced(DoubleWord r) {
  Real z = r.hi * r.hi;
  DoubleWord head = fastTwoSum(z.like(1.0), z * -0.5);
  return {head.hi, head.lo + fma(z * z, evaluate(cosTail, z), -(r.hi * r.lo))};
}

Real tan(Real x) {
  Reduced reduced = reduceByQuarters(x);
  DoubleWord sin = sinReduced(reduced.r), cos = cosReduced(reduced.r);
  sin = fastTwoSum(sin.hi, sin.lo);
  cos = fastTwoSum(cos.hi, cos.lo);
  // After an odd number of quarter turns −cos / sin.
  Condition odd = (reduced.multiple & 1) != 0;
  DoubleWord above{select(odd, -cos.hi, sin.hi), select(odd, -cos.lo, sin.lo)};
  DoubleWord below{select(odd, sin.hi, cos.hi), select(odd, sin.lo, cos.lo)};
  DoubleWord result = divide(above, below);
  return select(isFinite(x), flipSign(result.hi + result.lo, x), NotANumber);
}

} // namespace

void mlir::wax::formula::addTrigonometrics(Formulas &formulas) {
  formulas.add<math::SinOp>(sin);
  formulas.add<math::CosOp>(cos);
  formulas.add<math::TanOp>(tan);
  formulas.add<math::SincosOp>(
      [](ArrayRef<Real> x) { return SmallVector<Real>{sin(x[0]), cos(x[0])}; });
}
