//===- ReduceVectors.cpp - Folds by vectors
//-----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE 3.13 vectorizes a reduction where a row is a multiple of 16 long, known,
// and folded into one accumulator by one operation. Others it folds element by
// element. Here every lane folds elements of its own; then `combine` folds the
// upper half of the lanes into the lower one, until one is left.
//
// Along dims that others follow each lane folds a column of its own.
//
//===----------------------------------------------------------------------===//

#include "ReduceVectors.h"

#include "Along.h"
#include "Dispatch.h"
#include "Rows.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Rows shorter than this are unrolled by IREE.
constexpr int64_t shortestRow = 8;
/// What IREE's own vectors of a row have to divide.
constexpr int64_t ownLanes = 16;

/// Folding more than these by itself takes longer than a dispatch costs.
constexpr int64_t mostOfTurn = 512;

/// Registers of accumulators for columns: what is read of one element of a row
/// after the other lies far apart, and a longer piece costs no more.
constexpr int64_t columnRegisters = 4;

/// Which elements lie side by side in vectors.
enum class Layout { Rows, Columns };

struct VectorFold {
  ReduceOp reduce;
  Layout layout;
  int64_t rank;
  ScalarCode fold, combine;
  SmallVector<Attribute> constants;
  RowReader reader;
  SmallVector<OpFoldResult> sizes;
  int64_t lanes = 0;
  /// The accumulators whose results are needed.
  SmallVector<unsigned> needed;

  VectorFold(OpBuilder &builder, ReduceOp reduce, Layout layout, int64_t rank)
      : reduce(reduce), layout(layout), rank(rank),
        fold(builder, reduce.getFold(), getConstants(reduce)),
        combine(builder, reduce.getCombine()), constants(getConstants(reduce)),
        reader(reduce, rank,
               layout == Layout::Rows ? reduce.getDims().size()
                                      : rank - reduce.getDims().back() - 1) {}

  static SmallVector<Attribute> getConstants(ReduceOp reduce) {
    return llvm::map_to_vector(reduce.getInputs(), getConstantElement);
  }

  bool isPossible() {
    if (!fold.hasLanes() || !combine.hasLanes() ||
        llvm::all_of(constants, [](Attribute value) { return value; }))
      return false;
    for (auto [input, constant] :
         llvm::zip_equal(reduce.getInputs(), constants))
      if (!constant && !reader.add(input))
        return false;
    return !reader.hasExpansion();
  }

  /// The sizes of the dims before the reduced ones, of these, and after.
  ArrayRef<OpFoldResult> getOuter() {
    return ArrayRef(sizes).take_front(reduce.getDims().front());
  }
  ArrayRef<OpFoldResult> getReduced() {
    return ArrayRef(sizes).slice(reduce.getDims().front(),
                                 reduce.getDims().size());
  }
  ArrayRef<OpFoldResult> getInner() {
    return ArrayRef(sizes).drop_front(reduce.getDims().back() + 1);
  }

  /// Whether the turn of a loop folds so little that the loop may become one
  /// dispatch, which `wax-dispatch-loops` sees by `linalg`.
  bool isOfTurn() {
    int64_t elements = 1;
    for (OpFoldResult size : sizes)
      elements = std::min(
          elements * getConstantIntValue(size).value_or(mostOfTurn + 1),
          mostOfTurn + 1);
    return elements <= mostOfTurn &&
           reduce->getParentOfType<LoopLikeOpInterface>();
  }

  /// Whether IREE's own code is as good.
  bool isBetterLeft(OpFoldResult count, OpFoldResult along) {
    if (isOfTurn())
      return true;
    std::optional<int64_t> known = getConstantIntValue(along);
    if (known && *known < shortestRow)
      return true;
    if (layout == Layout::Columns)
      return getConstantIntValue(count) == 1 ||
             llvm::all_of(sizes, [](OpFoldResult size) {
               return getConstantIntValue(size).has_value();
             });
    return known && *known % ownLanes == 0 && reduce.getNumResults() == 1 &&
           !reader.hasProducers();
  }

  void chooseLanes(OpFoldResult along) {
    SmallVector<Type> elements(reader.getElements());
    for (Value init : reduce.getInits())
      elements.push_back(getElementTypeOrSelf(init));
    lanes = getLanes(elements);
    if (layout == Layout::Columns)
      lanes *= columnRegisters;
    if (std::optional<int64_t> known = getConstantIntValue(along))
      lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(*known));
  }

  SmallVector<Value> createInits(OpBuilder &builder, Location loc) {
    return llvm::map_to_vector(reduce.getInits(), [&](Value init) {
      Attribute constant = getConstantElement(init);
      Value scalar =
          constant
              ? createScalar(builder, loc, getElementTypeOrSelf(init), constant)
              : tensor::ExtractOp::create(builder, loc, init).getResult();
      return createSplat(builder, loc, scalar, lanes);
    });
  }

  SmallVector<Value> step(OpBuilder &builder, Location loc, Value first,
                          Value mask, ValueRange accumulators) {
    SmallVector<Value> read = reader.read(builder, loc, first, mask);
    SmallVector<Value> arguments;
    unsigned next = 0;
    // What is constant the code holds itself.
    for (Attribute constant : constants)
      arguments.push_back(constant ? Value() : read[next++]);
    llvm::append_range(arguments, accumulators);
    return fold.emitOnLanes(builder, arguments, lanes);
  }

  /// Folds a row into lanes, and these into one.
  SmallVector<Value> foldRow(OpBuilder &builder, Location loc,
                             ValueRange indices, OpFoldResult size) {
    reader.startRow(builder, loc, indices, lanes);
    SmallVector<Value> accumulators = emitPieces(
        builder, loc, size, lanes, createInits(builder, loc),
        [&](OpBuilder &body, Location loc, Value first, Value mask,
            ValueRange carried) {
          SmallVector<Value> next = step(body, loc, first, mask, carried);
          if (mask)
            for (auto [value, before] : llvm::zip_equal(next, carried))
              value = arith::SelectOp::create(body, loc, mask, value, before);
          return next;
        });
    for (int64_t left = lanes / 2; left > 0; left /= 2) {
      SmallVector<Value> halves;
      for (int64_t from : {int64_t(0), left})
        for (Value accumulator : accumulators)
          halves.push_back(
              createShuffle(builder, loc, accumulator,
                            llvm::to_vector(llvm::seq(from, from + left))));
      accumulators = combine.emitOnLanes(builder, halves, left);
    }
    return llvm::map_to_vector(needed, [&](unsigned i) -> Value {
      return vector::ExtractOp::create(builder, loc, accumulators[i],
                                       ArrayRef<int64_t>{0});
    });
  }

  /// Folds columns side by side, and writes what they give into row `at` of
  /// `outputs`.
  SmallVector<Value> foldColumns(OpBuilder &builder, Location loc,
                                 ValueRange indices, OpFoldResult size,
                                 ValueRange outputs, Value at) {
    SmallVector<Value> bounds =
        getValueOrCreateConstantIndexOp(builder, loc, getReduced());
    return emitPieces(
        builder, loc, size, lanes, outputs,
        [&](OpBuilder &body, Location loc, Value first, Value mask,
            ValueRange carried) {
          SmallVector<Value> folded =
              emitNest(body, loc, bounds, createInits(body, loc),
                       [&](OpBuilder &inside, Location loc, ValueRange reduced,
                           ValueRange accumulators) {
                         SmallVector<Value> place(indices);
                         llvm::append_range(place, reduced);
                         reader.startRow(inside, loc, place, lanes);
                         return step(inside, loc, first, mask, accumulators);
                       });
          SmallVector<Value> written;
          for (auto [i, output] : llvm::zip_equal(needed, carried)) {
            Value value = folded[i];
            auto stored =
                VectorType::get(lanes, getElementTypeOrSelf(output.getType()));
            if (value.getType() != stored)
              value = arith::ExtUIOp::create(body, loc, stored, value);
            written.push_back(
                writeLanes(body, loc, value, output, {at, first}, mask));
          }
          return written;
        });
  }
};

/// How vectors may lie: along the reduced dims where these are the last, else
/// along those after them.
std::optional<Layout> getLayout(ReduceOp reduce, int64_t rank) {
  ArrayRef<int64_t> dims = reduce.getDims();
  if (!reduce.hasCombine() || dims.empty() ||
      dims.back() - dims.front() + 1 != static_cast<int64_t>(dims.size()))
    return std::nullopt;
  return dims.back() + 1 == rank ? Layout::Rows : Layout::Columns;
}

} // namespace

std::optional<SmallVector<Value>>
mlir::wax::reduceByVectors(ReduceOp reduce, RewriterBase &rewriter,
                           LoweringContext &context) {
  Location loc = reduce.getLoc();
  int64_t rank =
      cast<RankedTensorType>(reduce.getInputs()[0].getType()).getRank();
  std::optional<Layout> layout = getLayout(reduce, rank);
  if (!layout || reduce->use_empty() ||
      !llvm::all_of(reduce.getInits(), [](Value init) {
        return isLaneType(getElementTypeOrSelf(init));
      }))
    return std::nullopt;
  VectorFold folds(rewriter, reduce, *layout, rank);
  if (!folds.isPossible())
    return std::nullopt;

  folds.sizes = context.getSizes(rewriter, loc, reduce.getInputs()[0]);
  bool isRows = layout == Layout::Rows;
  OpFoldResult count = multiply(rewriter, loc, folds.getOuter());
  OpFoldResult along =
      multiply(rewriter, loc, isRows ? folds.getReduced() : folds.getInner());
  if (folds.isBetterLeft(count, along))
    return std::nullopt;
  folds.chooseLanes(along);
  folds.reader.mergeRows(rewriter, loc);

  SmallVector<OpFoldResult> madeSizes = {count};
  if (!isRows)
    madeSizes.push_back(along);
  SmallVector<RowsOutput> outputs;
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    if (result.use_empty())
      continue;
    Type stored = getStoredType(context, getElementTypeOrSelf(result));
    folds.needed.push_back(i);
    outputs.push_back({getTensorType(madeSizes, stored), madeSizes});
  }
  SmallVector<Value> made = emitRows(
      rewriter, loc, context, outputs, /*rowDim=*/0,
      [&](OpBuilder &builder, Location loc, Value first, Value end,
          ValueRange empties) {
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        return emitLoop(
            builder, loc, first, end, one, empties,
            [&](OpBuilder &body, Location loc, Value row, ValueRange carried) {
              SmallVector<Value> indices =
                  getRowIndices(body, loc, row, folds.getOuter());
              Value at = arith::SubIOp::create(body, loc, row, first);
              if (!isRows)
                return folds.foldColumns(body, loc, indices, along, carried,
                                         at);
              return writeElements(body, loc,
                                   folds.foldRow(body, loc, indices, along),
                                   carried, at);
            });
      });

  SmallVector<Value> results;
  SmallVector<ReassociationIndices> merged, split;
  SmallVector<OpFoldResult> splitSizes;
  for (ArrayRef<OpFoldResult> group : {folds.getOuter(), folds.getInner()}) {
    if (group.empty())
      continue;
    merged.push_back({static_cast<int64_t>(merged.size())});
    int64_t first = splitSizes.size();
    llvm::append_range(splitSizes, group);
    int64_t last = splitSizes.size();
    split.emplace_back(llvm::to_vector<2>(llvm::seq(first, last)));
  }
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    auto *place = llvm::find(folds.needed, i);
    if (place == folds.needed.end()) {
      results.push_back(createEmptyLike(rewriter, loc, result, context));
      continue;
    }
    Value value = loadStored(rewriter, loc, made[place - folds.needed.begin()],
                             type.getElementType());
    if (split.empty())
      value = tensor::CollapseShapeOp::create(rewriter, loc, value,
                                              ArrayRef<ReassociationIndices>());
    else
      value = createReshape(rewriter, loc, context.getTarget(), value, merged,
                            split, splitSizes);
    results.push_back(castTo(rewriter, loc, type, value));
  }
  return results;
}
