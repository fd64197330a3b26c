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
// Along dims that others follow each lane folds a column of its own. IREE keeps
// accumulators of a few columns in registers and goes down all rows, from page
// to page of memory. Here a block of columns whose accumulators stay in the
// cache takes a few rows at a time, so that memory is read along rows.
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

/// Pairs of the widest registers of accumulators for columns.
constexpr int64_t columnPairs = 2;
/// Rows that these take up before they go back to the cache.
constexpr int64_t rowsAtOnce = 8;
/// Vectors of columns in a block: at least a run of memory that is worth
/// reading, and at most what half of the smallest cache holds.
constexpr int64_t fewestPieces = 8, mostPieces = 64;
/// Blocks to make of columns, within these bounds, for as many workgroups.
constexpr int64_t wantedBlocks = 8;
/// Elements up to which a dispatch of its own costs more than it saves.
constexpr int64_t fewElements = 4096;

/// Which elements lie side by side in vectors.
enum class Layout { Rows, Columns };

/// The product of sizes that are all known.
std::optional<int64_t> getProduct(ArrayRef<OpFoldResult> sizes) {
  int64_t product = 1;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!known)
      return std::nullopt;
    product *= *known;
  }
  return product;
}

/// A position `column` further along the last dim.
SmallVector<Value> moveAlong(OpBuilder &builder, Location loc,
                             ArrayRef<Value> position, Value column) {
  SmallVector<Value> moved(position);
  moved.back() = builder.createOrFold<arith::AddIOp>(loc, moved.back(), column);
  return moved;
}

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
  bool isBetterLeft(OpFoldResult along) {
    if (isOfTurn())
      return true;
    std::optional<int64_t> known = getConstantIntValue(along);
    if (known && *known < shortestRow)
      return true;
    if (layout == Layout::Columns) {
      std::optional<int64_t> elements = getProduct(sizes);
      // IREE fuses what is known.
      return elements &&
             (*elements <= fewElements || reader.hasProducersLeft());
    }
    return known && *known % ownLanes == 0 && reduce.getNumResults() == 1 &&
           !reader.hasProducers();
  }

  void chooseLanes(OpFoldResult along) {
    SmallVector<Type> elements(reader.getElements());
    for (Value init : reduce.getInits())
      elements.push_back(getElementTypeOrSelf(init));
    lanes = getLanes(elements);
    if (layout == Layout::Columns)
      lanes *= columnPairs;
    if (std::optional<int64_t> known = getConstantIntValue(along))
      lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(*known));
  }

  /// The columns of a block.
  OpFoldResult chooseBlock(OpBuilder &builder, Location loc,
                           OpFoldResult along) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value width = getValueOrCreateConstantIndexOp(builder, loc, along);
    Value pieces = builder.createOrFold<arith::DivUIOp>(
        loc, width, constant(wantedBlocks * lanes));
    pieces = builder.createOrFold<arith::MaxUIOp>(loc, pieces,
                                                  constant(fewestPieces));
    pieces =
        builder.createOrFold<arith::MinUIOp>(loc, pieces, constant(mostPieces));
    Value block =
        builder.createOrFold<arith::MulIOp>(loc, pieces, constant(lanes));
    block = builder.createOrFold<arith::MinUIOp>(loc, block, width);
    // Of no columns too, as numbers are divided by it.
    return getAsOpFoldResult(
        builder.createOrFold<arith::MaxUIOp>(loc, block, constant(1)));
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

  SmallVector<Value> load(OpBuilder &builder, Location loc, ValueRange tensors,
                          ValueRange place, Value mask) {
    SmallVector<Value> vectors;
    for (auto [tensor, init] : llvm::zip_equal(tensors, reduce.getInits())) {
      Value value = readLanes(builder, loc, tensor, place, lanes, mask);
      vectors.push_back(
          convertStored(builder, loc, value, getElementTypeOrSelf(init)));
    }
    return vectors;
  }

  SmallVector<Value> store(OpBuilder &builder, Location loc, ValueRange vectors,
                           ValueRange tensors, ValueRange place, Value mask) {
    SmallVector<Value> written;
    for (auto [value, tensor] : llvm::zip_equal(vectors, tensors)) {
      Value stored =
          convertStored(builder, loc, value, getElementTypeOrSelf(tensor));
      written.push_back(writeLanes(builder, loc, stored, tensor, place, mask));
    }
    return written;
  }

  /// Whether nothing is won by accumulators in memory: there is one vector of
  /// them, or rows are all taken at once.
  bool fitsRegisters(OpFoldResult width) {
    std::optional<int64_t> known = getConstantIntValue(width);
    std::optional<int64_t> rows = getProduct(getReduced());
    return (known && *known <= lanes) || (rows && *rows <= rowsAtOnce);
  }

  /// As `foldBlock`, with accumulators in registers for all rows.
  SmallVector<Value> foldInRegisters(OpBuilder &builder, Location loc,
                                     ValueRange indices, Value first,
                                     OpFoldResult width, ValueRange outputs,
                                     ArrayRef<Value> position) {
    SmallVector<Value> bounds =
        getValueOrCreateConstantIndexOp(builder, loc, getReduced());
    return emitPieces(
        builder, loc, width, lanes, outputs,
        [&](OpBuilder &body, Location loc, Value column, Value mask,
            ValueRange carried) {
          Value read = body.createOrFold<arith::AddIOp>(loc, first, column);
          SmallVector<Value> folded =
              emitNest(body, loc, bounds, createInits(body, loc),
                       [&](OpBuilder &inside, Location loc, ValueRange reduced,
                           ValueRange accumulators) {
                         SmallVector<Value> place(indices);
                         llvm::append_range(place, reduced);
                         reader.startRow(inside, loc, place, lanes);
                         return step(inside, loc, read, mask, accumulators);
                       });
          return store(body, loc, folded, carried,
                       moveAlong(body, loc, position, column), mask);
        });
  }

  /// Folds `width` columns from `first` on into their accumulators in
  /// `outputs`, at `position`.
  SmallVector<Value> foldBlock(OpBuilder &builder, Location loc,
                               ValueRange indices, Value first,
                               OpFoldResult width, ValueRange outputs,
                               ArrayRef<Value> position) {
    if (fitsRegisters(width))
      return foldInRegisters(builder, loc, indices, first, width, outputs,
                             position);
    SmallVector<Value> started =
        emitPieces(builder, loc, width, lanes, outputs,
                   [&](OpBuilder &body, Location loc, Value column, Value mask,
                       ValueRange carried) {
                     return store(body, loc, createInits(body, loc), carried,
                                  moveAlong(body, loc, position, column), mask);
                   });

    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value several = arith::ConstantIndexOp::create(builder, loc, rowsAtOnce);
    SmallVector<Value> bounds =
        getValueOrCreateConstantIndexOp(builder, loc, getReduced());
    Value rows = bounds.pop_back_val();
    auto foldRows = [&](OpBuilder &body, Location loc, ValueRange above,
                        Value from, ValueRange carried) {
      Value to = arith::AddIOp::create(body, loc, from, several);
      to = arith::MinUIOp::create(body, loc, to, rows);
      return emitPieces(
          body, loc, width, lanes, carried,
          [&](OpBuilder &inside, Location loc, Value column, Value mask,
              ValueRange kept) {
            SmallVector<Value> place = moveAlong(inside, loc, position, column);
            Value read = inside.createOrFold<arith::AddIOp>(loc, first, column);
            SmallVector<Value> folded =
                emitLoop(inside, loc, from, to, one,
                         load(inside, loc, kept, place, mask),
                         [&](OpBuilder &inner, Location loc, Value row,
                             ValueRange accumulators) {
                           SmallVector<Value> rowIndices(indices);
                           llvm::append_range(rowIndices, above);
                           rowIndices.push_back(row);
                           reader.startRow(inner, loc, rowIndices, lanes);
                           return step(inner, loc, read, mask, accumulators);
                         });
            return store(inside, loc, folded, kept, place, mask);
          });
    };
    return emitNest(builder, loc, bounds, started,
                    [&](OpBuilder &body, Location loc, ValueRange above,
                        ValueRange carried) {
                      return emitLoop(body, loc, zero, rows, several, carried,
                                      [&](OpBuilder &inside, Location loc,
                                          Value from, ValueRange carried) {
                                        return foldRows(inside, loc, above,
                                                        from, carried);
                                      });
                    });
  }

  /// Folds all columns into row `at` of `outputs`, block by block.
  SmallVector<Value> foldColumns(OpBuilder &builder, Location loc,
                                 ValueRange indices, OpFoldResult along,
                                 OpFoldResult block, ValueRange outputs,
                                 Value at) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    std::optional<int64_t> known = getConstantIntValue(along);
    std::optional<int64_t> step = getConstantIntValue(block);
    if (known && step && *known <= *step)
      return foldBlock(builder, loc, indices, zero, along, outputs, {at, zero});
    Value end = getValueOrCreateConstantIndexOp(builder, loc, along);
    Value width = getValueOrCreateConstantIndexOp(builder, loc, block);
    return emitLoop(
        builder, loc, zero, end, width, outputs,
        [&](OpBuilder &body, Location loc, Value first, ValueRange carried) {
          OpFoldResult size = block;
          if (!known || !step || *known % *step != 0) {
            Value left = arith::SubIOp::create(body, loc, end, first);
            size = arith::MinUIOp::create(body, loc, left, width).getResult();
          }
          return foldBlock(body, loc, indices, first, size, carried,
                           {at, first});
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
  if (folds.isBetterLeft(along))
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
  SmallVector<Value> made = emitRows(
      rewriter, loc, context, outputs, /*rowDim=*/0,
      [&](OpBuilder &builder, Location loc, Value first, Value end,
          ValueRange empties) {
        if (isDealtByColumns) {
          SmallVector<Value> indices(
              folds.getOuter().size(),
              arith::ConstantIndexOp::create(builder, loc, 0));
          Value width = builder.createOrFold<arith::SubIOp>(loc, end, first);
          Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
          return folds.foldBlock(builder, loc, indices, first,
                                 getAsOpFoldResult(width), empties, zero);
        }
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        return emitLoop(
            builder, loc, first, end, one, empties,
            [&](OpBuilder &body, Location loc, Value row, ValueRange carried) {
              SmallVector<Value> indices =
                  getRowIndices(body, loc, row, folds.getOuter());
              Value at = arith::SubIOp::create(body, loc, row, first);
              if (!isRows)
                return folds.foldColumns(body, loc, indices, along, block,
                                         carried, at);
              return writeElements(body, loc,
                                   folds.foldRow(body, loc, indices, along),
                                   carried, at);
            });
      },
      isDealtByColumns ? block : OpFoldResult());

  SmallVector<Value> results;
  SmallVector<ReassociationIndices> merged, split;
  SmallVector<OpFoldResult> splitSizes;
  SmallVector<SmallVector<OpFoldResult>> groups = {
      llvm::to_vector(folds.getOuter()), llvm::to_vector(folds.getInner())};
  if (isDealtByColumns)
    groups = {llvm::to_vector(
        llvm::concat<const OpFoldResult>(folds.getOuter(), folds.getInner()))};
  for (ArrayRef<OpFoldResult> group : groups) {
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
    Value value =
        convertStored(rewriter, loc, made[place - folds.needed.begin()],
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
