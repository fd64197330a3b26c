//===- Barrier.cpp - barrier ----------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE's own barrier on a tensor ends a command buffer, and the host waits for
// it. Of a scalar of the host it costs nothing: elements that are chosen by one
// are other elements to any compiler. Where what chooses them is fused, nothing
// is copied.
//
//===----------------------------------------------------------------------===//

#include "../building/Scalars.h"
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

static Value createScalarZero(OpBuilder &builder, Location loc, Type type) {
  if (isa<ComplexType>(type))
    return scalar::constant(builder, loc, type, 0);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// A bit of an element, of which nothing is known.
static Value createBit(OpBuilder &builder, Location loc, Value element) {
  if (isa<ComplexType>(element.getType()))
    element = complex::ReOp::create(builder, loc, element);
  Value zero = createScalarZero(builder, loc, element.getType());
  if (isa<FloatType>(element.getType()))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                 element, zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, element,
                               zero);
}

static bool hasElements(Value tensor) {
  auto type =
      dyn_cast_or_null<RankedTensorType>(tensor ? tensor.getType() : Type());
  return type && type.hasStaticShape() && type.getNumElements() > 0;
}

namespace {
struct LowerBarrier
    : LowerableOpInterface::ExternalModel<LowerBarrier, BarrierOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto barrier = cast<BarrierOp>(op);
    Value operand = barrier.getOperand(), after = barrier.getAfter();
    if (context.getTarget() != LoweringTarget::IREE)
      return SmallVector<Value>{operand};

    Location loc = op->getLoc();
    Value holds = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    holds = iree::OptimizationBarrierOp::create(rewriter, loc, holds.getType(),
                                                holds)
                ->getResult(0);
    auto type = barrier.getResult().getType();
    unsigned rank = type.getRank();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    SmallVector<Value> read{operand};
    if (hasElements(after)) {
      SmallVector<AffineExpr> first(
          cast<RankedTensorType>(after.getType()).getRank(),
          rewriter.getAffineConstantExpr(0));
      maps.insert(maps.begin() + 1,
                  AffineMap::get(rank, 0, first, rewriter.getContext()));
      read.push_back(after);
    }
    Value empty = createEmptyLike(rewriter, loc, barrier.getResult(), context);
    auto chosen = linalg::GenericOp::create(
        rewriter, loc, type, read, empty, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [&](OpBuilder &body, Location loc, ValueRange in) {
          Value isSame = holds;
          if (read.size() == 2)
            isSame = arith::OrIOp::create(body, loc, isSame,
                                          createBit(body, loc, in[1]));
          Value other = createScalarZero(body, loc, in[0].getType());
          Value element =
              arith::SelectOp::create(body, loc, isSame, in[0], other);
          linalg::YieldOp::create(body, loc, element);
        });
    return SmallVector<Value>(chosen.getResults());
  }
};
} // namespace

void mlir::wax::attachBarrierLowering(MLIRContext *context) {
  BarrierOp::attachInterface<LowerBarrier>(*context);
}
