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
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPOVERWRITTEN
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// `tensor` in memory of its own; a copy, if it is in the memory of another.
static void setApart(OpOperand &tensor, bool isCopied) {
  if (isCopied)
    iree::setCopy(tensor);
  Operation *user = tensor.getOwner();
  Location loc = user->getLoc();
  OpBuilder builder(user);
  tensor.set(
      iree::createApart(builder, loc, tensor.get(),
                        tensor::getMixedSizes(builder, loc, tensor.get())));
}

/// Whether something may read memory later than `op` writes to it.
static bool isReadUnseen(const Overwritten &memory, Operation *op) {
  return memory.isReadBehindBarrier(op) || memory.isReadUnordered(op);
}

/// An update writes to its target, `memory`, and so does the loop or branch
/// that it is in.
static void keepTarget(const Overwritten &memory, OpOperand &target) {
  Operation *op = target.getOwner();
  if (memory.isOutside(op))
    return iree::setCopy(target);
  do {
    if (isReadUnseen(memory, op))
      return iree::setCopy(target);
    op = op->getParentOp();
  } while (isa<scf::SCFDialect>(op->getDialect()));
}

static void keep(tensor::InsertSliceOp insert) {
  OpOperand &target = insert.getDestMutable();
  Overwritten memory(target.get());
  if (!memory.takes(insert.getSource(), insert, insert))
    setApart(insert.getSourceMutable(), memory.isPart(insert.getSource()));
  keepTarget(memory, target);
}

static void keep(iree::ScatterOp scatter) {
  OpOperand &target = scatter.getOriginalMutable();
  Overwritten memory(target.get());
  for (OpOperand *read :
       {&scatter.getUpdatesMutable(), &scatter.getIndicesMutable(),
        &scatter.getMaskMutable()})
    if (memory.isPart(read->get()))
      setApart(*read, /*isCopied=*/true);
  keepTarget(memory, target);
}

/// Loops write over what they begin with.
static void keep(LoopLikeOpInterface loop) {
  for (OpOperand &init : loop.getInitsMutable())
    if (isa<RankedTensorType>(init.get().getType()) &&
        isReadUnseen(Overwritten(init.get()), loop))
      iree::setCopy(init);
}

namespace {
struct KeepOverwritten : wax::impl::KeepOverwrittenBase<KeepOverwritten> {
  void runOnOperation() override {
    SmallVector<Operation *> updates;
    iree::walkHost(getOperation(), [&](Operation *op) {
      if (isa<tensor::InsertSliceOp, iree::ScatterOp, scf::ForOp, scf::WhileOp>(
              op))
        updates.push_back(op);
    });
    for (Operation *op : updates) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        keep(insert);
      else if (auto scatter = dyn_cast<iree::ScatterOp>(op))
        keep(scatter);
      else
        keep(cast<LoopLikeOpInterface>(op));
    }
  }
};
} // namespace
