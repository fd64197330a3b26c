//===- ReduceVectors.cpp - Folds by vectors -------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReduceVectors.h"

#include "Along.h"
#include "VectorFold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// How vectors may lie, if what is folded may be lanes: along the reduced dims
/// where these are the last, else along those after them.
static std::optional<Layout> getLayout(ReduceOp reduce, int64_t rank) {
  ArrayRef<int64_t> dims = reduce.getDims();
  if (!reduce.hasCombine() || dims.empty() ||
      dims.back() - dims.front() + 1 != static_cast<int64_t>(dims.size()) ||
      !llvm::all_of(reduce.getInits(), [](Value init) {
        return isLaneType(getElementTypeOrSelf(init));
      }))
    return std::nullopt;
  return dims.back() + 1 == rank ? Layout::Rows : Layout::Columns;
}

bool mlir::wax::isSpread(ReduceOp reduce) {
  auto type = cast<RankedTensorType>(reduce.getInputs()[0].getType());
  SmallVector<Value> seen(reduce.getResults());
  llvm::SmallPtrSet<Operation *, 8> found;
  while (!seen.empty())
    for (Operation *user : seen.pop_back_val().getUsers()) {
      if (user->getBlock() != reduce->getBlock() ||
          !isa<MapOp, BroadcastOp>(user) || !found.insert(user).second)
        continue;
      auto made = cast<RankedTensorType>(user->getResult(0).getType());
      if (made.getShape() == type.getShape())
        return true;
      if (made.getRank() + reduce.getDims().size() ==
          static_cast<size_t>(type.getRank()))
        seen.push_back(user->getResult(0));
    }
  return false;
}

/// Whether loops make what is folded of what another reduction that stays
/// folded rows into.
static bool isOfFolds(ReduceOp reduce) {
  SmallVector<Value> seen(reduce.getInputs());
  llvm::SmallPtrSet<Operation *, 8> found;
  while (!seen.empty()) {
    Operation *op = seen.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != reduce->getBlock() || !found.insert(op).second)
      continue;
    auto fold = dyn_cast<ReduceOp>(op);
    if (fold && fold.getDims() == reduce.getDims())
      return true;
    if (auto map = dyn_cast<linalg::GenericOp>(op);
        map && map.getNumParallelLoops() == map.getNumLoops())
      llvm::append_range(seen, map.getInputs());
  }
  return false;
}

bool mlir::wax::isReadAlongRows(ReduceOp reduce, RewriterBase &rewriter,
                                LoweringContext &context) {
  int64_t rank =
      cast<RankedTensorType>(reduce.getInputs()[0].getType()).getRank();
  if (!context.usesVectors() || getLayout(reduce, rank) != Layout::Rows ||
      !(isSpread(reduce) || isOfFolds(reduce)))
    return false;
  VectorFold folds(rewriter, reduce, Layout::Rows, rank);
  if (!folds.isPossible())
    return false;
  folds.sizes =
      context.getSizes(rewriter, reduce.getLoc(), reduce.getInputs()[0]);
  return folds.isWorthChains(context.isAlone());
}

std::optional<SmallVector<Value>>
mlir::wax::reduceByVectors(ReduceOp reduce, RewriterBase &rewriter,
                           LoweringContext &context) {
  Location loc = reduce.getLoc();
  int64_t rank =
      cast<RankedTensorType>(reduce.getInputs()[0].getType()).getRank();
  std::optional<Layout> layout = getLayout(reduce, rank);
  if (!layout || reduce->use_empty())
    return std::nullopt;
  VectorFold folds(rewriter, reduce, *layout, rank);
  if (!folds.isPossible())
    return std::nullopt;

  folds.sizes = context.getSizes(rewriter, loc, reduce.getInputs()[0]);
  bool isRows = layout == Layout::Rows;
  OpFoldResult count = multiply(rewriter, loc, folds.getOuter());
  OpFoldResult along =
      multiply(rewriter, loc, isRows ? folds.getReduced() : folds.getInner());
  if (folds.isBetterLeft(along, context.isAlone()))
    return std::nullopt;
  folds.chooseLanes(along);
  folds.reader.mergeRows(rewriter, loc);

  // Of a single row of columns, these are dealt to workgroups.
  bool isDealtByColumns = !isRows && getConstantIntValue(count) == 1;
  OpFoldResult block;
  if (!isRows)
    block = folds.chooseBlock(rewriter, loc, along);
  SmallVector<OpFoldResult> madeSizes;
  if (!isDealtByColumns)
    madeSizes.push_back(count);
  if (!isRows)
    madeSizes.push_back(along);
  SmallVector<RowsOutput> outputs;
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    // Accumulators of columns are kept in memory.
    if (isRows && result.use_empty())
      continue;
    Type stored = getStoredType(context, getElementTypeOrSelf(result));
    folds.needed.push_back(i);
    outputs.push_back({getTensorType(madeSizes, stored), madeSizes});
  }
  SmallVector<Value> made;
  if (std::optional<OpFoldResult> pieces =
          folds.choosePieces(rewriter, loc, count, along))
    made = folds.emitInPieces(rewriter, loc, context, count, along, *pieces,
                              outputs);
  else if (isDealtByColumns)
    made = emitRows(
        rewriter, loc, context, outputs, /*rowDim=*/0,
        [&](OpBuilder &builder, Location loc, Value first, Value end,
            ValueRange empties) {
          Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
          SmallVector<Value> indices(folds.getOuter().size(), zero);
          Value width = builder.createOrFold<arith::SubIOp>(loc, end, first);
          return folds.foldBlock(builder, loc, indices, first,
                                 getAsOpFoldResult(width), empties, zero);
        },
        block);
  else
    made = emitEachRow(
        rewriter, loc, context, outputs,
        [&](OpBuilder &body, Location loc, Value row, Value at,
            ValueRange carried) {
          SmallVector<Value> indices =
              getRowIndices(body, loc, row, folds.getOuter());
          if (!isRows)
            return folds.foldColumns(body, loc, indices, along, block, carried,
                                     at);
          Value start = arith::ConstantIndexOp::create(body, loc, 0);
          return writeElements(body, loc,
                               folds.foldRow(body, loc, indices, start, along),
                               carried, at);
        });

  SmallVector<Value> results;
  SmallVector<OpFoldResult> dealt = llvm::to_vector(
      llvm::concat<const OpFoldResult>(folds.getOuter(), folds.getInner()));
  SmallVector<ArrayRef<OpFoldResult>> groups = {folds.getOuter(),
                                                folds.getInner()};
  if (isDealtByColumns)
    groups = {dealt};
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    auto *place = llvm::find(folds.needed, i);
    if (place == folds.needed.end()) {
      results.push_back(createEmptyLike(rewriter, loc, result, context));
      continue;
    }
    results.push_back(splitDims(rewriter, loc, context.getTarget(),
                                made[place - folds.needed.begin()], type,
                                groups));
  }
  return results;
}
