//===- KeepOrder.cpp - What comes before a loop, and what after -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPORDER
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct KeepOrder : wax::impl::KeepOrderBase<KeepOrder> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      if (isa<iree::DispatchRegionOp, linalg::LinalgOp>(op))
        return WalkResult::skip();
      if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op)) {
        OpBuilder builder(op);
        Location loc = op->getLoc();
        Value any = arith::ConstantIntOp::create(builder, loc, 1, 1);
        iree::OptimizationBarrierOp::create(builder, loc, any.getType(), any);
      }
      return WalkResult::advance();
    });
  }
};
} // namespace
