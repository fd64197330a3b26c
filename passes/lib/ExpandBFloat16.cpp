//===- ExpandBFloat16.cpp - Rounding to bfloat16 by integers --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDBFLOAT16
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether a type is bf16, or a vector of such.
static bool isBFloat16(Type type) {
  return getElementTypeOrSelf(type).isBF16() && !isa<TensorType>(type);
}

/// A scalar or vector type of other elements.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

namespace {
/// Emits arithmetic on scalars or on vectors of one shape.
struct Rounding {
  ImplicitLocOpBuilder builder;
  /// Of the result: bf16 or a vector of such.
  Type type;

  Rounding(const ImplicitLocOpBuilder &builder, Type type)
      : builder(builder), type(type) {}

  Type of(Type element) const { return withElement(type, element); }

  Value constant(Type element, int64_t value) {
    TypedAttr attr = builder.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(of(element)))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, attr);
  }
  Value isNot(Value x, Value y) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, x, y);
  }

  Value fromF32(Value x);
  Value fromExact(Value x);
  Value fromF64(Value x);
  Value fromInteger(Value x, bool isSigned);
};
} // namespace

/// To the nearest, ties to even; a NaN stays one, with its sign.
Value Rounding::fromF32(Value x) {
  Type word = builder.getI32Type();
  auto shifted = [&](Value bits) -> Value {
    return arith::ShRUIOp::create(builder, bits, constant(word, 16));
  };
  Value bits = arith::BitcastOp::create(builder, of(word), x);
  Value last = arith::AndIOp::create(builder, shifted(bits), constant(word, 1));
  Value bias = arith::AddIOp::create(builder, last, constant(word, 0x7FFF));
  Value rounded = shifted(arith::AddIOp::create(builder, bits, bias));
  Value quiet =
      arith::OrIOp::create(builder, shifted(bits), constant(word, 0x40));
  Value isNaN = arith::CmpFOp::create(builder, arith::CmpFPredicate::UNO, x, x);
  Value upper = arith::SelectOp::create(builder, isNaN, quiet, rounded);
  Value half =
      arith::TruncIOp::create(builder, of(builder.getI16Type()), upper);
  return arith::BitcastOp::create(builder, type, half);
}

/// Of what bf16 has in f32.
Value Rounding::fromExact(Value x) {
  Type word = builder.getI32Type();
  Value bits = arith::BitcastOp::create(builder, of(word), x);
  Value upper = arith::ShRUIOp::create(builder, bits, constant(word, 16));
  Value half =
      arith::TruncIOp::create(builder, of(builder.getI16Type()), upper);
  return arith::BitcastOp::create(builder, type, half);
}

/// By way of f32, where what does not fit is left as an odd last bit.
Value Rounding::fromF64(Value x) {
  Type word = builder.getI32Type();
  Value narrow = arith::TruncFOp::create(builder, of(builder.getF32Type()), x);
  Value back = arith::ExtFOp::create(builder, x.getType(), narrow);
  Value isInexact =
      arith::CmpFOp::create(builder, arith::CmpFPredicate::ONE, back, x);
  Value isAway = arith::CmpFOp::create(builder, arith::CmpFPredicate::OGT,
                                       math::AbsFOp::create(builder, back),
                                       math::AbsFOp::create(builder, x));
  Value bits = arith::BitcastOp::create(builder, of(word), narrow);
  Value toward = arith::SubIOp::create(
      builder, bits, arith::ExtUIOp::create(builder, of(word), isAway));
  Value odd = arith::OrIOp::create(builder, toward, constant(word, 1));
  Value sticky = arith::SelectOp::create(builder, isInexact, odd, bits);
  return fromF32(arith::BitcastOp::create(builder, narrow.getType(), sticky));
}

/// By way of a float that has them exactly, but for what is beyond 53 bits:
/// that is left as one bit, well below the last one of bf16.
Value Rounding::fromInteger(Value x, bool isSigned) {
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  auto convert = [&](Value integer, FloatType format) -> Value {
    if (isSigned)
      return arith::SIToFPOp::create(builder, of(format), integer);
    return arith::UIToFPOp::create(builder, of(format), integer);
  };
  if (width <= 16)
    return fromF32(convert(x, builder.getF32Type()));
  if (width == 64) {
    Type word = builder.getI64Type();
    Value low = arith::AndIOp::create(builder, x, constant(word, 0x7FF));
    Value high = arith::XOrIOp::create(builder, x, low);
    Value hasLow = arith::ExtUIOp::create(builder, of(word),
                                          isNot(low, constant(word, 0)));
    Value bit = arith::ShLIOp::create(builder, hasLow, constant(word, 11));
    Value sticky = arith::OrIOp::create(builder, high, bit);
    // Signed ones from -2^52 on are moved up, to compare once.
    Value moved =
        isSigned ? arith::AddIOp::create(builder, x, constant(word, 1LL << 52))
                       .getResult()
                 : x;
    Value fits = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                       moved, constant(word, 1LL << 53));
    x = arith::SelectOp::create(builder, fits, x, sticky);
  }
  return fromF64(convert(x, builder.getF64Type()));
}

/// What a conversion to bf16 gives; null for any other operation.
static Value createConversion(Operation *op) {
  if (!isa<arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return Value();
  Rounding rounding(ImplicitLocOpBuilder(op->getLoc(), op),
                    op->getResult(0).getType());
  Value x = op->getOperand(0);
  if (!isa<arith::TruncFOp>(op))
    return rounding.fromInteger(x, isa<arith::SIToFPOp>(op));
  return getElementTypeOrSelf(x.getType()).isF64() ? rounding.fromF64(x)
                                                   : rounding.fromF32(x);
}

/// Whether bf16 has what an operation makes of its numbers.
static bool isExact(Operation *op) {
  return isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::NegFOp, math::AbsFOp, math::CeilOp,
             math::CopySignOp, math::FloorOp, math::RoundEvenOp, math::RoundOp,
             math::TruncOp>(op);
}

/// Computes in f32, and rounds the results.
static void widen(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto widened = [&](Type type) {
    return isBFloat16(type) ? withElement(type, builder.getF32Type()) : type;
  };
  IRMapping wide;
  for (Value operand : op->getOperands())
    if (isBFloat16(operand.getType()) && !wide.contains(operand))
      wide.map(operand, arith::ExtFOp::create(
                            builder, widened(operand.getType()), operand));
  Operation *made = builder.clone(*op, wide);
  for (auto [result, other] :
       llvm::zip_equal(op->getResults(), made->getResults())) {
    other.setType(widened(result.getType()));
    Value narrow = other;
    if (isBFloat16(result.getType())) {
      Rounding rounding(builder, result.getType());
      narrow =
          isExact(op) ? rounding.fromExact(other) : rounding.fromF32(other);
    }
    result.replaceAllUsesWith(narrow);
  }
}

namespace {
struct ExpandBFloat16 : wax::impl::ExpandBFloat16Base<ExpandBFloat16> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
          isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp,
              arith::ExtFOp>(op))
        return;
      if (llvm::any_of(op->getOperandTypes(), isBFloat16) ||
          llvm::any_of(op->getResultTypes(), isBFloat16))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (Value rounded = createConversion(op))
        op->getResult(0).replaceAllUsesWith(rounded);
      else
        widen(op);
      op->erase();
    }
  }
};
} // namespace
