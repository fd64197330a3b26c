//===- HoistInvariants.cpp - What each turn of a loop has the same --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether a turn gives what it got, or again what the loop begins with.
static bool isKept(Value yielded, Value carried, Value init) {
  Value given = withoutCasts(yielded);
  return given == carried || given == withoutCasts(init);
}

/// Takes what each turn of a loop keeps from outside: nothing else is ever
/// carried in its place.
static void takeFromOutside(scf::ForOp loop) {
  for (auto [i, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    BlockArgument carried = loop.getRegionIterArg(i);
    Value init = loop.getInitArgs()[i];
    if (!isKept(yielded, carried, init))
      continue;
    carried.replaceAllUsesWith(init);
    loop.getBody()->getTerminator()->setOperand(i, carried);
    loop.getResult(i).replaceAllUsesWith(init);
  }
}

/// A `scf.while` may pass it on at another place, as a tensor of another type.
static void takeFromOutside(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  scf::YieldOp yield = loop.getYieldOp();
  for (auto [i, passed] : llvm::enumerate(condition.getArgs())) {
    auto carried = dyn_cast<BlockArgument>(withoutCasts(passed));
    if (!carried || carried.getOwner() != loop.getBeforeBody())
      continue;
    unsigned place = carried.getArgNumber();
    BlockArgument seen = loop.getAfterBody()->getArgument(i);
    Value init = loop.getInits()[place];
    if (!isKept(yield->getOperand(place), seen, init))
      continue;
    OpBuilder builder(loop);
    Value given = init;
    if (init.getType() != seen.getType())
      given =
          tensor::CastOp::create(builder, loop.getLoc(), seen.getType(), init);
    seen.replaceAllUsesWith(given);
    loop.getResult(i).replaceAllUsesWith(given);
    carried.replaceAllUsesWith(init);
    yield->setOperand(place, init);
  }
}

namespace {
struct HoistInvariants : wax::impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may leave the one around it.
    getOperation().walk([](LoopLikeOpInterface loop) {
      if (auto counted = dyn_cast<scf::ForOp>(*loop))
        takeFromOutside(counted);
      else if (auto tested = dyn_cast<scf::WhileOp>(*loop))
        takeFromOutside(tested);
      bool hasChecks =
          loop->walk([](cf::AssertOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (isa<scf::ForOp, scf::WhileOp>(loop) && !hasChecks)
        moveLoopInvariantCode(loop);
    });
  }
};
} // namespace
