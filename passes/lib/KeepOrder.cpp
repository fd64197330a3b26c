//===- KeepOrder.cpp - What comes before a loop, and what after -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPORDER
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct KeepOrder : wax::impl::KeepOrderBase<KeepOrder> {
  void runOnOperation() override {
    iree::walkHost(getOperation(), [](Operation *op) {
      if (!iree::isControlFlow(op))
        return;
      OpBuilder builder(op);
      Location loc = op->getLoc();
      Value any = arith::ConstantIntOp::create(builder, loc, 1, 1);
      iree::OptimizationBarrierOp::create(builder, loc, any.getType(), any);
    });
  }
};
} // namespace
