//===- KeepOverwritten.cpp - Updates in memory that others read -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overwrites.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPOVERWRITTEN
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// `tensor` in memory of its own; a copy, if it is in the memory of another.
static void setApart(OpOperand &tensor, bool isCopied) {
  Operation *user = tensor.getOwner();
  Location loc = user->getLoc();
  OpBuilder builder(user);
  Value value = tensor.get();
  if (isCopied)
    value = iree::createCopy(builder, loc, value);
  tensor.set(iree::createApart(builder, loc, value,
                               tensor::getMixedSizes(builder, loc, value)));
}

/// Gives an update a target of its own if something reads its memory later
/// unseen, and says what else is to be kept of it.
static std::optional<Overwritten> keepTarget(OpOperand &target) {
  Operation *update = target.getOwner();
  Overwritten memory(target.get());
  if (!memory.isReadBehindBarrier(update))
    return memory;
  OpBuilder builder(update);
  target.set(iree::createCopy(builder, update->getLoc(), target.get()));
  return std::nullopt;
}

static void keep(tensor::InsertSliceOp insert) {
  if (std::optional<Overwritten> memory = keepTarget(insert.getDestMutable());
      memory && !memory->takes(insert.getSource(), insert, insert))
    setApart(insert.getSourceMutable(), memory->isPart(insert.getSource()));
}

static void keep(iree::ScatterOp scatter) {
  std::optional<Overwritten> memory = keepTarget(scatter.getOriginalMutable());
  if (!memory)
    return;
  for (OpOperand *read :
       {&scatter.getUpdatesMutable(), &scatter.getIndicesMutable(),
        &scatter.getMaskMutable()})
    if (memory->isPart(read->get()))
      setApart(*read, /*isCopied=*/true);
}

namespace {
struct KeepOverwritten : wax::impl::KeepOverwrittenBase<KeepOverwritten> {
  void runOnOperation() override {
    SmallVector<Operation *> updates;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<iree::DispatchRegionOp>(op))
        return WalkResult::skip();
      if (isa<tensor::InsertSliceOp, iree::ScatterOp>(op))
        updates.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : updates) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        keep(insert);
      else
        keep(cast<iree::ScatterOp>(op));
    }
  }
};
} // namespace
