//===- ExpandUnsigned.cpp - Unsigned division by signed division ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDUNSIGNED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// The quotient of two integers that are not negative, as signed ones. The
/// dividend is negated, or IREE sees that both are not, and divides unsigned.
static Value dividePositive(OpBuilder &builder, Location loc, Value lhs,
                            Value rhs) {
  Value zero = arith::ConstantIntOp::create(builder, loc, lhs.getType(), 0);
  Value negated = arith::SubIOp::create(builder, loc, zero, lhs);
  Value quotient = arith::DivSIOp::create(builder, loc, negated, rhs);
  return arith::SubIOp::create(builder, loc, zero, quotient);
}

/// The quotient of integers of fewer than 64 bits.
static Value divideNarrow(OpBuilder &builder, Location loc, Value lhs,
                          Value rhs) {
  Type wide = builder.getI64Type();
  Value quotient = dividePositive(
      builder, loc, arith::ExtUIOp::create(builder, loc, wide, lhs),
      arith::ExtUIOp::create(builder, loc, wide, rhs));
  return arith::TruncIOp::create(builder, loc, lhs.getType(), quotient);
}

/// The quotient of integers of 64 bits.
static Value divideWide(OpBuilder &builder, Location loc, Value lhs,
                        Value rhs) {
  Type type = lhs.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  };
  Value zero = constant(0), one = constant(1);
  auto isAtLeast = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, x, y);
  };
  auto asInteger = [&](Value condition) -> Value {
    return arith::ExtUIOp::create(builder, loc, type, condition);
  };
  Value isLarge =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, rhs, zero);
  // What is computed beside, and not taken, divides by 1.
  Value divisor = arith::SelectOp::create(builder, loc, isLarge, one, rhs);
  Value half = arith::ShRUIOp::create(builder, loc, lhs, one);
  Value quotient = arith::ShLIOp::create(
      builder, loc, dividePositive(builder, loc, half, divisor), one);
  Value product = arith::MulIOp::create(builder, loc, quotient, divisor);
  Value rest = arith::SubIOp::create(builder, loc, lhs, product);
  Value whole = arith::AddIOp::create(builder, loc, quotient,
                                      asInteger(isAtLeast(rest, divisor)));
  return arith::SelectOp::create(builder, loc, isLarge,
                                 asInteger(isAtLeast(lhs, rhs)), whole);
}

namespace {

struct ExpandUnsigned : wax::impl::ExpandUnsignedBase<ExpandUnsigned> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      // Indices are scalars wherever they are divided.
      if (isa<arith::DivUIOp, arith::RemUIOp>(op) &&
          op->getResult(0).getType().isInteger())
        divisions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : divisions) {
      rewriter.setInsertionPoint(op);
      Location loc = op->getLoc();
      Value lhs = op->getOperand(0), rhs = op->getOperand(1);
      Value result = lhs.getType().getIntOrFloatBitWidth() < 64
                         ? divideNarrow(rewriter, loc, lhs, rhs)
                         : divideWide(rewriter, loc, lhs, rhs);
      if (isa<arith::RemUIOp>(op)) {
        Value product = arith::MulIOp::create(rewriter, loc, result, rhs);
        result = arith::SubIOp::create(rewriter, loc, lhs, product);
      }
      rewriter.replaceOp(op, result);
    }
  }
};

} // namespace
