//===- ControlSizes.cpp - The sizes of what branches and loops give -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dynamic size that a loop carries is the same in each turn when it is so
// before the first and no turn changes it. That is assumed for all of them;
// those that a turn is not seen to keep are given up, and the loop is looked at
// again without them, until nothing is given up any more.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/SymbolicSizes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::wax;

/// A value on its way through a loop: what it begins with, what a turn sees,
/// and what a turn gives.
struct SymbolicSizes::Carried {
  Value init, argument, yielded;
};

bool SymbolicSizes::isKnownOutside(AffineExpr expr, Operation *op) const {
  bool known = true;
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    Value value = symbol ? roots[symbol.getPosition()].value : Value();
    known &= !value || !op->isAncestor(value.getParentRegion()->getParentOp());
  });
  return known;
}

SmallVector<AffineExpr>
SymbolicSizes::getSizesOutside(Value tensor, Operation *op, Value as) {
  SmallVector<AffineExpr> found;
  auto type = cast<RankedTensorType>(as.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    AffineExpr size = getSize(tensor, dim);
    found.push_back(isKnownOutside(size, op) ? size : getRoot(as, dim));
  }
  return found;
}

void SymbolicSizes::forgetSizesIn(Operation *op) {
  for (Region &region : op->getRegions())
    region.walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        sizes.erase(argument);
      for (Operation &inner : *block)
        for (Value result : inner.getResults())
          sizes.erase(result);
    });
}

bool SymbolicSizes::computeControl(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    op = argument.getOwner()->getParentOp();
  if (auto branches = dyn_cast_if_present<scf::IfOp>(op))
    computeBranches(branches);
  else if (isa_and_present<scf::ForOp, scf::WhileOp>(op))
    computeLoop(op);
  else if (auto select = dyn_cast_if_present<arith::SelectOp>(op))
    // Branches that only choose have become this.
    computeChoice(tensor, {select.getTrueValue(), select.getFalseValue()}, op);
  return sizes.contains(tensor);
}

void SymbolicSizes::computeChoice(Value result, std::array<Value, 2> values,
                                  Operation *op) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type)
    return;
  SmallVector<AffineExpr> one = getSizesOutside(values[0], op, result);
  SmallVector<AffineExpr> other = getSizesOutside(values[1], op, result);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (one[dim] != other[dim])
      one[dim] = getRoot(result, dim);
  sizes[result] = std::move(one);
}

void SymbolicSizes::computeBranches(scf::IfOp op) {
  if (op.elseBlock())
    for (auto [result, then, otherwise] :
         llvm::zip_equal(op.getResults(), op.thenYield().getResults(),
                         op.elseYield().getResults()))
      computeChoice(result, {then, otherwise}, op);
}

void SymbolicSizes::computeLoop(Operation *op) {
  auto isTensor = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  SmallVector<Carried> carried;
  auto add = [&](ValueRange inits, ValueRange arguments, ValueRange yielded) {
    for (auto [init, argument, result] :
         llvm::zip_equal(inits, arguments, yielded))
      if (isTensor(argument))
        carried.push_back({init, argument, result});
  };
  auto loop = dyn_cast<scf::ForOp>(op);
  auto whileLoop = dyn_cast<scf::WhileOp>(op);
  if (loop)
    add(loop.getInits(), loop.getRegionIterArgs(), loop.getYieldedValues());
  else
    add(whileLoop.getInits(), whileLoop.getBeforeArguments(),
        whileLoop.getYieldOp().getResults());

  llvm::DenseSet<std::pair<Value, int64_t>> changing;
  bool isStable = false;
  while (!isStable) {
    for (const Carried &value : carried) {
      SmallVector<AffineExpr> assumed;
      auto type = cast<RankedTensorType>(value.argument.getType());
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        assumed.push_back(type.isDynamicDim(dim) &&
                                  changing.contains({value.argument, dim})
                              ? getRoot(value.argument, dim)
                              : getSize(value.init, dim));
      sizes[value.argument] = std::move(assumed);
    }
    // What a while loop tests is of one region, what it does of another.
    if (whileLoop)
      for (auto [passed, argument] :
           llvm::zip_equal(whileLoop.getConditionOp().getArgs(),
                           whileLoop.getAfterArguments()))
        if (isTensor(argument))
          sizes[argument] = getSizesOutside(passed, op, argument);
    // In order, so that no chain of relations is followed far.
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      if (inner == op || !isa<ShapeRelationOpInterface>(inner))
        return WalkResult::advance();
      for (Value result : inner->getResults())
        if (cast<RankedTensorType>(result.getType()).getRank())
          (void)getSize(result, 0);
      return WalkResult::skip();
    });
    isStable = true;
    for (const Carried &value : carried) {
      SmallVector<AffineExpr> assumed = sizes[value.argument];
      for (auto [dim, size] : llvm::enumerate(assumed))
        if (!changing.contains({value.argument, dim}) &&
            getSize(value.yielded, dim) != size) {
          changing.insert({value.argument, dim});
          isStable = false;
        }
    }
    if (!isStable)
      forgetSizesIn(op);
  }
  ValueRange last = loop ? ValueRange(loop.getRegionIterArgs())
                         : ValueRange(whileLoop.getConditionOp().getArgs());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), last))
    if (isTensor(result))
      sizes[result] = getSizesOutside(value, op, result);
}
