//===- ForsAroundWhiles.cpp - Counted loops around others -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FORSAROUNDWHILES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether a `scf.while` inside carries a tensor whose sizes are not all known.
static bool isAroundOpenWhile(scf::ForOp loop) {
  return loop
      .walk([](scf::WhileOp inner) {
        bool isOpen = llvm::any_of(inner.getResultTypes(), [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && !tensor.hasStaticShape();
        });
        return isOpen ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Writes the loop as a `scf.while` that carries the number of the turn.
static void rewrite(scf::ForOp loop) {
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  auto types = llvm::to_vector(ValueRange(inits).getTypes());
  auto made = scf::WhileOp::create(
      builder, loc, types, inits,
      [&](OpBuilder &before, Location loc, ValueRange carried) {
        Value isLeft =
            arith::CmpIOp::create(before, loc, arith::CmpIPredicate::slt,
                                  carried[0], loop.getUpperBound());
        scf::ConditionOp::create(before, loc, isLeft, carried);
      },
      [&](OpBuilder &after, Location loc, ValueRange carried) {
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), carried[0]);
        mapping.map(loop.getRegionIterArgs(), carried.drop_front());
        for (Operation &op : loop.getBody()->without_terminator())
          after.clone(op, mapping);
        SmallVector<Value> next{
            arith::AddIOp::create(after, loc, carried[0], loop.getStep())};
        for (Value value : loop.getBody()->getTerminator()->getOperands())
          next.push_back(mapping.lookupOrDefault(value));
        scf::YieldOp::create(after, loc, next);
      });
  builder.replaceOp(loop, made.getResults().drop_front());
}

namespace {
struct ForsAroundWhiles : wax::impl::ForsAroundWhilesBase<ForsAroundWhiles> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && !loop->getParentOfType<iree::DispatchRegionOp>() &&
          isAroundOpenWhile(loop))
        loops.push_back(loop);
    });
    // Inner ones come first, and are cloned with the outer ones as they are.
    for (scf::ForOp loop : loops)
      rewrite(loop);
  }
};
} // namespace
