//===- VectorFold.cpp - A reduction by vectors ----------------------------===//
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
// Few rows, but long ones, are cut into pieces that are dealt to workgroups,
// and what these are folded into is folded with `combine`. How they are cut
// depends on sizes alone: results are the same with any number of threads.
//
//===----------------------------------------------------------------------===//

#include "VectorFold.h"

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

/// Rows shorter than this are unrolled by IREE.
static constexpr int64_t shortestRow = 8;
/// What IREE's own vectors of a row have to divide.
static constexpr int64_t ownLanes = 16;

/// Rows shorter than this IREE folds in the dispatch that makes and reads them;
/// of longer ones, what others read too is better made again.
static constexpr int64_t shortestShared = 256;

/// Rows shorter than this stay by themselves; in a loop, tensors that are
/// smaller do, since the whole loop may be one dispatch.
static constexpr int64_t shortestChained = 32, fewestOfTurn = 65536;

/// Rows from here on are folded by as many accumulators as memory keeps busy,
/// of at most these lanes.
static constexpr int64_t longRow = 1024, mostLanes = 64;
/// Rows that are cut into pieces, if there are as few; how long pieces are at
/// least, and how many of a row at most.
static constexpr int64_t fewRows = 16, shortestPiece = 16384, mostOfRow = 64;

/// Pairs of the widest registers of accumulators for columns.
static constexpr int64_t columnPairs = 2;
/// Vectors of columns in a block: at least a run of memory that is worth
/// reading, and at most what half of the smallest cache holds.
static constexpr int64_t fewestPieces = 8, mostPieces = 64;
/// Blocks to make of columns, within these bounds, for as many workgroups.
static constexpr int64_t wantedBlocks = 8;
/// Elements that are still in a cache when they are folded after a map has
/// written them.
static constexpr int64_t mostWritten = 262144;
/// Elements up to which a dispatch of its own costs more than it saves.
static constexpr int64_t fewElements = 4096;

/// The product of sizes that are all known.
std::optional<int64_t> VectorFold::getProduct(ArrayRef<OpFoldResult> sizes) {
  int64_t product = 1;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!known)
      return std::nullopt;
    product *= *known;
  }
  return product;
}

SmallVector<Attribute> VectorFold::getConstants(ReduceOp reduce) {
  return llvm::map_to_vector(reduce.getInputs(), getConstantElement);
}

SmallVector<Value> VectorFold::getRead() {
  SmallVector<Value> read;
  for (auto [input, constant] : llvm::zip_equal(reduce.getInputs(), constants))
    if (!constant)
      read.push_back(input);
  return read;
}

bool VectorFold::isPossible() {
  reader.sharesProducers = layout == Layout::Rows && !isShort();
  if (!fold.hasLanes() || !combine.hasLanes() ||
      llvm::all_of(constants, [](Attribute value) { return value; }))
    return false;
  return reader.add(getRead()) && !reader.hasExpansion();
}

/// Whether a row is short, as far as it is known.
bool VectorFold::isShort() {
  auto type = cast<RankedTensorType>(reduce.getInputs().front().getType());
  int64_t known = 1;
  for (int64_t dim : reduce.getDims())
    known *= type.isDynamicDim(dim) ? shortestShared : type.getDimSize(dim);
  return known < shortestShared;
}

bool VectorFold::isOfTurn() {
  int64_t elements = 1;
  for (OpFoldResult size : sizes)
    elements =
        std::min(elements * getConstantIntValue(size).value_or(mostOfTurn + 1),
                 mostOfTurn + 1);
  return elements <= mostOfTurn &&
         reduce->getParentOfType<LoopLikeOpInterface>();
}

/// Whether a kernel compares floats, and keeps NaN.
static bool hasExtremes(Region &kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<arith::MaximumFOp, arith::MinimumFOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool VectorFold::isBetterLeft(OpFoldResult along, bool isAlone) {
  if (isOfTurn())
    return true;
  std::optional<int64_t> known = getConstantIntValue(along);
  bool isShort = known && *known < shortestRow;
  std::optional<int64_t> elements = getProduct(sizes);
  if (isAlone && isOfFew(sizes))
    return false;
  if (isShort)
    return true;
  // IREE's loops would make what is folded, and have fewer instructions for
  // the extremes of a row's lanes.
  if (isAlone)
    return (reader.hasProducersLeft() && elements > mostWritten) ||
           (layout == Layout::Rows && known < shortestShared &&
            hasExtremes(reduce.getCombine()));
  if (layout == Layout::Columns) {
    // IREE fuses what is known, but folds into several accumulators element by
    // element.
    return elements &&
           (*elements <= fewElements ||
            (reader.hasProducersLeft() && reduce.getNumResults() == 1));
  }
  // IREE takes what makes the rows, and what else reads them, into the same
  // dispatch.
  return known && *known % ownLanes == 0 && reduce.getNumResults() == 1 &&
         !reader.hasProducers() &&
         (*known < longRow || reader.hasProducersLeft());
}

bool VectorFold::isWorthChains(bool isAlone) {
  std::optional<int64_t> rows = getProduct(getOuter());
  std::optional<int64_t> along = getProduct(getReduced());
  std::optional<int64_t> elements = getProduct(sizes);
  bool isFew = isAlone && isOfFew(sizes);
  // Of one row there is no next one, and others may deal it to workgroups.
  if ((along && *along < shortestChained && !isFew) || rows == 1 ||
      isCut(rows, along))
    return false;
  return !reduce->getParentOfType<LoopLikeOpInterface>() || !elements ||
         *elements >= fewestOfTurn;
}

bool VectorFold::isCut(std::optional<int64_t> rows,
                       std::optional<int64_t> along) const {
  return layout == Layout::Rows && rows && *rows != 0 && *rows <= fewRows &&
         (!along || *along >= 2 * shortestPiece);
}

std::optional<OpFoldResult> VectorFold::choosePieces(OpBuilder &builder,
                                                     Location loc,
                                                     OpFoldResult count,
                                                     OpFoldResult along) {
  std::optional<int64_t> rows = getConstantIntValue(count);
  if (!isCut(rows, getConstantIntValue(along)))
    return std::nullopt;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value length = getValueOrCreateConstantIndexOp(builder, loc, along);
  Value pieces = builder.createOrFold<arith::DivUIOp>(loc, length,
                                                      constant(shortestPiece));
  pieces = builder.createOrFold<arith::MinUIOp>(
      loc, pieces, constant(std::max<int64_t>(mostOfRow / *rows, 1)));
  return getAsOpFoldResult(
      builder.createOrFold<arith::MaxUIOp>(loc, pieces, constant(1)));
}

void VectorFold::chooseLanes(OpFoldResult along) {
  SmallVector<Type> elements(reader.getElements());
  for (Value init : reduce.getInits())
    elements.push_back(getElementTypeOrSelf(init));
  lanes = getLanes(elements);
  std::optional<int64_t> known = getConstantIntValue(along);
  if (layout == Layout::Columns)
    lanes *= columnPairs;
  else if (known && *known >= longRow && !reader.hasProducers())
    lanes = std::min(2 * lanes, std::max(lanes, mostLanes));
  if (known)
    lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(*known));
}

OpFoldResult VectorFold::chooseBlock(OpBuilder &builder, Location loc,
                                     OpFoldResult along) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value width = getValueOrCreateConstantIndexOp(builder, loc, along);
  Value pieces = builder.createOrFold<arith::DivUIOp>(
      loc, width, constant(wantedBlocks * lanes));
  pieces =
      builder.createOrFold<arith::MaxUIOp>(loc, pieces, constant(fewestPieces));
  pieces =
      builder.createOrFold<arith::MinUIOp>(loc, pieces, constant(mostPieces));
  Value block =
      builder.createOrFold<arith::MulIOp>(loc, pieces, constant(lanes));
  block = builder.createOrFold<arith::MinUIOp>(loc, block, width);
  // Of no columns too, as numbers are divided by it.
  return getAsOpFoldResult(
      builder.createOrFold<arith::MaxUIOp>(loc, block, constant(1)));
}

SmallVector<Value> VectorFold::createInits(OpBuilder &builder, Location loc) {
  return llvm::map_to_vector(reduce.getInits(), [&](Value init) {
    Attribute constant = getConstantElement(init);
    Value scalar =
        constant
            ? createScalar(builder, loc, getElementTypeOrSelf(init), constant)
            : tensor::ExtractOp::create(builder, loc, init).getResult();
    return createSplat(builder, loc, scalar, lanes);
  });
}

SmallVector<Value> VectorFold::foldVectors(OpBuilder &builder, Location loc,
                                           ValueRange read,
                                           ValueRange accumulators) {
  SmallVector<Value> arguments;
  unsigned next = 0;
  // What is constant the code holds itself.
  for (Attribute constant : constants)
    arguments.push_back(constant ? Value() : read[next++]);
  llvm::append_range(arguments, accumulators);
  return fold.emitOnLanes(builder, arguments, lanes);
}

SmallVector<Value> VectorFold::step(OpBuilder &builder, Location loc,
                                    Value first, Value mask,
                                    ValueRange accumulators) {
  return foldVectors(builder, loc, reader.read(builder, loc, first, mask),
                     accumulators);
}

SmallVector<Value> VectorFold::keepBeyond(OpBuilder &builder, Location loc,
                                          SmallVector<Value> folded,
                                          ValueRange before, Value mask) {
  if (mask)
    for (auto [value, kept] : llvm::zip_equal(folded, before))
      value = arith::SelectOp::create(builder, loc, mask, value, kept);
  return folded;
}

SmallVector<Value> VectorFold::joinLanes(OpBuilder &builder, Location loc,
                                         SmallVector<Value> accumulators) {
  for (int64_t left = lanes / 2; left > 0; left /= 2) {
    SmallVector<Value> halves;
    for (int64_t from : {int64_t(0), left})
      for (Value accumulator : accumulators)
        halves.push_back(
            createShuffle(builder, loc, accumulator,
                          llvm::to_vector(llvm::seq(from, from + left))));
    accumulators = combine.emitOnLanes(builder, halves, left);
  }
  return accumulators;
}

SmallVector<Value> VectorFold::foldRow(OpBuilder &builder, Location loc,
                                       ValueRange indices, Value start,
                                       OpFoldResult size) {
  reader.startRow(builder, loc, indices, lanes);
  SmallVector<Value> accumulators = emitPieces(
      builder, loc, size, lanes, createInits(builder, loc),
      [&](OpBuilder &body, Location loc, Value first, Value mask,
          ValueRange carried) {
        Value read = body.createOrFold<arith::AddIOp>(loc, start, first);
        return keepBeyond(body, loc, step(body, loc, read, mask, carried),
                          carried, mask);
      });
  return select(builder, loc, joinLanes(builder, loc, accumulators));
}

SmallVector<Value> VectorFold::select(OpBuilder &builder, Location loc,
                                      ArrayRef<Value> vectors) {
  return llvm::map_to_vector(needed, [&](unsigned i) -> Value {
    return vector::ExtractOp::create(builder, loc, vectors[i],
                                     ArrayRef<int64_t>{0});
  });
}

SmallVector<Value> VectorFold::foldPiece(OpBuilder &builder, Location loc,
                                         ValueRange indices, Value number,
                                         Value pieces, OpFoldResult along) {
  Value all = getValueOrCreateConstantIndexOp(builder, loc, along);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // Whole vectors, but in the last piece.
  Value vectors = builder.createOrFold<arith::CeilDivUIOp>(
      loc, builder.createOrFold<arith::CeilDivUIOp>(loc, all, constant(lanes)),
      pieces);
  Value length =
      builder.createOrFold<arith::MulIOp>(loc, vectors, constant(lanes));
  Value start = builder.createOrFold<arith::MulIOp>(loc, number, length);
  start = builder.createOrFold<arith::MinUIOp>(loc, start, all);
  Value left = builder.createOrFold<arith::SubIOp>(loc, all, start);
  Value size = builder.createOrFold<arith::MinUIOp>(loc, left, length);
  return foldRow(builder, loc, indices, start, getAsOpFoldResult(size));
}

SmallVector<Value> VectorFold::foldPieces(OpBuilder &builder, Location loc,
                                          Value row, Value pieces,
                                          ValueRange folded) {
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
  return select(
      builder, loc,
      emitLoop(builder, loc, one, pieces, one, read(builder, zero),
               [&](OpBuilder &body, Location, Value piece, ValueRange carried) {
                 SmallVector<Value> both(carried);
                 llvm::append_range(both, read(body, piece));
                 return combine.emitOnLanes(body, both, 1);
               }));
}

SmallVector<Value> VectorFold::emitInPieces(OpBuilder &builder, Location loc,
                                            LoweringContext &context,
                                            OpFoldResult count,
                                            OpFoldResult along,
                                            OpFoldResult ofRow,
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
  SmallVector<OpFoldResult> places(getOuter());
  places.push_back(ofRow);
  SmallVector<Value> folded = emitEachRow(
      builder, loc, context, parts,
      [&](OpBuilder &body, Location loc, Value number, Value at,
          ValueRange carried) {
        SmallVector<Value> indices = getRowIndices(body, loc, number, places);
        Value piece = indices.pop_back_val();
        return writeElements(
            body, loc, foldPiece(body, loc, indices, piece, pieces, along),
            carried, at);
      });
  needed = wanted;
  return emitEachRow(
      builder, loc, context, outputs,
      [&](OpBuilder &body, Location loc, Value row, Value at,
          ValueRange carried) {
        return writeElements(
            body, loc, foldPieces(body, loc, row, pieces, folded), carried, at);
      });
}
