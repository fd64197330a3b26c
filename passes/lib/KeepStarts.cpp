//===- KeepStarts.cpp - What reductions and loops begin with --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlan.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPSTARTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Gives a tensor of its own to each of `operands` that stands among them
/// before, or that IREE finds to be one that does: two of zeros.
static void separate(MutableArrayRef<OpOperand> operands) {
  SmallVector<Value> seen;
  for (OpOperand &operand : operands) {
    Value tensor = operand.get();
    if (!isa<RankedTensorType>(tensor.getType()))
      continue;
    if (llvm::any_of(seen, [&](Value other) {
          return other == tensor || (other.getType() == tensor.getType() &&
                                     areFilledAlike(other, tensor));
        }))
      iree::setCopy(operand);
    else
      seen.push_back(tensor);
  }
}

/// Gives a tensor of its own to each result of a region that was made outside,
/// and of a branch where others read it: IREE 3.13 takes a result for new, and
/// writes to it in place.
static void separateFromOutside(Operation *end) {
  Operation *parent = end->getParentOp();
  bool isBranch = isa<scf::IfOp>(parent);
  for (OpOperand &operand : end->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    Value viewed = iree::getViewed(operand.get());
    bool isOutside =
        !parent->isAncestor(viewed.getParentBlock()->getParentOp());
    bool isElsewhere = llvm::any_of(viewed.getUsers(), [&](Operation *user) {
      return !parent->isAncestor(user);
    });
    if (!isOutside || (isBranch && !isElsewhere))
      continue;
    iree::setCopy(operand);
  }
}

namespace {
struct KeepStarts : wax::impl::KeepStartsBase<KeepStarts> {
  void runOnOperation() override {
    SmallVector<OpOperand *> shared;
    iree::walkHost(getOperation(), [&](Operation *op) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        separate(loop.getInitsMutable());
      else if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
        separateFromOutside(op);
        separate(op->getOpOperands());
      } else if (auto nest = dyn_cast<linalg::LinalgOp>(op))
        collectStarts(nest, shared);
    });
    for (OpOperand *start : shared)
      iree::setCopy(*start);
  }

private:
  /// What `nest` folds into, where a `linalg.generic` makes it for others too.
  static void collectStarts(linalg::LinalgOp nest,
                            SmallVectorImpl<OpOperand *> &shared) {
    if (nest.getNumParallelLoops() == nest.getNumLoops())
      return;
    for (OpOperand &start : nest.getDpsInitsMutable())
      if (start.get().getDefiningOp<linalg::GenericOp>() &&
          !start.get().hasOneUse())
        shared.push_back(&start);
  }
};
} // namespace
