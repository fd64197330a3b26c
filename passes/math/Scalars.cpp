//===- Scalars.cpp - Scalar arithmetic, written as formulas ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "../lowering/Rare.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

//===----------------------------------------------------------------------===//
// Constants, comparisons, choices
//===----------------------------------------------------------------------===//

Integer::Integer(Emitter &emitter, int64_t constant) : emitter(&emitter) {
  APInt value(emitter.word.getWidth(), constant, /*isSigned=*/true,
              /*implicitTrunc=*/true);
  this->value = emitter.make<arith::ConstantOp>(
      emitter.builder.getIntegerAttr(emitter.word, value));
}

Real::Real(Emitter &emitter, double constant) : emitter(&emitter) {
  APFloat value(constant);
  bool losesInfo;
  value.convert(emitter.type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  this->value = emitter.make<arith::ConstantOp>(
      emitter.builder.getFloatAttr(emitter.type, value));
}

Condition Condition::operator!() const {
  Value all =
      emitter->make<arith::ConstantOp>(emitter->builder.getBoolAttr(true));
  return {*emitter, emitter->make<arith::XOrIOp>(value, all)};
}

Condition wax::formula::compare(arith::CmpIPredicate predicate, Integer x,
                                Integer y) {
  return {*x.emitter,
          x.emitter->make<arith::CmpIOp>(predicate, x.value, y.value)};
}

Condition wax::formula::compare(arith::CmpFPredicate predicate, Real x,
                                Real y) {
  return {*x.emitter,
          x.emitter->make<arith::CmpFOp>(predicate, x.value, y.value)};
}

Condition wax::formula::isNaN(Real x) {
  return compare(arith::CmpFPredicate::UNO, x, x);
}

Condition wax::formula::isFinite(Real x) { return abs(x) < Infinity; }

template <typename T> static T emitSelect(Condition condition, T x, T y) {
  return {*x.emitter, x.emitter->template make<arith::SelectOp>(
                          condition.value, x.value, y.value)};
}
Real wax::formula::select(Condition condition, Real then, Real otherwise) {
  return emitSelect(condition, then, otherwise);
}
Integer wax::formula::select(Condition condition, Integer then,
                             Integer otherwise) {
  return emitSelect(condition, then, otherwise);
}
Condition wax::formula::select(Condition condition, Condition then,
                               Condition otherwise) {
  return emitSelect(condition, then, otherwise);
}

SmallVector<Value>
wax::formula::rarely(Condition condition, ArrayRef<Value> usual,
                     llvm::function_ref<SmallVector<Value>()> compute) {
  Emitter &e = *condition.emitter;
  if (e.branches)
    return createRare(e.builder, e.loc, condition.value, usual, compute)
        .getResults();
  SmallVector<Value> chosen = compute();
  for (auto [rare, other] : llvm::zip_equal(chosen, usual))
    rare = e.make<arith::SelectOp>(condition.value, rare, other);
  return chosen;
}

Real wax::formula::lesser(Real x, Real y) { return select(x < y, x, y); }
Real wax::formula::greater(Real x, Real y) { return select(x > y, x, y); }

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Integer wax::formula::shiftLogical(Integer x, Integer count) {
  return {*x.emitter, x.emitter->make<arith::ShRUIOp>(x.value, count.value)};
}
Integer wax::formula::shiftLogical(Integer x, int64_t count) {
  return shiftLogical(x, x.like(count));
}
Integer wax::formula::shiftArithmetic(Integer x, int64_t count) {
  return {*x.emitter,
          x.emitter->make<arith::ShRSIOp>(x.value, x.like(count).value)};
}

Integer wax::formula::multiplyHigh(Integer x, Integer y) {
  Emitter &e = *x.emitter;
  if (e.isDouble()) {
    // In halves, whose products vectors of 64-bit words have.
    auto low = [](Integer z) { return z & 0xFFFFFFFF; };
    auto high = [](Integer z) { return shiftLogical(z, 32); };
    Integer middle = high(x) * low(y) + high(low(x) * low(y));
    Integer other = low(x) * high(y) + low(middle);
    return high(x) * high(y) + high(middle) + high(other);
  }
  Type wide = e.builder.getI64Type();
  Value xy = e.make<arith::MulIOp>(e.make<arith::ExtUIOp>(wide, x.value),
                                   e.make<arith::ExtUIOp>(wide, y.value));
  Value count = e.make<arith::ConstantOp>(e.builder.getI64IntegerAttr(32));
  Value shifted = e.make<arith::ShRUIOp>(xy, count);
  return {e, e.make<arith::TruncIOp>(e.word, shifted)};
}

Real wax::formula::fma(Real x, Real y, Real z) {
  return {*x.emitter, x.emitter->make<math::FmaOp>(x.value, y.value, z.value)};
}

template <typename OpTy> static Real emitUnary(Real x) {
  return {*x.emitter, x.emitter->make<OpTy>(x.value)};
}
Real wax::formula::sqrt(Real x) { return emitUnary<math::SqrtOp>(x); }
Real wax::formula::abs(Real x) { return emitUnary<math::AbsFOp>(x); }
Real wax::formula::floor(Real x) { return emitUnary<math::FloorOp>(x); }

Real wax::formula::copySign(Real x, Real sign) {
  return {*x.emitter, x.emitter->make<math::CopySignOp>(x.value, sign.value)};
}

Real wax::formula::flipSign(Real x, Real sign) {
  int64_t mask = int64_t(1) << (x.emitter->type.getWidth() - 1);
  return fromBits(bits(x) ^ (bits(sign) & mask));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Integer wax::formula::bits(Real x) {
  return {*x.emitter,
          x.emitter->make<arith::BitcastOp>(x.emitter->word, x.value)};
}
Real wax::formula::fromBits(Integer x) {
  return {*x.emitter,
          x.emitter->make<arith::BitcastOp>(x.emitter->type, x.value)};
}

// By way of 32 bits: few processors convert vectors of 64-bit integers.
Integer wax::formula::toInteger(Real x) {
  Emitter &e = *x.emitter;
  Value small = e.make<arith::FPToSIOp>(e.builder.getI32Type(), x.value);
  return {e, e.isDouble() ? e.make<arith::ExtSIOp>(e.word, small) : small};
}
Real wax::formula::toReal(Integer x) {
  Emitter &e = *x.emitter;
  Value small = e.isDouble()
                    ? e.make<arith::TruncIOp>(e.builder.getI32Type(), x.value)
                    : x.value;
  return {e, e.make<arith::SIToFPOp>(e.type, small)};
}

Real wax::formula::powerOfTwo(Integer k) {
  return fromBits((k + k.emitter->bias()) << k.emitter->storedBits());
}

Real wax::formula::scale(Real x, Integer k) {
  // The first product is exact; the second rounds where the result is
  // subnormal.
  Integer half = shiftArithmetic(k, 1);
  return x * powerOfTwo(half) * powerOfTwo(k - half);
}

Decomposed wax::formula::decompose(Real x) {
  Emitter &e = *x.emitter;
  // Subnormal numbers are made normal first.
  double up = std::ldexp(1.0, e.precision());
  Condition tiny = x < std::ldexp(1.0, e.minExponent());
  Integer word = bits(select(tiny, x * up, x));
  // What is added carries into the exponent from √2 on.
  int64_t one = int64_t(e.bias()) << e.storedBits();
  int64_t sqrtHalf = e.isDouble() ? 0x3FE6A09E667F3BCD : 0x3F3504F3;
  Integer moved = word + (one - sqrtHalf);
  int64_t stored = (int64_t(1) << e.storedBits()) - 1;
  Integer exponent =
      shiftArithmetic(moved, e.storedBits()) -
      select(tiny, x.emitter->bias() + e.precision(), Integer(e, e.bias()));
  return {fromBits((moved & stored) + sqrtHalf), exponent};
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Real wax::formula::evaluate(ArrayRef<double> coefficients, Real x) {
  Real result = x.like(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    result = fma(result, x, coefficient);
  return result;
}

Real wax::formula::evaluate(const Polynomial &polynomial, Real x) {
  return evaluate(polynomial.get(*x.emitter), x);
}
