//===- KeepArguments.cpp - Arguments that are returned as they are --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPARGUMENTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct KeepArguments : wax::impl::KeepArgumentsBase<KeepArguments> {
  void runOnOperation() override {
    getOperation().walk([](func::ReturnOp op) {
      OpBuilder builder(op);
      for (OpOperand &operand : op->getOpOperands()) {
        auto argument = dyn_cast<BlockArgument>(operand.get());
        bool isOnlyReturned =
            argument && llvm::all_of(argument.getUsers(), [&](Operation *user) {
              return user == op || isa<tensor::DimOp>(user);
            });
        if (!argument || isOnlyReturned ||
            !isa<RankedTensorType>(argument.getType()))
          continue;
        operand.set(iree::createApart(
            builder, op.getLoc(), argument,
            tensor::getMixedSizes(builder, op.getLoc(), argument)));
      }
    });
  }
};
} // namespace
