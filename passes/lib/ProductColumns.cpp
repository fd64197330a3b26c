//===- ProductColumns.cpp - The factor that is copied to panels -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of rows copies each panel to its dispatch's stack, which stays in the
// nearest cache while its rows go by. Where many blocks would copy the same, a
// dispatch before makes all panels, in the order that the factor has in memory.
//
//===----------------------------------------------------------------------===//

#include "ProductColumns.h"

#include "CPUContext.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

ColumnFactor::ColumnFactor(ImplicitLocOpBuilder &builder, Product product)
    : ProductBuilder(builder, product), number(1 - product.rowFactor),
      reader(builder, product, number), lanes(product.tile.lanes) {
  bool isPacked = hasPanelsBefore();
  int64_t panelLength =
      isPacked ? product.tile.packing.panelLength : product.tile.panelLength;
  std::optional<int64_t> known = getConstantIntValue(turns);
  int64_t panels = known ? llvm::divideCeil(*known, panelLength) : 2;
  int64_t together = getTurnsTogether(product.tile);
  length = known ? llvm::alignTo(llvm::divideCeil(*known, panels), together)
                 : panelLength;
  std::optional<int64_t> around = getConstantIntValue(windows);
  if (panels == 1) {
    int64_t most = std::max<int64_t>(panelLength / length, 1);
    panelWindows =
        around ? llvm::divideCeil(*around, llvm::divideCeil(*around, most))
               : most;
  }
  hasAll = panels == 1 && around && *around <= panelWindows;
  SmallVector<unsigned> own(product.summed);
  own.push_back(product.column);
  others = getOtherLoops(number, own);
  if (isPacked)
    pack();
}

int64_t ColumnFactor::getStackBytes() const {
  return packed
             ? 0
             : panelWindows * length * lanes * unit.getIntOrFloatBitWidth() / 8;
}

void ColumnFactor::pack() {
  packedTurns = constant(getTurnsTogether(product.tile));
  packedTurns = multiply(divideUp(turns, packedTurns), packedTurns);
  Value packedRows = multiply(windows, packedTurns);
  Values counts;
  for (unsigned loop : others)
    counts.push_back(getSize(loop));
  SmallVector<OpFoldResult> sizes = getAsOpFoldResult(counts);
  sizes.push_back(getAsOpFoldResult(divideUp(columns, constant(lanes))));
  if (product.tile.isOfSquares) {
    sizes.push_back(builder.getIndexAttr(lanes / squareSide));
    sizes.push_back(
        getAsOpFoldResult(multiply(packedRows, constant(squareSide))));
  } else {
    sizes.push_back(getAsOpFoldResult(packedRows));
    sizes.push_back(builder.getIndexAttr(lanes));
  }
  auto copyColumns = [&](Value first, Value end, ValueRange places,
                         Value written) {
    LoopIndices indices = placeLoops(others, places);
    Value firstColumn = multiply(first, constant(lanes));
    Value width = subtract(
        compute<arith::MinUIOp>(multiply(end, constant(lanes)), columns),
        firstColumn);
    auto goThrough = [&](Value tensor, CopyBody body) {
      return emitColumns(
                 width, lanes, tensor,
                 [&](Value column, Value mask, ValueRange carried) -> Values {
                   Panel to{carried.front(), Values(places)};
                   to.at.push_back(
                       compute<arith::DivUIOp>(column, constant(lanes)));
                   return {body(to, add(firstColumn, column), mask)};
                 })
          .front();
    };
    return emitWindows(
        indices, {constant(0), windows, constant(0), turns, {}}, written,
        [&](const LoopIndices &at, Value row, ValueRange carried) -> Values {
          return {
              copy(carried.front(), at, row, constant(0), turns, goThrough)};
        });
  };
  CPUContext context;
  RowsOutput output{getTensorType(sizes, unit), sizes};
  packed =
      emitRows(builder, builder.getLoc(), context, output, others.size(),
               [&](OpBuilder &inside, Location, Value first, Value end,
                   ValueRange outputs) {
                 return emitNest(inside, builder.getLoc(), counts, outputs,
                                 [&](OpBuilder &inner, Location,
                                     ValueRange places, ValueRange values) {
                                   return emitAt(inner, [&] {
                                     return copyColumns(first, end, places,
                                                        values.front());
                                   });
                                 });
               })
          .front();
}

ColumnFactor::Panel ColumnFactor::getPanel(const LoopIndices &indices,
                                           const Piece &piece, Value column,
                                           Value mask) {
  if (packed) {
    Panel panel{packed, {}};
    for (unsigned loop : others)
      panel.at.push_back(indices[loop]);
    panel.at.push_back(compute<arith::DivUIOp>(column, constant(lanes)));
    return panel;
  }
  SmallVector<int64_t> shape = {panelWindows * length, lanes};
  if (product.tile.isOfSquares)
    shape = {lanes / squareSide, length * squareSide};
  Value size = subtract(piece.end, piece.from);
  auto copyThese = [&](Value tensor, CopyBody body) {
    return body({tensor, {}}, column, mask);
  };
  Values filled = emitWindows(
      indices, piece, tensor::EmptyOp::create(builder, shape, unit).getResult(),
      [&](const LoopIndices &at, Value first, ValueRange carried) -> Values {
        return {copy(carried.front(), at, first, piece.from, size, copyThese)};
      });
  return {filled.front(), {}};
}

SmallVector<Value> ColumnFactor::emitWindows(
    const LoopIndices &indices, const Piece &piece, ValueRange carried,
    llvm::function_ref<Values(LoopIndices at, Value first, ValueRange carried)>
        body) {
  LoopIndices at(indices);
  Value first = getFirstRow(piece);
  if (getWindows().empty())
    return body(at, first, carried);
  return loop(piece.firstWindow, piece.endWindow, 1, carried,
              [&](Value window, ValueRange values) {
                setIndices(at, getWindows(), window);
                if (packedTurns)
                  return body(at, add(multiply(window, packedTurns), first),
                              values);
                Value turn = subtract(window, piece.firstWindow);
                return body(at, multiply(turn, constant(length)), values);
              });
}

Value ColumnFactor::getFirstRow(const Piece &piece) {
  return packedTurns ? piece.from : constant(0);
}

Value ColumnFactor::readRow(const Panel &panel, Value row) {
  Values at(panel.at);
  at.append({row, constant(0)});
  return readLanes(builder, builder.getLoc(), panel.tensor, at, lanes);
}

Value ColumnFactor::readSquare(const Panel &panel, Value row, int64_t number) {
  Values at(panel.at);
  at.append({constant(number), multiply(row, squareSide)});
  return readLanes(builder, builder.getLoc(), panel.tensor, at, squareWords);
}

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

/// Copies `size` turns, from `from` on, of some columns to the rows of panels
/// from `first` on; `at` tells of the loops around.
Value ColumnFactor::copy(Value tensor, LoopIndices at, Value first, Value from,
                         Value size, Columns columns) {
  AffineMap map = getMap(number);
  bool isByRows = map.getDimPosition(map.getNumResults() - 1) != product.column;
  return isByRows ? copySquares(tensor, at, first, from, size, columns)
                  : copyRows(tensor, at, first, from, size, columns);
}

/// Writes a panel's columns from `column` on at one turn, all or a square's.
Value ColumnFactor::write(Value units, Panel to, Value row, Value column) {
  Location loc = builder.getLoc();
  if (!product.tile.isOfSquares) {
    to.at.append({row, column});
    return writeLanes(builder, loc, units, to.tensor, to.at);
  }
  int64_t width = cast<VectorType>(units.getType()).getNumElements();
  Value square = compute<arith::DivUIOp>(column, constant(squareSide));
  Value place = multiply(row, constant(squareSide));
  for (int64_t count : llvm::seq(width / squareSide)) {
    int64_t first = count * squareSide;
    Value part = width == squareSide
                     ? units
                     : createShuffle(builder, loc, units,
                                     llvm::to_vector(
                                         llvm::seq(first, first + squareSide)));
    Values position(to.at);
    position.append({add(square, count), place});
    to.tensor = writeLanes(builder, loc, part, to.tensor, position);
  }
  return to.tensor;
}

Value ColumnFactor::copyRows(Value tensor, LoopIndices at, Value first,
                             Value from, Value size, Columns columns) {
  Location loc = builder.getLoc();
  Value &summedAt = at[product.summed.back()];
  auto readUnits = [&](Value turn, Value mask) -> Value {
    auto readRow = [&]() -> Value {
      return reader.read(builder, getPosition(getMap(number), at), lanes, mask);
    };
    if (group == 1) {
      summedAt = turn;
      return convert(readRow(), number);
    }
    Values elements;
    for (int64_t place : llvm::seq(group)) {
      summedAt = add(multiply(turn, constant(group)), place);
      elements.push_back(createParts(readOrZero(summedAt, readRow), number));
    }
    return createWords(elements);
  };
  Value end = multiply(divideUp(size, constant(turnsAtOnce)), turnsAtOnce);
  return loop(constant(0), end, 1, tensor,
              [&](Value place, ValueRange carried) -> Values {
                return {columns(carried.front(), [&](const Panel &to,
                                                     Value column, Value mask) {
                  at[product.column] = column;
                  return write(readUnits(add(from, place), mask), to,
                               add(first, place), constant(0));
                })};
              })
      .front();
}

Value ColumnFactor::copySquares(Value tensor, LoopIndices at, Value first,
                                Value from, Value size, Columns columns) {
  Location loc = builder.getLoc();
  int64_t side = std::min(lanes, getTurnsTogether(product.tile));
  int64_t run = side * group;
  Value lastColumn = subtract(this->columns, constant(1));
  bool isWhole = isMultiple(summed, run) && isMultiple(size, side);
  auto readUnits = [&](Value rest) -> Value {
    Value elements =
        reader.read(builder, getPosition(getMap(number), at), run, rest);
    if (group == 1)
      return convert(elements, number);
    return vector::BitCastOp::create(builder, VectorType::get(side, unit),
                                     createParts(elements, number));
  };
  auto copyTurns = [&](Panel to, Value column, Value mask, Value place) {
    Value turn = add(from, place), rest;
    at[product.summed.back()] = multiply(turn, constant(group));
    if (!isWhole)
      rest = createMask(builder, builder.getLoc(), run,
                        compute<arith::MinUIOp>(
                            multiply(subtract(size, place), constant(group)),
                            subtract(summed, at[product.summed.back()])));
    // Squares beside each other: a loop, as each is many operations.
    return loop(constant(0), constant(lanes), side, to.tensor,
                [&](Value offset, ValueRange carried) -> Values {
                  SmallVector<Value> square;
                  for (int64_t lane : llvm::seq(side)) {
                    at[product.column] = add(add(column, offset), lane);
                    if (mask)
                      at[product.column] = compute<arith::MinUIOp>(
                          at[product.column], lastColumn);
                    square.push_back(readUnits(rest));
                  }
                  transposeLanes(builder, loc, square);
                  to.tensor = carried.front();
                  for (int64_t lane : llvm::seq(side))
                    to.tensor = write(square[lane], to,
                                      add(add(first, place), lane), offset);
                  return {to.tensor};
                })
        .front();
  };
  return columns(tensor, [&](const Panel &panel, Value column, Value mask) {
    return loop(constant(0), size, side, panel.tensor,
                [&](Value place, ValueRange carried) -> Values {
                  return {copyTurns({carried.front(), panel.at}, column, mask,
                                    place)};
                })
        .front();
  });
}
