//===- Scalars.h - Scalar arithmetic, written as formulas -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula computes in one binary float format, f32 or f64: `Real` is a value
// of it, `Integer` one of the integers as wide, `Condition` one bit. Their
// operators emit the operations of `arith`, so that a formula reads as in the
// book it comes from. Both sides of a `select` are computed, which is what
// vectorizers want; what is seldom needed may be a branch.
//
// Compilers may contract a product and a sum into one fused operation. A
// formula that counts on one rounding says `fma`, and one that counts on two
// says `product`; for all others either will do.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_SCALARS_H
#define WAX_PASSES_MATH_SCALARS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::wax::formula {

inline constexpr double Infinity = std::numeric_limits<double>::infinity();
inline constexpr double NotANumber = std::numeric_limits<double>::quiet_NaN();

/// Where operations go, and the float format in which they compute.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, FloatType type,
          bool branches = false)
      : builder(builder), loc(loc), type(type),
        word(builder.getIntegerType(type.getWidth())), branches(branches) {}

  OpBuilder &builder;
  Location loc;
  FloatType type;
  IntegerType word;
  /// Whether what is seldom needed may be a branch, see Rare.h.
  bool branches;

  bool isDouble() const { return type.isF64(); }
  /// Bits of the significand, with the one that is not stored.
  int precision() const { return isDouble() ? 53 : 24; }
  int storedBits() const { return precision() - 1; }
  /// The exponent of the least normal number, and of the greatest number.
  int minExponent() const { return isDouble() ? -1022 : -126; }
  int maxExponent() const { return isDouble() ? 1023 : 127; }
  int bias() const { return maxExponent(); }

  template <typename OpTy, typename... Args> Value make(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }
};

class Integer;
class Real;

/// A bit.
class Condition {
public:
  Condition(Emitter &emitter, Value value) : emitter(&emitter), value(value) {}
  Emitter *emitter;
  Value value;

  Condition operator&(Condition other) const {
    return {*emitter, emitter->make<arith::AndIOp>(value, other.value)};
  }
  Condition operator|(Condition other) const {
    return {*emitter, emitter->make<arith::OrIOp>(value, other.value)};
  }
  Condition operator^(Condition other) const {
    return {*emitter, emitter->make<arith::XOrIOp>(value, other.value)};
  }
  Condition operator!() const;
};

/// An integer as wide as the format, without a sign of its own.
class Integer {
public:
  Integer(Emitter &emitter, Value value) : emitter(&emitter), value(value) {}
  Integer(Emitter &emitter, int64_t constant);
  Emitter *emitter;
  Value value;

  Integer like(int64_t constant) const { return {*emitter, constant}; }
};

#define WAX_INTEGER_OPERATOR(sign, OpTy)                                       \
  inline Integer operator sign(Integer x, Integer y) {                         \
    return {*x.emitter, x.emitter->make<arith::OpTy>(x.value, y.value)};       \
  }                                                                            \
  inline Integer operator sign(Integer x, int64_t y) {                         \
    return x sign x.like(y);                                                   \
  }                                                                            \
  inline Integer operator sign(int64_t x, Integer y) {                         \
    return y.like(x) sign y;                                                   \
  }
WAX_INTEGER_OPERATOR(+, AddIOp)
WAX_INTEGER_OPERATOR(-, SubIOp)
WAX_INTEGER_OPERATOR(*, MulIOp)
WAX_INTEGER_OPERATOR(&, AndIOp)
WAX_INTEGER_OPERATOR(|, OrIOp)
WAX_INTEGER_OPERATOR(^, XOrIOp)
WAX_INTEGER_OPERATOR(<<, ShLIOp)
#undef WAX_INTEGER_OPERATOR

/// Shifts right by less than the width, filling with zeros or with the sign.
Integer shiftLogical(Integer x, Integer count);
Integer shiftLogical(Integer x, int64_t count);
Integer shiftArithmetic(Integer x, int64_t count);

/// The high word of the product of two words, without signs.
Integer multiplyHigh(Integer x, Integer y);

Condition compare(arith::CmpIPredicate predicate, Integer x, Integer y);
inline Condition operator==(Integer x, int64_t y) {
  return compare(arith::CmpIPredicate::eq, x, x.like(y));
}
inline Condition operator!=(Integer x, int64_t y) {
  return compare(arith::CmpIPredicate::ne, x, x.like(y));
}
inline Condition operator<(Integer x, int64_t y) {
  return compare(arith::CmpIPredicate::slt, x, x.like(y));
}
inline Condition operator>(Integer x, int64_t y) {
  return compare(arith::CmpIPredicate::sgt, x, x.like(y));
}

/// A float of the format.
class Real {
public:
  Real(Emitter &emitter, Value value) : emitter(&emitter), value(value) {}
  /// The nearest number of the format.
  Real(Emitter &emitter, double constant);
  Emitter *emitter;
  Value value;

  Real like(double constant) const { return {*emitter, constant}; }
  bool isDouble() const { return emitter->isDouble(); }
};

#define WAX_REAL_OPERATOR(sign, OpTy)                                          \
  inline Real operator sign(Real x, Real y) {                                  \
    return {*x.emitter, x.emitter->make<arith::OpTy>(x.value, y.value)};       \
  }                                                                            \
  inline Real operator sign(Real x, double y) { return x sign x.like(y); }     \
  inline Real operator sign(double x, Real y) { return y.like(x) sign y; }
WAX_REAL_OPERATOR(+, AddFOp)
WAX_REAL_OPERATOR(-, SubFOp)
WAX_REAL_OPERATOR(*, MulFOp)
WAX_REAL_OPERATOR(/, DivFOp)
#undef WAX_REAL_OPERATOR

inline Real operator-(Real x) {
  return {*x.emitter, x.emitter->make<arith::NegFOp>(x.value)};
}

/// Comparisons are false where either side is NaN; `!=` is true there.
Condition compare(arith::CmpFPredicate predicate, Real x, Real y);
#define WAX_REAL_COMPARISON(sign, predicate)                                   \
  inline Condition operator sign(Real x, Real y) {                             \
    return compare(arith::CmpFPredicate::predicate, x, y);                     \
  }                                                                            \
  inline Condition operator sign(Real x, double y) { return x sign x.like(y); }
WAX_REAL_COMPARISON(<, OLT)
WAX_REAL_COMPARISON(<=, OLE)
WAX_REAL_COMPARISON(>, OGT)
WAX_REAL_COMPARISON(>=, OGE)
WAX_REAL_COMPARISON(==, OEQ)
WAX_REAL_COMPARISON(!=, UNE)
#undef WAX_REAL_COMPARISON

Condition isNaN(Real x);
/// Neither infinite nor NaN.
Condition isFinite(Real x);

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

Real select(Condition condition, Real then, Real otherwise);
Integer select(Condition condition, Integer then, Integer otherwise);
Condition select(Condition condition, Condition then, Condition otherwise);
inline Real select(Condition condition, Real then, double otherwise) {
  return select(condition, then, then.like(otherwise));
}
inline Real select(Condition condition, double then, Real otherwise) {
  return select(condition, otherwise.like(then), otherwise);
}
inline Integer select(Condition condition, int64_t then, Integer otherwise) {
  return select(condition, otherwise.like(then), otherwise);
}
inline Integer select(Condition condition, Integer then, int64_t otherwise) {
  return select(condition, then, then.like(otherwise));
}

/// What `compute` gives where `condition` holds, which is seldom, and `usual`
/// elsewhere.
SmallVector<Value> rarely(Condition condition, ArrayRef<Value> usual,
                          llvm::function_ref<SmallVector<Value>()> compute);

/// The lesser or greater number; `y` where either is NaN.
Real lesser(Real x, Real y);
Real greater(Real x, Real y);
inline Real lesser(Real x, double y) { return lesser(x, x.like(y)); }
inline Real lesser(double x, Real y) { return lesser(y.like(x), y); }
inline Real greater(double x, Real y) { return greater(y.like(x), y); }

//===----------------------------------------------------------------------===//
// Functions that are one instruction, or a few, everywhere
//===----------------------------------------------------------------------===//

/// x·y + z with one rounding.
Real fma(Real x, Real y, Real z);
inline Real fma(Real x, double y, Real z) { return fma(x, x.like(y), z); }
inline Real fma(Real x, Real y, double z) { return fma(x, y, x.like(z)); }
inline Real fma(double x, Real y, Real z) { return fma(y.like(x), y, z); }

/// x·y, rounded whatever its result is added to: contracting compilers leave a
/// fused operation alone. It gives +0 for −0.
inline Real product(Real x, Real y) { return fma(x, y, 0.0); }

Real sqrt(Real x);
Real abs(Real x);
/// The greatest integer not above x.
Real floor(Real x);
/// An integer nearest to x, which is far below 2^precision in magnitude. Not by
/// `math.roundeven`: IREE spells that out in bits.
inline Real nearest(Real x) { return floor(x + 0.5); }
/// |x| with the sign of `sign`.
Real copySign(Real x, Real sign);
/// `x` negated where `sign` is negative, −0 included.
Real flipSign(Real x, Real sign);

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Integer bits(Real x);
Real fromBits(Integer x);

/// A small integer: below 2³¹ in magnitude, or of unspecified value where the
/// float is not.
Integer toInteger(Real x);
/// The float of a small integer.
Real toReal(Integer x);

/// 2^k for a normal result.
Real powerOfTwo(Integer k);
/// x·2^k for |k| up to twice the exponent's range, rounded once when `x` is
/// near 1.
Real scale(Real x, Integer k);

/// The significand in [√½, √2) and the exponent of a positive number; of
/// anything else something unspecified.
struct Decomposed {
  Real significand;
  Integer exponent;
};
Decomposed decompose(Real x);

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

/// A polynomial's coefficients, the constant one first: one list for each
/// format, since each needs its own degree. From Coefficients.inc.
struct Polynomial {
  ArrayRef<double> f32;
  ArrayRef<double> f64;

  ArrayRef<double> get(const Emitter &emitter) const {
    return emitter.isDouble() ? f64 : f32;
  }
};

/// The polynomial at `x`.
Real evaluate(const Polynomial &polynomial, Real x);
Real evaluate(ArrayRef<double> coefficients, Real x);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_SCALARS_H
