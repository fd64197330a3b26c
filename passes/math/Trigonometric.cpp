//===- Trigonometric.cpp - sin, cos, tan, sincos --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x = q·π/2 + r with |r| ≤ π/4, by Payne and Hanek's reduction for every x
// beyond π/4 (Muller et al., "Handbook of Floating-Point Arithmetic", 11.4): x
// is an integer m times 2^e, and of x·2/π only the integer part modulo 4 and
// the fraction count. So the bits of 2/π before a place that e decides can be
// dropped, and those far after it. The window between is cut out of the
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

/// r = hi + lo, and q modulo 4.
struct Reduced {
  DoubleWord r;
  Integer quadrant;
};

/// Unsigned 64-bit arithmetic, in which windows are multiplied whatever the
/// format.
struct Wide {
  Emitter *emitter;
  Value value;

  Wide(Emitter &emitter, Value value) : emitter(&emitter), value(value) {}
  Wide(Emitter &emitter, uint64_t constant)
      : emitter(&emitter), value(emitter.make<arith::ConstantOp>(
                               emitter.builder.getI64IntegerAttr(constant))) {}
  explicit Wide(Integer x)
      : Wide(*x.emitter, x.emitter->isDouble()
                             ? x.value
                             : x.emitter->make<arith::ExtUIOp>(
                                   x.emitter->builder.getI64Type(), x.value)) {}
  template <typename OpTy> Wide make(Wide y) const {
    return {*emitter, emitter->make<OpTy>(value, y.value)};
  }
  Wide operator+(Wide y) const { return make<arith::AddIOp>(y); }
  Wide operator-(Wide y) const { return make<arith::SubIOp>(y); }
  Wide operator*(Wide y) const { return make<arith::MulIOp>(y); }
  Wide operator|(Wide y) const { return make<arith::OrIOp>(y); }
  Wide operator&(uint64_t y) const {
    return make<arith::AndIOp>({*emitter, y});
  }
  Wide operator<<(Wide y) const { return make<arith::ShLIOp>(y); }
  Wide operator>>(Wide y) const { return make<arith::ShRUIOp>(y); }
  Wide operator<<(uint64_t y) const { return *this << Wide(*emitter, y); }
  Wide operator>>(uint64_t y) const { return *this >> Wide(*emitter, y); }
  Wide arithmeticShift(uint64_t y) const {
    return make<arith::ShRSIOp>({*emitter, y});
  }
  Wide low() const { return *this & 0xFFFFFFFF; }
  Wide high() const { return *this >> 32; }

  /// The low bits, as an integer of the format.
  Integer narrow() const {
    return {*emitter, emitter->isDouble() ? value
                                          : emitter->make<arith::TruncIOp>(
                                                emitter->word, value)};
  }
};

/// `words` from the bit `start` on, `count` of them.
SmallVector<Wide> getWindow(ArrayRef<uint64_t> constants, Wide start,
                            unsigned count) {
  Emitter &e = *start.emitter;
  SmallVector<Wide> words;
  for (uint64_t constant : constants)
    words.emplace_back(e, constant);
  // By whole words, a power of two of them at a time, from the most there are.
  for (unsigned step = llvm::bit_floor(words.size() - count - 1); step;
       step /= 2) {
    Value isSet =
        e.make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                              (start & (64 * step)).value, Wide(e, 0).value);
    size_t size = words.size(), needed = std::min<size_t>(size, step + count);
    for (unsigned i = 0; i < needed && i + step < size; ++i)
      words[i] = {e, e.make<arith::SelectOp>(isSet, words[i + step].value,
                                             words[i].value)};
    words.truncate(needed);
  }
  // By bits; a shift by 64 would be undefined.
  Wide left = start & 63, right = Wide(e, 63) - left;
  SmallVector<Wide> window;
  for (unsigned i = 0; i < count; ++i)
    window.push_back((words[i] << left) | ((words[i + 1] >> 1) >> right));
  return window;
}

/// The high half of a product.
Wide multiplyHigh(Wide x, Wide y) {
  Wide middle = x.high() * y.low() + (x.low() * y.low()).high();
  Wide other = x.low() * y.high() + middle.low();
  return x.high() * y.high() + middle.high() + other.high();
}

/// Of an integer below 2³¹ in magnitude, or a natural number below 2³².
Real toReal(Wide x) { return wax::formula::toReal(x.narrow()); }
Real fromWord(Wide x) {
  // In the low bits of 2⁵², which is then taken off.
  return fromBits((x | Wide(*x.emitter, uint64_t(0x433) << 52)).narrow()) -
         0x1p52;
}

/// Quarter turns: a fraction in [−½, ½] and a whole number.
struct Turns {
  DoubleWord fraction;
  Integer whole;
};

/// The whole number nearest to a fraction of 2⁶⁴ fourths, taken off it.
Wide takeWhole(Wide &turns) {
  Wide whole = (turns + Wide(*turns.emitter, uint64_t(1) << 61)) >> 62;
  turns = turns - (whole << 62);
  return whole;
}

Turns getTurnsSingle(Wide significand, Wide start) {
  SmallVector<Wide> w = getWindow(fourTurnsSingle, start, 2);
  Wide turns = significand * w[0] + (significand * w[1].high()).high();
  Wide whole = takeWhole(turns);
  // In parts that f32 holds.
  Real a = toReal(turns.arithmeticShift(38)),
       b = toReal((turns >> 14) & 0xFFFFFF);
  Real c = toReal(turns & 0x3FFF);
  DoubleWord sum = fastTwoSum(a * 0x1p-24, b * 0x1p-48);
  return {fastTwoSum(sum.hi, fma(c, 0x1p-62, sum.lo)), whole.narrow()};
}

Turns getTurnsDouble(Wide significand, Wide start) {
  SmallVector<Wide> w = getWindow(fourTurnsDouble, start, 3);
  Emitter &e = *start.emitter;
  Wide low = significand * w[1];
  Wide carried = multiplyHigh(significand, w[2]);
  Wide sum = low + carried;
  Value carry =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, sum.value, low.value);
  Wide turns = significand * w[0] + multiplyHigh(significand, w[1]) +
               Wide(e, e.make<arith::ExtUIOp>(e.word, carry));
  Wide whole = takeWhole(turns);
  Real a = toReal(turns.arithmeticShift(32)), b = fromWord(turns.low());
  DoubleWord head = fastTwoSum(a * 0x1p-30, b * 0x1p-62);
  DoubleWord tail = fastTwoSum(fromWord(sum.high()) * 0x1p-94,
                               fromWord(sum.low()) * 0x1p-126);
  return {head + tail, whole.narrow()};
}

Reduced reduce(Real x) {
  Emitter &e = *x.emitter;
  Integer word = bits(abs(x));
  int64_t hidden = int64_t(1) << e.storedBits();
  Wide significand((word & (hidden - 1)) | hidden);
  // The window starts at bit e + 64 (f64) or e + 32 (f32) of the constant,
  // which has as many zeros in front. No start beyond it, for NaN's sake.
  int zeros = e.isDouble() ? 64 : 32;
  Condition small = abs(x) <= 0.7853981633974483;
  Integer exponent = shiftLogical(word, e.storedBits());
  int greatest = e.bias() * 2;
  exponent = select(small, e.bias(), exponent);
  exponent = select(exponent > greatest, greatest, exponent);
  Wide start(exponent - (e.bias() + e.storedBits() - zeros));
  Turns turns = e.isDouble() ? getTurnsDouble(significand, start)
                             : getTurnsSingle(significand, start);
  DoubleWord r = turns.fraction * halfPi.get(e);
  Integer quadrant = turns.whole;
  // An odd function of x, whose small values are left as they are.
  Condition negative = bits(x) < 0;
  quadrant = select(negative, 0 - quadrant, quadrant);
  return {{select(small, x, flipSign(r.hi, x)),
           select(small, 0.0, flipSign(r.lo, x))},
          select(small, 0, quadrant & 3)};
}

/// sin and cos of r, as sums whose second part is small.
DoubleWord sinReduced(DoubleWord r) {
  Real z = r.hi * r.hi;
  return {r.hi, fma(r.hi * z, evaluate(sinTail, z), r.lo)};
}
DoubleWord cosReduced(DoubleWord r) {
  Real z = r.hi * r.hi;
  Real half = z * 0.5;
  Real head = 1.0 - half;
  Real lost = (1.0 - head) - half;
  return {head, lost + fma(z * z, evaluate(cosTail, z), -(r.hi * r.lo))};
}

Real atQuadrant(DoubleWord sin, DoubleWord cos, Integer quadrant) {
  Condition odd = (quadrant & 1) != 0;
  Real result = select(odd, cos.hi + cos.lo, sin.hi + sin.lo);
  return select((quadrant & 2) != 0, -result, result);
}

/// NaN for infinities.
Real finiteOnly(Real x, Real result) {
  return select(isFinite(x), result, NotANumber);
}

Real sin(Real x) {
  Reduced reduced = reduce(x);
  Real result = atQuadrant(sinReduced(reduced.r), cosReduced(reduced.r),
                           reduced.quadrant);
  return finiteOnly(x, select(x == 0.0, x, result));
}

Real cos(Real x) {
  Reduced reduced = reduce(x);
  return finiteOnly(x, atQuadrant(sinReduced(reduced.r), cosReduced(reduced.r),
                                  reduced.quadrant + 1));
}

Real tan(Real x) {
  Reduced reduced = reduce(x);
  DoubleWord sin = sinReduced(reduced.r), cos = cosReduced(reduced.r);
  sin = fastTwoSum(sin.hi, sin.lo);
  cos = fastTwoSum(cos.hi, cos.lo);
  Condition odd = (reduced.quadrant & 1) != 0;
  DoubleWord above{select(odd, -cos.hi, sin.hi), select(odd, -cos.lo, sin.lo)};
  DoubleWord below{select(odd, sin.hi, cos.hi), select(odd, sin.lo, cos.lo)};
  DoubleWord result = divide(above, below);
  return finiteOnly(x, select(x == 0.0, x, result.hi + result.lo));
}

} // namespace

void mlir::wax::formula::addTrigonometrics(Formulas &formulas) {
  formulas.add<math::SinOp>(sin);
  formulas.add<math::CosOp>(cos);
  formulas.add<math::TanOp>(tan);
  formulas.add<math::SincosOp>(
      [](ArrayRef<Real> x) { return SmallVector<Real>{sin(x[0]), cos(x[0])}; });
}
