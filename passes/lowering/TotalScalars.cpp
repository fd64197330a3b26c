//===- TotalScalars.cpp - Scalar operations with a result for every input -===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside a kernel every scalar operation has one result for every input; the
// table stands in WaxDialect.td. Upstream leaves some inputs undefined. Here,
// and nowhere else, such operations get their guards, unless a constant
// operand proves that none is needed.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Short names for the scalar operations that guards are made of.
struct Scalars {
  OpBuilder &builder;
  Location loc;

  Value integer(Type type, const APInt &value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value integer(Type type, int64_t value) {
    return integer(type, APInt(type.getIntOrFloatBitWidth(), value,
                               /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  Value real(FloatType type, const APFloat &value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  }
  Value is(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value is(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value then, Value otherwise) {
    return arith::SelectOp::create(builder, loc, condition, then, otherwise);
  }
  template <typename OpTy, typename... Args> Value make(Args... args) {
    return OpTy::create(builder, loc, args...);
  }
};

std::optional<APInt> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integer division
//===----------------------------------------------------------------------===//

enum class Rounding { TowardZero, Down, Up };

/// The divisor, made harmless where the quotient is undefined. Dividing the
/// minimum by 1 instead of -1 gives the minimum, which is the wrapped result.
Value getSafeDivisor(Scalars &s, Value lhs, Value rhs, bool isSigned,
                     Value &isZero) {
  Type type = rhs.getType();
  std::optional<APInt> divisor = getConstant(rhs);
  Value unsafe;
  if (!divisor || divisor->isZero()) {
    isZero = s.is(arith::CmpIPredicate::eq, rhs, s.integer(type, 0));
    unsafe = isZero;
  }
  std::optional<APInt> dividend = getConstant(lhs);
  bool mayOverflow = isSigned && (!divisor || divisor->isAllOnes()) &&
                     (!dividend || dividend->isMinSignedValue());
  if (mayOverflow) {
    APInt minimum = APInt::getSignedMinValue(type.getIntOrFloatBitWidth());
    Value isMinimum =
        s.is(arith::CmpIPredicate::eq, lhs, s.integer(type, minimum));
    Value isMinusOne = s.is(arith::CmpIPredicate::eq, rhs, s.integer(type, -1));
    Value overflows = s.make<arith::AndIOp>(isMinimum, isMinusOne);
    unsafe = unsafe ? s.make<arith::OrIOp>(unsafe, overflows) : overflows;
  }
  return unsafe ? s.select(unsafe, s.integer(type, 1), rhs) : rhs;
}

Value emitDivision(Scalars &s, Value lhs, Value rhs, bool isSigned,
                   Rounding rounding) {
  Type type = lhs.getType();
  // Of one bit's values, 0 and -1 or 1, every quotient is the conjunction.
  if (type.isInteger(1))
    return s.make<arith::AndIOp>(lhs, rhs);

  Value isZero;
  Value safe = getSafeDivisor(s, lhs, rhs, isSigned, isZero);
  Value quotient = isSigned ? s.make<arith::DivSIOp>(lhs, safe)
                            : s.make<arith::DivUIOp>(lhs, safe);
  if (rounding != Rounding::TowardZero) {
    Value rest =
        s.make<arith::SubIOp>(lhs, s.make<arith::MulIOp>(quotient, safe));
    Value zero = s.integer(type, 0);
    Value adjust = s.is(arith::CmpIPredicate::ne, rest, zero);
    if (isSigned) {
      // The rest has the dividend's sign; it agrees with the divisor's where
      // the exact quotient is positive.
      Value signs = s.make<arith::XOrIOp>(rest, safe);
      Value inexact =
          s.is(rounding == Rounding::Down ? arith::CmpIPredicate::slt
                                          : arith::CmpIPredicate::sge,
               signs, zero);
      adjust = s.make<arith::AndIOp>(adjust, inexact);
    }
    Value adjusted = rounding == Rounding::Down
                         ? s.make<arith::SubIOp>(quotient, s.integer(type, 1))
                         : s.make<arith::AddIOp>(quotient, s.integer(type, 1));
    quotient = s.select(adjust, adjusted, quotient);
  }
  return isZero ? s.select(isZero, s.integer(type, 0), quotient) : quotient;
}

/// With the divisor 1 in place of 0 the remainder is 0, as it must be.
Value emitRemainder(Scalars &s, Value lhs, Value rhs, bool isSigned) {
  if (lhs.getType().isInteger(1))
    return s.integer(lhs.getType(), 0);
  Value isZero;
  Value safe = getSafeDivisor(s, lhs, rhs, isSigned, isZero);
  return isSigned ? s.make<arith::RemSIOp>(lhs, safe)
                  : s.make<arith::RemUIOp>(lhs, safe);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

template <typename ShiftOp>
Value emitLogicalShift(Scalars &s, Value value, Value count) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (std::optional<APInt> constant = getConstant(count);
      constant && constant->ult(width))
    return s.make<ShiftOp>(value, count);
  Value fits = s.is(arith::CmpIPredicate::ult, count, s.integer(type, width));
  Value zero = s.integer(type, 0);
  Value shifted = s.make<ShiftOp>(value, s.select(fits, count, zero));
  return s.select(fits, shifted, zero);
}

/// Shifting by one less than the width leaves the sign alone.
Value emitArithmeticShift(Scalars &s, Value value, Value count) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  std::optional<APInt> constant = getConstant(count);
  if (!constant || constant->uge(width))
    count = s.make<arith::MinUIOp>(count, s.integer(type, width - 1));
  return s.make<arith::ShRSIOp>(value, count);
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

/// Converts with saturation, NaN to 0. The bounds are powers of two, hence
/// exact in any float type wide enough, which f32 is for 64 bits.
Value emitFloatToInteger(Scalars &s, Value value, Type type, bool isSigned) {
  auto from = cast<FloatType>(value.getType());
  if (from.getWidth() < 32) {
    from = Float32Type::get(type.getContext());
    value = s.make<arith::ExtFOp>(from, value);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  const llvm::fltSemantics &semantics = from.getFloatSemantics();
  APFloat low = APFloat::getZero(semantics);
  if (isSigned) {
    low = llvm::scalbn(APFloat(semantics, 1), width - 1,
                       APFloat::rmNearestTiesToEven);
    low.changeSign();
  }
  APFloat high =
      llvm::scalbn(APFloat(semantics, 1), isSigned ? width - 1 : width,
                   APFloat::rmNearestTiesToEven);
  Value lowest = s.real(from, low), beyond = s.real(from, high);

  // Ordered comparisons are false for NaN, which becomes 0 thereby.
  Value notLow = s.is(arith::CmpFPredicate::OGE, value, lowest);
  Value tooHigh = s.is(arith::CmpFPredicate::OGE, value, beyond);
  Value tooLow = s.is(arith::CmpFPredicate::OLT, value, lowest);
  Value notHigh = s.is(arith::CmpFPredicate::OLT, value, beyond);
  Value fits = s.make<arith::AndIOp>(notLow, notHigh);
  Value safe = s.select(fits, value, s.real(from, APFloat::getZero(semantics)));

  // Targets have no conversion to one bit.
  bool isBit = width == 1;
  Type via = isBit ? IntegerType::get(type.getContext(), 8) : type;
  Value converted = isSigned ? s.make<arith::FPToSIOp>(via, safe)
                             : s.make<arith::FPToUIOp>(via, safe);
  if (isBit)
    converted = s.make<arith::TruncIOp>(type, converted);

  APInt maximum =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt minimum =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width);
  converted = s.select(tooHigh, s.integer(type, maximum), converted);
  return s.select(tooLow, s.integer(type, minimum), converted);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// By comparison for half-width floats: IREE's CPU target has no such operation
/// for them, and LLVM turns one on f32 between conversions back into it.
template <typename OpTy>
Value emitNumberExtremum(Scalars &s, Value lhs, Value rhs,
                         arith::CmpFPredicate isBetter) {
  if (lhs.getType().getIntOrFloatBitWidth() >= 32)
    return s.make<OpTy>(lhs, rhs);
  // False where either is NaN, which leaves the right one.
  Value better = s.select(s.is(isBetter, lhs, rhs), lhs, rhs);
  return s.select(s.is(arith::CmpFPredicate::UNO, rhs, rhs), lhs, better);
}

bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), isConstant);
}

/// Upstream folds the angle of 0 + 0i to NaN. That of ±1 + 0i is the same.
Value emitAngle(Scalars &s, Value y, Value x) {
  if (!isConstant(y) || !isConstant(x))
    return s.make<math::Atan2Op>(y, x);
  auto type = cast<FloatType>(x.getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  Value zero = s.real(type, APFloat::getZero(semantics));
  Value isZero =
      s.make<arith::AndIOp>(s.is(arith::CmpFPredicate::OEQ, y, zero),
                            s.is(arith::CmpFPredicate::OEQ, x, zero));
  Value one = s.make<math::CopySignOp>(s.real(type, APFloat(semantics, 1)), x);
  return s.make<math::Atan2Op>(y, s.select(isZero, one, x));
}

/// Powers of integers by squaring, a turn for each bit of the exponent: neither
/// MLIR's tools nor IREE take `math.ipowi` everywhere. To a negative power 1
/// and -1 are what they are to its absolute value, and all else is 0.
Value emitIntegerPower(Scalars &s, Value base, Value exponent) {
  Type type = base.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value zero = s.integer(type, 0), one = s.integer(type, 1);
  auto hasBit = [&](unsigned bit) {
    Value mask = s.integer(type, APInt::getOneBitSet(width, bit));
    return s.is(arith::CmpIPredicate::ne, s.make<arith::AndIOp>(exponent, mask),
                zero);
  };
  std::optional<APInt> known = getConstant(exponent);
  Value power = one, square = base;
  for (unsigned bit : llvm::seq(width - 1)) {
    if (known && known->getActiveBits() <= bit)
      break;
    if (bit > 0)
      square = s.make<arith::MulIOp>(square, square);
    if (known && !(*known)[bit])
      continue;
    Value product = s.make<arith::MulIOp>(power, square);
    power = known ? product : s.select(hasBit(bit), product, power);
  }
  if (known && !known->isNegative())
    return power;
  Value minusOne = s.integer(type, -1);
  Value isOdd = hasBit(0);
  Value inverse = s.select(s.is(arith::CmpIPredicate::eq, base, minusOne),
                           s.select(isOdd, minusOne, one), zero);
  inverse = s.select(s.is(arith::CmpIPredicate::eq, base, one), one, inverse);
  Value isNegative = s.is(arith::CmpIPredicate::slt, exponent, zero);
  return s.select(isNegative, inverse, power);
}

/// Whether the size of `value` is less than an infinity, or is one, or is that
/// of a normal number: MLIR's tools do not take all of upstream's operations.
Value compareSize(Scalars &s, Value value, arith::CmpFPredicate predicate,
                  const APFloat &bound) {
  return s.is(predicate, s.make<math::AbsFOp>(value),
              s.real(cast<FloatType>(value.getType()), bound));
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

SmallVector<Value> mlir::wax::emitTotalScalar(OpBuilder &builder, Operation *op,
                                              ValueRange operands) {
  Scalars s{builder, op->getLoc()};
  auto lhs = [&] { return operands[0]; };
  auto rhs = [&] { return operands[1]; };
  auto semantics = [&]() -> const llvm::fltSemantics & {
    return cast<FloatType>(lhs().getType()).getFloatSemantics();
  };
  auto divide = [&](bool isSigned, Rounding rounding) {
    return emitDivision(s, lhs(), rhs(), isSigned, rounding);
  };
  Value total =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](arith::DivSIOp) {
            return divide(true, Rounding::TowardZero);
          })
          .Case([&](arith::DivUIOp) {
            return divide(false, Rounding::TowardZero);
          })
          .Case(
              [&](arith::FloorDivSIOp) { return divide(true, Rounding::Down); })
          .Case([&](arith::CeilDivSIOp) { return divide(true, Rounding::Up); })
          .Case([&](arith::CeilDivUIOp) { return divide(false, Rounding::Up); })
          .Case([&](arith::RemSIOp) {
            return emitRemainder(s, lhs(), rhs(), true);
          })
          .Case([&](arith::RemUIOp) {
            return emitRemainder(s, lhs(), rhs(), false);
          })
          .Case([&](arith::ShLIOp) {
            return emitLogicalShift<arith::ShLIOp>(s, lhs(), rhs());
          })
          .Case([&](arith::ShRUIOp) {
            return emitLogicalShift<arith::ShRUIOp>(s, lhs(), rhs());
          })
          .Case([&](arith::ShRSIOp) {
            return emitArithmeticShift(s, lhs(), rhs());
          })
          .Case([&](arith::FPToSIOp cast) {
            return emitFloatToInteger(s, lhs(), cast.getType(), true);
          })
          .Case([&](arith::FPToUIOp cast) {
            return emitFloatToInteger(s, lhs(), cast.getType(), false);
          })
          .Case([&](arith::MinNumFOp) {
            return emitNumberExtremum<arith::MinNumFOp>(
                s, lhs(), rhs(), arith::CmpFPredicate::OLT);
          })
          .Case([&](arith::MaxNumFOp) {
            return emitNumberExtremum<arith::MaxNumFOp>(
                s, lhs(), rhs(), arith::CmpFPredicate::OGT);
          })
          .Case(
              [&](math::IPowIOp) { return emitIntegerPower(s, lhs(), rhs()); })
          .Case([&](math::IsNaNOp) {
            return s.is(arith::CmpFPredicate::UNO, lhs(), lhs());
          })
          .Case([&](math::IsInfOp) {
            return compareSize(s, lhs(), arith::CmpFPredicate::OEQ,
                               APFloat::getInf(semantics()));
          })
          .Case([&](math::IsFiniteOp) {
            return compareSize(s, lhs(), arith::CmpFPredicate::OLT,
                               APFloat::getInf(semantics()));
          })
          .Case([&](math::IsNormalOp) {
            return s.make<arith::AndIOp>(
                compareSize(s, lhs(), arith::CmpFPredicate::OGE,
                            APFloat::getSmallestNormalized(semantics())),
                compareSize(s, lhs(), arith::CmpFPredicate::OLT,
                            APFloat::getInf(semantics())));
          })
          .Case([&](math::Atan2Op) { return emitAngle(s, lhs(), rhs()); })
          .Case([&](math::ClampFOp) {
            // Upstream leaves bounds in the wrong order open.
            Value raised = s.make<arith::MaximumFOp>(operands[0], operands[1]);
            return s.make<arith::MinimumFOp>(raised, operands[2]);
          })
          .Default([](Operation *) { return Value(); });
  if (total)
    return {total};

  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  return llvm::to_vector_of<Value>(builder.clone(*op, mapping)->getResults());
}

SmallVector<Value> mlir::wax::emitKernel(OpBuilder &builder, Region &kernel,
                                         ValueRange arguments) {
  Block &block = kernel.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  auto lookup = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookup(value); });
  };
  for (Operation &op : block.without_terminator())
    mapping.map(op.getResults(),
                emitTotalScalar(builder, &op, lookup(op.getOperands())));
  return lookup(block.getTerminator()->getOperands());
}
