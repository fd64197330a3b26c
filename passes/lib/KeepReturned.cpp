//===- KeepReturned.cpp - What is returned, and updated too ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPRETURNED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether `use` may update the tensor in place.
static bool isUpdate(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto writes = dyn_cast<DestinationStyleOpInterface>(op))
    return writes.isDpsInit(&use);
  return isa<LoopLikeOpInterface>(op);
}

/// Whether a tensor that is returned, or one that it is a view of, may be
/// updated too. Of an argument, whatever else reads it may.
static bool isUpdated(Value tensor, Operation *end) {
  tensor = iree::getViewed(tensor);
  if (isa<BlockArgument>(tensor))
    return !llvm::all_of(tensor.getUsers(), [&](Operation *user) {
      return user == end || isa<tensor::DimOp>(user);
    });
  SmallVector<Value> views{tensor};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      if (isUpdate(use))
        return true;
      if (iree::isView(use.getOwner()))
        views.push_back(use.getOwner()->getResult(0));
    }
  return false;
}

namespace {
struct KeepReturned : wax::impl::KeepReturnedBase<KeepReturned> {
  void runOnOperation() override {
    getOperation().walk([](func::ReturnOp op) {
      OpBuilder builder(op);
      for (OpOperand &operand : op->getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()) &&
            isUpdated(operand.get(), op))
          operand.set(iree::createApart(
              builder, op.getLoc(), operand.get(),
              tensor::getMixedSizes(builder, op.getLoc(), operand.get())));
    });
  }
};
} // namespace
