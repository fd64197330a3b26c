//===- Carries.cpp - What loops carry -------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a loop carries more than it needs: all that went into each
// turn, and cotangents of stacked results, which turn zero once they were read.
//
//===----------------------------------------------------------------------===//

#include "Carries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "wax/Dialect/Wax.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

/// Which of what a loop carries is read: after it, by what has an effect, or on
/// the way to what is read.
static llvm::SmallBitVector getRead(scf::ForOp loop) {
  Block &body = *loop.getBody();
  Operation *end = body.getTerminator();
  llvm::SmallBitVector read(loop.getNumResults());
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> pending;
  auto reach = [&](Operation *op) {
    if (seen.insert(op).second)
      op->walk([&](Operation *inner) {
        llvm::append_range(pending, inner->getOperands());
      });
  };
  for (Operation &op : body.without_terminator())
    if (!isMemoryEffectFree(&op))
      reach(&op);
  for (OpResult result : loop.getResults())
    if (!result.use_empty())
      pending.push_back(loop.getRegionIterArg(result.getResultNumber()));
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != &body || argument.getArgNumber() == 0)
        continue;
      unsigned place = argument.getArgNumber() - 1;
      if (!read.test(place))
        pending.push_back(end->getOperand(place));
      read.set(place);
    } else if (Operation *op =
                   body.findAncestorOpInBlock(*value.getDefiningOp())) {
      reach(op);
    }
  }
  return read;
}

/// Whether an offset differs from turn to turn, and needs no clamping between 0
/// and `size`: the turn, or a number less the turn.
static bool isDistinct(OpFoldResult offset, scf::ForOp loop, int64_t size) {
  std::optional<int64_t> count = getConstantIntValue(loop.getUpperBound());
  if (ShapedType::isDynamic(size) || !count || *count > size ||
      getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return false;
  auto value = dyn_cast<Value>(offset);
  if (value == loop.getInductionVar())
    return true;
  auto from = value ? value.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  if (!from || from.getRhs() != loop.getInductionVar())
    return false;
  std::optional<int64_t> last = getConstantIntValue(from.getLhs());
  return last && *last >= *count - 1 && *last < size;
}

/// Whether each turn reads and changes a row of its own of a carried tensor.
static bool readsRowsOfItsOwn(scf::ForOp loop, BlockArgument argument) {
  auto end = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  auto changed =
      end.getOperand(argument.getArgNumber() - 1).getDefiningOp<InsertOp>();
  if (!changed || changed.getOperand() != argument || !changed->hasOneUse() ||
      changed.getUpdate() == argument)
    return false;
  SmallVector<OpFoldResult> offsets = changed.getMixedOffsets();
  auto type = cast<RankedTensorType>(argument.getType());
  auto rows = cast<RankedTensorType>(changed.getUpdate().getType());
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    if (rows.getDimSize(dim) != 1 ||
        !isDistinct(offset, loop, type.getDimSize(dim)))
      continue;
    return llvm::all_of(argument.getUsers(), [&, dim = dim](Operation *user) {
      if (user == changed)
        return true;
      auto slice = dyn_cast<SliceOp>(user);
      return slice && slice.getMixedOffsets()[dim] == offsets[dim] &&
             cast<RankedTensorType>(slice.getType()).getDimSize(dim) == 1;
    });
  }
  return false;
}

namespace {
struct PassOnUnread : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    Operation *end = loop.getBody()->getTerminator();
    llvm::SmallBitVector read = getRead(loop);
    SmallVector<unsigned> places;
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      // Upstream's patterns may pass on what it starts from in its place.
      Operation *made = end->getOperand(i).getDefiningOp();
      if (made && loop->isAncestor(made) && loop.getResult(i).use_empty() &&
          (!read.test(i) || readsRowsOfItsOwn(loop, argument)))
        places.push_back(i);
    }
    if (places.empty())
      return failure();
    rewriter.modifyOpInPlace(end, [&] {
      for (unsigned place : places)
        end->setOperand(place, loop.getRegionIterArg(place));
    });
    return success();
  }
};
} // namespace

void mlir::wax::populateCarryPatterns(RewritePatternSet &patterns) {
  patterns.add<PassOnUnread>(patterns.getContext());
}
