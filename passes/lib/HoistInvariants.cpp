//===- HoistInvariants.cpp - What each turn of a loop has the same --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

namespace {
struct HoistInvariants : wax::impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    // Inner loops first: what leaves one may leave the one around it.
    getOperation().walk([](LoopLikeOpInterface loop) {
      bool hasChecks =
          loop->walk([](cf::AssertOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (isa<scf::ForOp, scf::WhileOp>(loop) && !hasChecks)
        moveLoopInvariantCode(loop);
    });
  }
};
} // namespace
