//===- ForsOfOpenSizes.cpp - Counted loops whose sizes are not known -----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FORSOFOPENSIZES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether a `scf.while` inside carries a tensor whose sizes are not all known.
static bool isAroundOpenWhile(scf::ForOp loop) {
  return loop
      .walk([](scf::WhileOp inner) {
        bool isOpen = llvm::any_of(inner.getResultTypes(), [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && !tensor.hasStaticShape();
        });
        return isOpen ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `size` is the size of `tensor` along `dim`.
static bool isDimOf(OpFoldResult size, Value tensor, int64_t dim) {
  auto value = dyn_cast<Value>(size);
  auto op = value ? value.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return op && op.getSource() == tensor && op.getConstantIndex() == dim;
}

/// Whether it can be seen that `value` has the open sizes of `carried`: it is
/// made of that, or as large as that.
static bool hasSizesOf(Value value, Value carried) {
  while (value != carried) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = insert.getDest();
    } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      value = insert.getDest();
    } else if (auto inits = dyn_cast<DestinationStyleOpInterface>(op)) {
      value = inits.getTiedOpOperand(cast<OpResult>(value))->get();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      auto type = cast<RankedTensorType>(carried.getType());
      return llvm::all_of(llvm::enumerate(empty.getMixedSizes()), [&](auto at) {
        auto [dim, size] = at;
        return !type.isDynamicDim(dim) || isDimOf(size, carried, dim);
      });
    } else {
      return false;
    }
  }
  return true;
}

/// Whether a turn may give a tensor that has other open sizes than it got.
static bool changesSizes(scf::ForOp loop) {
  return llvm::any_of(
      llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()),
      [](auto pair) {
        auto [carried, yielded] = pair;
        auto type = dyn_cast<RankedTensorType>(carried.getType());
        return type && !type.hasStaticShape() && !hasSizesOf(yielded, carried);
      });
}

/// Writes the loop as a `scf.while` that carries the number of the turn.
static void rewrite(scf::ForOp loop) {
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  auto types = llvm::to_vector(ValueRange(inits).getTypes());
  auto made = scf::WhileOp::create(
      builder, loc, types, inits,
      [&](OpBuilder &before, Location loc, ValueRange carried) {
        Value isLeft =
            arith::CmpIOp::create(before, loc, arith::CmpIPredicate::slt,
                                  carried[0], loop.getUpperBound());
        scf::ConditionOp::create(before, loc, isLeft, carried);
      },
      [&](OpBuilder &after, Location loc, ValueRange carried) {
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), carried[0]);
        mapping.map(loop.getRegionIterArgs(), carried.drop_front());
        for (Operation &op : loop.getBody()->without_terminator())
          after.clone(op, mapping);
        SmallVector<Value> next{
            arith::AddIOp::create(after, loc, carried[0], loop.getStep())};
        for (Value value : loop.getBody()->getTerminator()->getOperands())
          next.push_back(mapping.lookupOrDefault(value));
        scf::YieldOp::create(after, loc, next);
      });
  builder.replaceOp(loop, made.getResults().drop_front());
}

namespace {
struct ForsOfOpenSizes : wax::impl::ForsOfOpenSizesBase<ForsOfOpenSizes> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<iree::DispatchRegionOp>())
        loops.push_back(loop);
    });
    // Inner ones come first: what has become of them counts, and is cloned with
    // the outer ones.
    for (scf::ForOp loop : loops)
      if (isAroundOpenWhile(loop) || changesSizes(loop))
        rewrite(loop);
  }
};
} // namespace
