//===- KeepCarried.cpp - What a `scf.while` carries it passes on ----------===//
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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPCARRIED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether the condition passes on as many values as the loop is given, and of
/// the same types.
static bool isAligned(scf::WhileOp loop) {
  return loop.getConditionOp().getArgs().getTypes() ==
         loop.getInits().getTypes();
}

/// A value that nothing will read; null for a tensor of open sizes.
static Value createUnread(OpBuilder &builder, Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  if (!tensor.hasStaticShape())
    return Value();
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

/// Writes a loop so that it passes on what it is given, in its place; what the
/// condition computes besides is carried too, from the end of one turn to that
/// of the next.
static scf::WhileOp align(scf::WhileOp loop) {
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  Block &before = loop.getBefore().front();
  SmallVector<Value> inits(loop.getInits()), passed(before.getArguments());
  // Where each result is among what the new loop carries.
  SmallVector<size_t> places;
  for (Value value : condition.getArgs()) {
    auto *known = llvm::find(passed, value);
    places.push_back(known - passed.begin());
    if (known != passed.end())
      continue;
    Value unread = createUnread(builder, loc, value.getType());
    if (!unread)
      return loop;
    inits.push_back(unread);
    passed.push_back(value);
  }
  auto made =
      scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits);
  ArrayRef<Value> extra =
      ArrayRef<Value>(inits).drop_front(loop.getInits().size());
  made.getBefore().takeBody(loop.getBefore());
  for (Value value : extra)
    made.getBefore().addArgument(value.getType(), loc);
  builder.modifyOpInPlace(condition,
                          [&] { condition.getArgsMutable().assign(passed); });

  made.getAfter().takeBody(loop.getAfter());
  Block &after = made.getAfter().front();
  unsigned old = after.getNumArguments();
  for (Value value : inits)
    after.addArgument(value.getType(), loc);
  for (auto [argument, place] :
       llvm::zip_equal(after.getArguments().take_front(old), places))
    argument.replaceAllUsesWith(after.getArgument(old + place));
  after.eraseArguments(0, old);
  after.getTerminator()->insertOperands(
      after.getTerminator()->getNumOperands(),
      after.getArguments().take_back(extra.size()));

  SmallVector<Value> results = llvm::map_to_vector(
      places, [&](size_t place) -> Value { return made.getResult(place); });
  builder.replaceOp(loop, results);
  return made;
}

/// `values` with the open sizes of tensors without elements in their place.
static SmallVector<Value> toSizes(OpBuilder &builder, Location loc,
                                  ValueRange values) {
  SmallVector<Value> carried;
  for (Value value : values) {
    if (!iree::hasNoElements(value.getType())) {
      carried.push_back(value);
      continue;
    }
    if (auto made = value.getDefiningOp<tensor::EmptyOp>()) {
      llvm::append_range(carried, made.getDynamicSizes());
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        carried.push_back(builder.createOrFold<tensor::DimOp>(loc, value, dim));
  }
  return carried;
}

/// Values of which `carried` has the sizes where they are without elements; of
/// those without open sizes there are tensors in `made`.
static SmallVector<Value> fromSizes(OpBuilder &builder, Location loc,
                                    ArrayRef<Value> made, TypeRange types,
                                    ValueRange carried) {
  SmallVector<Value> values;
  for (auto [value, type] : llvm::zip_equal(made, types)) {
    if (value) {
      values.push_back(value);
      continue;
    }
    if (!iree::hasNoElements(type)) {
      values.push_back(carried.front());
      carried = carried.drop_front();
      continue;
    }
    auto tensor = cast<RankedTensorType>(type);
    ValueRange sizes = carried.take_front(tensor.getNumDynamicDims());
    carried = carried.drop_front(sizes.size());
    values.push_back(tensor::EmptyOp::create(builder, loc, tensor, sizes));
  }
  return values;
}

/// Takes tensors without elements from what an aligned loop carries, but for
/// their sizes.
static void dropEmpty(scf::WhileOp loop) {
  if (llvm::none_of(loop.getResultTypes(), iree::hasNoElements))
    return;
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  auto types = llvm::to_vector(loop.getResultTypes());
  SmallVector<Value> made = llvm::map_to_vector(types, [&](Type type) {
    return iree::hasNoElements(type) && cast<ShapedType>(type).hasStaticShape()
               ? createUnread(builder, loc, type)
               : Value();
  });
  SmallVector<Value> inits = toSizes(builder, loc, loop.getInits());
  auto smaller =
      scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits);
  for (auto [from, to] : {std::pair(&loop.getBefore(), &smaller.getBefore()),
                          std::pair(&loop.getAfter(), &smaller.getAfter())}) {
    to->takeBody(*from);
    Block &block = to->front();
    unsigned old = block.getNumArguments();
    for (Value init : inits)
      block.addArgument(init.getType(), loc);
    builder.setInsertionPointToStart(&block);
    SmallVector<Value> seen = fromSizes(builder, loc, made, types,
                                        block.getArguments().drop_front(old));
    for (auto [argument, value] :
         llvm::zip_equal(block.getArguments().take_front(old), seen))
      argument.replaceAllUsesWith(value);
    block.eraseArguments(0, old);
  }
  scf::ConditionOp condition = smaller.getConditionOp();
  builder.setInsertionPoint(condition);
  condition.getArgsMutable().assign(toSizes(builder, loc, condition.getArgs()));
  scf::YieldOp yield = smaller.getYieldOp();
  builder.setInsertionPoint(yield);
  yield.getResultsMutable().assign(toSizes(builder, loc, yield.getResults()));
  builder.setInsertionPointAfter(smaller);
  builder.replaceOp(loop,
                    fromSizes(builder, loc, made, types, smaller.getResults()));
}

namespace {
struct KeepCarried : wax::impl::KeepCarriedBase<KeepCarried> {
  void runOnOperation() override {
    // IREE drops the same, and a loop that was aligned is so no more.
    if (failed(dropUnread()))
      return signalPassFailure();
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) {
      if (!loop->getParentOfType<iree::DispatchRegionOp>() &&
          llvm::any_of(loop.getInits().getTypes(), llvm::IsaPred<TensorType>))
        loops.push_back(loop);
    });
    for (scf::WhileOp loop : loops) {
      if (!isAligned(loop))
        loop = align(loop);
      // Of open sizes it may have stayed as it is.
      if (isAligned(loop))
        dropEmpty(loop);
    }
  }

private:
  /// Drops what nobody reads, also of what loops carry, and what these pass on
  /// as it is.
  LogicalResult dropUnread() {
    IRRewriter rewriter(&getContext());
    for (Region &region : getOperation()->getRegions())
      (void)runRegionDCE(rewriter, region);
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::WhileOp::getCanonicalizationPatterns(patterns, &getContext());
    SmallVector<Operation *> loops;
    iree::walkHost(getOperation(), [&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        loops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(loops, std::move(patterns), config);
  }
};
} // namespace
