//===- ExpandScaling.cpp - Products of elements, as GPUs sum them ---------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDSCALING
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What `op` computes, as a product that is added to -0: no number changes.
static Value addToNothing(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  };
  Value factor = isa<arith::NegFOp>(op) ? constant(-1) : op->getOperand(1);
  return math::FmaOp::create(builder, loc, op->getOperand(0), factor,
                             constant(-0.0));
}

/// True for what a sum that reads `op` would be made a contraction with, or a
/// difference of: negations, and products, but for those of a reduction whose
/// factors both vary. Sums of bfloat16 are f32's, and no product is their own.
static bool wouldJoinSum(Operation *op) {
  auto parent = dyn_cast_if_present<linalg::LinalgOp>(op->getParentOp());
  if (!parent || !isa<arith::NegFOp, arith::MulFOp>(op) ||
      !isa<Float16Type, Float32Type, Float64Type>(op->getResult(0).getType()))
    return false;
  size_t constants = llvm::count_if(op->getOperands(), [](Value factor) {
    return matchPattern(factor, m_Constant());
  });
  return constants < op->getNumOperands() &&
         (isa<arith::NegFOp>(op) || parent.getNumReductionLoops() == 0 ||
          constants > 0);
}

namespace {

struct ExpandScaling : wax::impl::ExpandScalingBase<ExpandScaling> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (wouldJoinSum(op))
        found.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : found) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, addToNothing(rewriter, op));
    }
  }
};

} // namespace
