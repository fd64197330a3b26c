//===- ProductRows.cpp - The factor that is read by elements --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It is rearranged where its elements have to be converted, which would be done
// again for each panel, or put together to words; and where a turn's rows are
// side by side, of which a tile would read small pieces, if there are so many
// columns to multiply it with that the copy is made up for.
//
//===----------------------------------------------------------------------===//

#include "ProductRows.h"

#include "CPUContext.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Stored.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

/// What of a row lies together where it is rearranged along memory.
static constexpr int64_t runBytes = 64;
/// Tiles that are copied together where turns have rows side by side.
static constexpr int64_t tilesTogether = 8;
/// Columns that pay for a copy at all, for that of rows side by side, and for
/// that of those which wide tiles read with short panels.
static constexpr int64_t fewColumns = 64, someColumns = 128, manyColumns = 512;

RowFactor::RowFactor(ImplicitLocOpBuilder &builder, Product product)
    : ProductBuilder(builder, product), factor(getFactor(product.rowFactor)),
      tileRows(product.tile.isOfSquares ? squareSide : product.tile.rows) {
  if (!isPlain()) {
    convertFactor();
    return;
  }
  SmallVector<unsigned> own(product.rows);
  own.push_back(product.summed.back());
  others = getOtherLoops(product.rowFactor, own);
  if (isWorthPacking())
    pack();
}

/// Elements of windows are read several times each.
void RowFactor::convertFactor() {
  if (getElementTypeOrSelf(factor) == wide)
    return;
  factor = createElementwise(
      builder, builder.getLoc(), factor, wide,
      [&](OpBuilder &inside, Location, ValueRange scalars) {
        auto convertScalar = [&]() -> Values {
          return {convert(scalars.front(), product.rowFactor)};
        };
        return emitAt(inside, convertScalar).front();
      });
}

bool RowFactor::isAlong(unsigned loop) {
  AffineMap map = getMap(product.rowFactor);
  return map.getResult(map.getNumResults() - 1) ==
         builder.getAffineDimExpr(loop);
}

bool RowFactor::isWorthPacking() {
  if (product.tile.isOfSquares)
    return true;
  if (group != 1 && (isRaised() || product.dot == Dot::WideBytes ||
                     !isSummedAlong() || !isMultiple(summed, group)))
    return true;
  int64_t known = getConstantIntValue(columns).value_or(manyColumns);
  if (known < fewColumns)
    return false;
  if (group == 1 && getElementTypeOrSelf(factor) != wide)
    return true;
  // Of rows side by side narrow tiles, and those that read long panels, read a
  // small piece of each turn's memory.
  if (isSummedAlong())
    return false;
  bool isShort = product.tile.hasMasks && !hasPanelsBefore();
  return known >= (isShort ? manyColumns : someColumns);
}

void RowFactor::pack() {
  SmallVector<OpFoldResult> sizes;
  Values counts;
  for (unsigned loop : others)
    counts.push_back(getSize(loop));
  for (Value count : counts)
    sizes.push_back(getAsOpFoldResult(count));
  bool isOfSquares = product.tile.isOfSquares;
  if (isOfSquares)
    run = squareSide;
  else if (isSummedAlong())
    run = runBytes * 8 / unit.getIntOrFloatBitWidth();
  int64_t tileDim = sizes.size();
  counts.push_back(divideUp(turns, constant(run)));
  // Squares of all rows that a tile of the result has.
  sizes.push_back(
      getAsOpFoldResult(multiply(divideUp(rows, constant(product.tile.rows)),
                                 constant(product.tile.rows / tileRows))));
  sizes.push_back(getAsOpFoldResult(counts.back()));
  sizes.push_back(builder.getIndexAttr(isOfSquares ? squareWords : tileRows));
  if (run != 1 && !isOfSquares)
    sizes.push_back(builder.getIndexAttr(run));
  // Where turns have rows side by side, each has little of a piece of memory.
  int64_t together = hasRowsTogether() && !isOfSquares ? tilesTogether : 1;

  /// The tiles from `first` up to `end`.
  auto copy = [&](Value first, Value end, ValueRange outputs) {
    auto copySome = [&](Value tile, ValueRange places,
                        ValueRange values) -> Values {
      auto copyOne = [&](Value one, ValueRange before) -> Values {
        return {copyTile(one, first, places, before.front())};
      };
      if (together == 1)
        return copyOne(tile, values);
      Value last = compute<arith::MinUIOp>(add(tile, together), end);
      return loop(tile, last, 1, values, copyOne);
    };
    return loop(first, end, together, outputs,
                [&](Value tile, ValueRange carried) {
                  return emitNest(builder, builder.getLoc(), counts, carried,
                                  [&](OpBuilder &inside, Location,
                                      ValueRange places, ValueRange values) {
                                    return emitAt(inside, [&] {
                                      return copySome(tile, places, values);
                                    });
                                  });
                });
  };
  CPUContext context;
  RowsOutput output{getTensorType(sizes, unit), sizes};
  packed = emitRows(builder, builder.getLoc(), context, output, tileDim,
                    [&](OpBuilder &inside, Location, Value first, Value end,
                        ValueRange outputs) {
                      return emitAt(inside,
                                    [&] { return copy(first, end, outputs); });
                    })
               .front();
}

bool RowFactor::hasRowsTogether() {
  return product.rows.size() == 1 && isAlong(product.rows.front()) &&
         (product.tile.isOfSquares ||
          (group == 1 &&
           (product.tile.hasMasks || isMultiple(rows, tileRows))));
}

/// Copies the turns that `places` number of a tile, which `first` is the first
/// one of what is written of.
Value RowFactor::copyTile(Value tile, Value first, ValueRange places,
                          Value written) {
  LoopIndices from = placeLoops(others, places.drop_back());
  from[product.summed.back()] = places.back();
  Values to(places.drop_back());
  to.append({subtract(tile, first), places.back()});
  Value firstRow = multiply(tile, constant(tileRows));
  bool isOfSquares = product.tile.isOfSquares;
  if (hasRowsTogether())
    return isOfSquares ? writeTurned(from, firstRow, written, to)
                       : writeRows(from, firstRow, written, to);
  Value lastRow = subtract(rows, constant(1));
  for (int64_t number : llvm::seq(tileRows)) {
    Value row = add(firstRow, number);
    if (!isMultiple(rows, tileRows))
      row = compute<arith::MinUIOp>(row, lastRow);
    setIndices(from, product.rows, row);
    Values at(to);
    at.push_back(constant(isOfSquares ? number * run : number));
    written =
        isSummedAlong() || isOfSquares
            ? writeRun(from, written, at)
            : tensor::InsertOp::create(builder, readUnit(from), written, at)
                  .getResult();
  }
  return written;
}

/// Those of `count` places from `first` on that are below `size`, or null where
/// all are.
Value RowFactor::createMask(Value size, Value first, int64_t count) {
  if (isMultiple(size, count))
    return {};
  return wax::createMask(builder, builder.getLoc(), count,
                         subtract(size, first));
}

/// `count` elements that follow each other in memory.
Value RowFactor::readAlong(ArrayRef<Value> indices, int64_t count, Value mask) {
  return readLanes(builder, builder.getLoc(), factor,
                   getPosition(getMap(product.rowFactor), indices), count,
                   mask);
}

/// Copies a turn of a tile's rows from `row` on, which follow each other in
/// memory, to where `at` tells.
Value RowFactor::writeRows(LoopIndices indices, Value row, Value written,
                           Values at) {
  indices[product.rows.front()] = row;
  Value elements =
      readAlong(indices, tileRows, createMask(rows, row, tileRows));
  at.push_back(constant(0));
  return writeLanes(builder, builder.getLoc(),
                    convert(elements, product.rowFactor), written, at);
}

/// Copies the run of a row's turns that `indices` number, and zeros where there
/// are none left.
Value RowFactor::writeRun(LoopIndices indices, Value written, Values at) {
  Location loc = builder.getLoc();
  Value &index = indices[product.summed.back()];
  if (!isSummedAlong()) {
    Value first = multiply(index, constant(run)), start = at.back();
    return loop(constant(0), constant(run), 1, written,
                [&](Value turn, ValueRange carried) -> Values {
                  index = add(first, turn);
                  at.back() = add(start, turn);
                  return {tensor::InsertOp::create(builder, readWord(indices),
                                                   carried.front(), at)};
                })
        .front();
  }
  int64_t count = run * group;
  index = multiply(index, constant(count));
  Value elements = readAlong(indices, count, createMask(summed, index, count));
  elements =
      group == 1
          ? convert(elements, product.rowFactor)
          : vector::BitCastOp::create(builder, VectorType::get(run, unit),
                                      createParts(elements, product.rowFactor))
                .getResult();
  if (!product.tile.isOfSquares)
    at.push_back(constant(0));
  return writeLanes(builder, loc, raise(elements), written, at, Value());
}

/// Copies a square of words of rows from `row` on, which follow each other in
/// memory, to where `at` tells.
Value RowFactor::writeTurned(LoopIndices indices, Value row, Value written,
                             Values at) {
  Location loc = builder.getLoc();
  Value &index = indices[product.summed.back()];
  Value first = multiply(index, constant(run));
  indices[product.rows.front()] = row;
  Value mask = createMask(rows, row, squareSide);
  auto read = [&] { return readAlong(indices, squareSide, mask); };
  SmallVector<Value> square;
  for (int64_t turn : llvm::seq(squareSide)) {
    Values elements;
    for (int64_t place : llvm::seq(group)) {
      index = add(multiply(add(first, turn), constant(group)), place);
      elements.push_back(readOrZero(index, read));
    }
    square.push_back(createWords(elements));
  }
  transposeLanes(builder, loc, square);
  at.push_back(Value());
  for (auto [number, words] : llvm::enumerate(square)) {
    at.back() = constant(number * squareSide);
    written = writeLanes(builder, loc, words, written, at);
  }
  return written;
}

/// A word, or a vector of them, of bytes, which are raised if need be.
Value RowFactor::raise(Value words) {
  if (!isRaised())
    return words;
  Value raised = arith::ConstantOp::create(
      builder, builder.getI32IntegerAttr(raisedBytes));
  if (auto vector = dyn_cast<VectorType>(words.getType()))
    raised =
        createSplat(builder, builder.getLoc(), raised, vector.getNumElements());
  return arith::XOrIOp::create(builder, words, raised);
}

/// What is multiplied at a turn.
Value RowFactor::readUnit(ArrayRef<Value> indices) {
  if (group != 1)
    return readWord(LoopIndices(indices));
  unsigned number = product.rowFactor;
  Value element = tensor::ExtractOp::create(
      builder, factor, getPosition(getMap(number), indices));
  return convert(element, number);
}

/// The elements of a turn, and zeros where there are none left.
Value RowFactor::readWord(LoopIndices indices) {
  AffineMap map = getMap(product.rowFactor);
  Value &index = indices[product.summed.back()];
  Value first = multiply(index, constant(group));
  if (isSummedAlong()) {
    index = first;
    Value elements = readAlong(indices, group);
    return vector::ExtractOp::create(
        builder,
        vector::BitCastOp::create(builder, VectorType::get(1, unit), elements),
        0);
  }
  Values elements;
  for (int64_t place : llvm::seq(group)) {
    index = add(first, place);
    Value element = readOrZero(index, [&] {
      return tensor::ExtractOp::create(builder, factor,
                                       getPosition(map, indices))
          .getResult();
    });
    elements.push_back(createParts(element, product.rowFactor));
  }
  return raise(createWords(elements));
}

RowFactor::Rows RowFactor::getRows(ArrayRef<Value> indices, Value row,
                                   int64_t count) {
  Rows made;
  made.indices.assign(count, LoopIndices(indices));
  if (packed) {
    made.tile = compute<arith::DivUIOp>(row, constant(tileRows));
    made.first = count == 1 ? compute<arith::RemUIOp>(row, constant(tileRows))
                            : constant(0);
    return made;
  }
  for (auto [number, one] : llvm::enumerate(made.indices))
    setIndices(one, product.rows, add(row, number));
  return made;
}

SmallVector<Value> RowFactor::readSquares(const Rows &rows,
                                          ArrayRef<Value> indices) {
  Values from, squares;
  for (unsigned loop : others)
    from.push_back(indices[loop]);
  Value step = compute<arith::DivUIOp>(indices[product.summed.back()],
                                       constant(squareSide));
  for (size_t number : llvm::seq(rows.indices.size())) {
    Values at(from);
    at.append({add(rows.tile, number), step, constant(0)});
    squares.push_back(
        readLanes(builder, builder.getLoc(), packed, at, squareWords));
  }
  return squares;
}

SmallVector<Value> RowFactor::read(const Rows &rows, ArrayRef<Value> indices) {
  Values read;
  Values to;
  if (packed) {
    for (unsigned loop : others)
      to.push_back(indices[loop]);
    Value turn = indices[product.summed.back()];
    Value length = constant(run);
    to.append({rows.tile, compute<arith::DivUIOp>(turn, length), Value()});
    if (run != 1)
      to.push_back(compute<arith::RemUIOp>(turn, length));
  }
  for (auto [number, row] : llvm::enumerate(rows.indices)) {
    if (packed) {
      to[others.size() + 2] = add(rows.first, number);
      read.push_back(tensor::ExtractOp::create(builder, packed, to));
      continue;
    }
    LoopIndices from(row);
    for (unsigned loop : product.summed)
      from[loop] = indices[loop];
    read.push_back(readUnit(from));
  }
  return read;
}
