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
#include "mlir/Interfaces/FunctionInterfaces.h"

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

/// Whether parts of what a loop carries may be written over in its turns.
static bool isUpdated(Value carried) {
  return llvm::any_of(carried.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return &insert.getDestMutable() == &use;
    if (auto scatter = dyn_cast<iree::ScatterOp>(user))
      return &scatter.getOriginalMutable() == &use;
    if (auto condition = dyn_cast<scf::ConditionOp>(user))
      return use.getOperandNumber() > 0 &&
             isUpdated(condition->getParentOfType<scf::WhileOp>()
                           .getAfterArguments()[use.getOperandNumber() - 1]);
    if (auto loop = dyn_cast<LoopLikeOpInterface>(user)) {
      Value inside = loop.getTiedLoopRegionIterArg(&use);
      return inside && isUpdated(inside);
    }
    return iree::isView(user) && !isa<tensor::ExtractSliceOp>(user) &&
           isUpdated(user->getResult(0));
  });
}

/// Whether a tensor, or what shows its elements, is read where `loop` has begun
/// to write over them.
static bool isReadSince(Value tensor, Operation *loop) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (user == loop || isa<tensor::DimOp>(user))
      return false;
    if (iree::isView(user) && isReadSince(user->getResult(0), loop))
      return true;
    Operation *beside = loop->getBlock()->findAncestorOpInBlock(*user);
    return !beside || !beside->isBeforeInBlock(loop);
  });
}

/// Gives a tensor of its own to each value that a loop updates and that begins
/// with what is not the loop's to write over: IREE 3.13 would copy all of it in
/// each turn.
static void separateFromOthers(LoopLikeOpInterface loop) {
  for (OpOperand &init : loop.getInitsMutable()) {
    if (!isa<RankedTensorType>(init.get().getType()))
      continue;
    Value begun = iree::getViewed(init.get());
    bool isForeign = begun.getParentBlock() != loop->getBlock() ||
                     begun.getDefiningOp<arith::ConstantOp>() ||
                     (isa<BlockArgument>(begun) &&
                      isa<FunctionOpInterface>(loop->getParentOp()));
    if ((!isForeign && !isReadSince(begun, loop)) ||
        !isUpdated(loop.getTiedLoopRegionIterArg(&init)))
      continue;
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    if (!fill) {
      iree::setCopy(init);
      continue;
    }
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    // No compiler sees that it is filled as the other one is.
    Value element = fill.getInputs().front();
    element = iree::OptimizationBarrierOp::create(builder, loc,
                                                  element.getType(), element)
                  .getResult(0);
    init.set(
        linalg::FillOp::create(builder, loc, element, fill.getOutputs().front())
            .getResult(0));
  }
}

/// Begins a loop with constants where it begins with tensors that are filled
/// with them: of these IREE 3.13 makes globals, filled when the program is
/// loaded and copied at each call.
static void beginWithConstants(LoopLikeOpInterface loop) {
  for (OpOperand &init : loop.getInitsMutable()) {
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    if (!fill)
      continue;
    Attribute element = getConstantFilling(init.get());
    auto type = cast<RankedTensorType>(init.get().getType());
    if (!element || !type.hasStaticShape() || iree::hasNoElements(type))
      continue;
    OpBuilder builder(fill);
    init.set(arith::ConstantOp::create(builder, fill.getLoc(),
                                       DenseElementsAttr::get(type, element)));
    if (fill->use_empty())
      fill->erase();
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
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
        separate(loop.getInitsMutable());
        separateFromOthers(loop);
      } else if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
        separateFromOutside(op);
        separate(op->getOpOperands());
      } else if (auto nest = dyn_cast<linalg::LinalgOp>(op))
        collectStarts(nest, shared);
    });
    for (OpOperand *start : shared)
      iree::setCopy(*start);
    // Last: above, a fill that several loops begin with is theirs apart.
    iree::walkHost(getOperation(), [](Operation *op) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        beginWithConstants(loop);
    });
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
