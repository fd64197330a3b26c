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
// Few rows, but long ones, are cut into pieces that are dealt to workgroups,
// and what these are folded into is folded with `combine`. How they are cut
// depends on sizes alone: results are the same with any number of threads.
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

/// Rows from here on are folded by as many accumulators as memory keeps busy,
/// of at most these lanes.
constexpr int64_t longRow = 1024, mostLanes = 64;
/// Rows that are cut into pieces, if there are as few; how long pieces are at
/// least, and how many of a row at most.
constexpr int64_t fewRows = 16, shortestPiece = 16384, mostOfRow = 64;

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
    // IREE takes what makes the rows, and what else reads them, into the same
    // dispatch.
    bool standsAlone = !reader.hasProducersLeft() &&
                       llvm::all_of(reduce.getInputs(), [](Value input) {
                         return input.hasOneUse();
                       });
    return known && *known % ownLanes == 0 && reduce.getNumResults() == 1 &&
           !reader.hasProducers() && (*known < longRow || !standsAlone);
  }

  /// The pieces that a row is cut into; none where it is folded as a whole.
  std::optional<OpFoldResult> choosePieces(OpBuilder &builder, Location loc,
                                           OpFoldResult count,
                                           OpFoldResult along) {
    std::optional<int64_t> rows = getConstantIntValue(count);
    std::optional<int64_t> known = getConstantIntValue(along);
    if (layout != Layout::Rows || !rows || *rows == 0 || *rows > fewRows ||
        (known && *known < 2 * shortestPiece))
      return std::nullopt;
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value length = getValueOrCreateConstantIndexOp(builder, loc, along);
    Value pieces = builder.createOrFold<arith::DivUIOp>(
        loc, length, constant(shortestPiece));
    pieces = builder.createOrFold<arith::MinUIOp>(
        loc, pieces, constant(std::max<int64_t>(mostOfRow / *rows, 1)));
    return getAsOpFoldResult(
        builder.createOrFold<arith::MaxUIOp>(loc, pieces, constant(1)));
  }

  void chooseLanes(OpFoldResult along) {
    SmallVector<Type> elements(reader.getElements());
    for (Value init : reduce.getInits())
      elements.push_back(getElementTypeOrSelf(init));
    lanes = getLanes(elements);
    std::optional<int64_t> length = getConstantIntValue(along);
    if (layout == Layout::Columns)
      lanes *= columnPairs;
    else if (length && *length >= longRow && !reader.hasProducers())
      lanes = std::min(2 * lanes, std::max(lanes, mostLanes));
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

  /// Folds `size` elements of a row into lanes, and these into one.
  SmallVector<Value> foldRow(OpBuilder &builder, Location loc,
                             ValueRange indices, Value start,
                             OpFoldResult size) {
    reader.startRow(builder, loc, indices, lanes);
    SmallVector<Value> accumulators = emitPieces(
        builder, loc, size, lanes, createInits(builder, loc),
        [&](OpBuilder &body, Location loc, Value first, Value mask,
            ValueRange carried) {
          Value read = body.createOrFold<arith::AddIOp>(loc, start, first);
          SmallVector<Value> next = step(body, loc, read, mask, carried);
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
    return select(builder, loc, accumulators);
  }

  /// The accumulators that are needed, of vectors of one lane.
  SmallVector<Value> select(OpBuilder &builder, Location loc,
                            ArrayRef<Value> vectors) {
    return llvm::map_to_vector(needed, [&](unsigned i) -> Value {
      return vector::ExtractOp::create(builder, loc, vectors[i],
                                       ArrayRef<int64_t>{0});
    });
  }

  /// Folds a piece of a row, of which there are `pieces`.
  SmallVector<Value> foldPiece(OpBuilder &builder, Location loc,
                               ValueRange indices, Value number, Value pieces,
                               OpFoldResult along) {
    Value all = getValueOrCreateConstantIndexOp(builder, loc, along);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    // Whole vectors, but in the last piece.
    Value vectors = builder.createOrFold<arith::CeilDivUIOp>(
        loc,
        builder.createOrFold<arith::CeilDivUIOp>(loc, all, constant(lanes)),
        pieces);
    Value length =
        builder.createOrFold<arith::MulIOp>(loc, vectors, constant(lanes));
    Value start = builder.createOrFold<arith::MulIOp>(loc, number, length);
    start = builder.createOrFold<arith::MinUIOp>(loc, start, all);
    Value left = builder.createOrFold<arith::SubIOp>(loc, all, start);
    Value size = builder.createOrFold<arith::MinUIOp>(loc, left, length);
    return foldRow(builder, loc, indices, start, getAsOpFoldResult(size));
  }

  /// Folds what pieces of row `row` were folded into.
  SmallVector<Value> foldPieces(OpBuilder &builder, Location loc, Value row,
                                Value pieces, ValueRange folded) {
    auto read = [&](OpBuilder &body, Value piece) {
      Value place = body.createOrFold<arith::MulIOp>(loc, row, pieces);
      place = body.createOrFold<arith::AddIOp>(loc, place, piece);
      return llvm::map_to_vector(
          readElements(body, loc, folded, place,
                       getElementTypes(reduce.getInits())),
          [&](Value scalar) { return createSplat(body, loc, scalar, 1); });
    };
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return select(builder, loc,
                  emitLoop(builder, loc, one, pieces, one, read(builder, zero),
                           [&](OpBuilder &body, Location, Value piece,
                               ValueRange carried) {
                             SmallVector<Value> both(carried);
                             llvm::append_range(both, read(body, piece));
                             return combine.emitOnLanes(body, both, 1);
                           }));
  }

  /// Folds rows piece by piece into `outputs`.
  SmallVector<Value> emitInPieces(OpBuilder &builder, Location loc,
                                  LoweringContext &context, OpFoldResult count,
                                  OpFoldResult along, OpFoldResult ofRow,
                                  ArrayRef<RowsOutput> outputs) {
    SmallVector<unsigned> wanted = std::exchange(
        needed, llvm::to_vector(llvm::seq<unsigned>(reduce.getNumResults())));
    OpFoldResult all = multiply(builder, loc, {count, ofRow});
    SmallVector<RowsOutput> parts;
    for (Value init : reduce.getInits()) {
      Type stored = getStoredType(context, getElementTypeOrSelf(init));
      parts.push_back({getTensorType({all}, stored), {all}});
    }
    Value pieces = getValueOrCreateConstantIndexOp(builder, loc, ofRow);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> folded = emitRows(
        builder, loc, context, parts, /*rowDim=*/0,
        [&](OpBuilder &inside, Location loc, Value first, Value end,
            ValueRange empties) {
          return emitLoop(
              inside, loc, first, end, one, empties,
              [&](OpBuilder &body, Location, Value number, ValueRange carried) {
                Value row = arith::DivUIOp::create(body, loc, number, pieces);
                Value piece = arith::RemUIOp::create(body, loc, number, pieces);
                Value at = arith::SubIOp::create(body, loc, number, first);
                return writeElements(
                    body, loc,
                    foldPiece(body, loc,
                              getRowIndices(body, loc, row, getOuter()), piece,
                              pieces, along),
                    carried, at);
              });
        });
    needed = wanted;
    return emitRows(
        builder, loc, context, outputs, /*rowDim=*/0,
        [&](OpBuilder &inside, Location loc, Value first, Value end,
            ValueRange empties) {
          return emitLoop(
              inside, loc, first, end, one, empties,
              [&](OpBuilder &body, Location, Value row, ValueRange carried) {
                Value at = arith::SubIOp::create(body, loc, row, first);
                return writeElements(body, loc,
                                     foldPieces(body, loc, row, pieces, folded),
                                     carried, at);
              });
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
  auto emitWhole = [&] {
    return emitRows(
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
          Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
          Value one = arith::ConstantIndexOp::create(builder, loc, 1);
          return emitLoop(
              builder, loc, first, end, one, empties,
              [&](OpBuilder &body, Location loc, Value row,
                  ValueRange carried) {
                SmallVector<Value> indices =
                    getRowIndices(body, loc, row, folds.getOuter());
                Value at = arith::SubIOp::create(body, loc, row, first);
                if (!isRows)
                  return folds.foldColumns(body, loc, indices, along, block,
                                           carried, at);
                return writeElements(
                    body, loc, folds.foldRow(body, loc, indices, zero, along),
                    carried, at);
              });
        },
        isDealtByColumns ? block : OpFoldResult());
  };
  std::optional<OpFoldResult> pieces =
      folds.choosePieces(rewriter, loc, count, along);
  SmallVector<Value> made =
      pieces ? folds.emitInPieces(rewriter, loc, context, count, along, *pieces,
                                  outputs)
             : emitWhole();

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
