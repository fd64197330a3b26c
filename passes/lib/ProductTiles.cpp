//===- ProductTiles.cpp - The loops of a product of matrices --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of Goto and van de Geijn (Anatomy of High-Performance Matrix
// Multiplication, 2008), for factors that lie in memory as they are. A panel of
// one factor, as wide as a tile, is copied to where it stays in the nearest
// cache while all rows of a block go by it; each tile of the result is summed
// up in registers. The other factor is read element by element (ProductRows),
// or in squares (ProductSquares).
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"
#include "LoopPlan.h"
#include "ProductRows.h"
#include "ProductSquares.h"
#include "ProductSums.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Turns of the innermost loop that are written out.
constexpr int64_t unrolled = 2;
/// Tiles that are side by side in a block: they read one piece of each row.
constexpr int64_t blockTiles = 4;
/// Tiles below each other in a block where there are few blocks for all
/// processors.
constexpr int64_t fewerTiles = 11;
constexpr int64_t wantedBlocks = 8;
/// The rows of a block of squares are in the second cache, with a panel.
/// Copying one takes as long as multiplying it with some 16 rows.
constexpr int64_t squareBlockBytes = 512 * 1024, fewestSquareRows = 128;

/// Emits one product.
class Tiles : ProductBuilder {
public:
  Tiles(ImplicitLocOpBuilder &builder, Product product);
  Value emit();

private:
  /// What of all that is summed up a panel has: turns of the last loop, in each
  /// of some turns of the loops around it.
  struct Piece {
    Value firstWindow, endWindow, from, end;
  };

  Value emitBlock(Value block, Value height, Value width);
  Value emitStarts(Value block, Value height, Value width);
  Value start(Value row, Value column, int64_t width, Value mask);
  Value createPanel(const Piece &piece, Value column, Value mask);
  Value copyRows(Value panel, LoopIndices at, Value first, Value from,
                 Value size, Value mask);
  Value copySquares(Value panel, LoopIndices at, Value first, Value from,
                    Value size, Value mask);
  Value writeUnits(Value units, Value panel, Value turn, Value column);
  Value emitTile(int64_t count, Value row, Value column, const Piece &piece,
                 Value panel, Value excess, Value mask, Value block);
  Value emitSquares(Value count, Value row, Value column, const Piece &piece,
                    Value panel, Value mask, Value block);
  Value readBegun(Value row, Value column, int64_t width, Value mask,
                  Value block);
  Values emitWindows(const Piece &piece, ValueRange carried,
                     llvm::function_ref<Values(LoopIndices at, Value first,
                                               ValueRange carried)>
                         body);
  Values getPlace(Value row, Value column);

  RowFactor rowFactor;
  TileSums sums;
  SquareSums squares;
  int64_t lanes;
  /// How many turns of the last loop, and of those around it, a panel has.
  int64_t length, panelWindows = 1;
  /// Whether one panel has all that is summed up.
  bool isOnePanel;
  /// The dims of the result, with that of rows one dim.
  SmallVector<ReassociationIndices> dims;
  /// Where a block is: the indices of the other loops, and its first row and
  /// column.
  LoopIndices indices;
  Value firstRow, firstColumn;
};

} // namespace

Tiles::Tiles(ImplicitLocOpBuilder &builder, Product product)
    : ProductBuilder(builder, product), rowFactor(builder, product),
      sums(builder, product), squares(builder, product),
      lanes(product.tile.lanes) {
  int64_t panelLength = product.tile.panelLength;
  std::optional<int64_t> known = getConstantIntValue(turns);
  int64_t panels = known ? llvm::divideCeil(*known, panelLength) : 2;
  length = known ? llvm::alignTo(llvm::divideCeil(*known, panels),
                                 std::max<int64_t>(turnsAtOnce, 8))
                 : panelLength;
  std::optional<int64_t> around = getConstantIntValue(windows);
  if (panels == 1) {
    int64_t most = std::max<int64_t>(panelLength / length, 1);
    panelWindows =
        around ? llvm::divideCeil(*around, llvm::divideCeil(*around, most))
               : most;
  }
  isOnePanel = panels == 1 && around && *around <= panelWindows;
  for (int64_t dim : llvm::seq<int64_t>(getMap(2).getNumResults())) {
    unsigned loop = getMap(2).getDimPosition(dim);
    if (llvm::is_contained(ArrayRef(product.rows).drop_front(), loop))
      dims.back().push_back(dim);
    else
      dims.push_back({dim});
  }
}

/// Goes through the loops around the last one that is summed up; `body` is told
/// where the panel has what belongs to a turn.
SmallVector<Value> Tiles::emitWindows(
    const Piece &piece, ValueRange carried,
    llvm::function_ref<Values(LoopIndices at, Value first, ValueRange carried)>
        body) {
  LoopIndices at(indices);
  if (getWindows().empty())
    return body(at, constant(0), carried);
  return loop(piece.firstWindow, piece.endWindow, 1, carried,
              [&](Value window, ValueRange values) {
                setIndices(at, getWindows(), window);
                Value turn = subtract(window, piece.firstWindow);
                return body(at, multiply(turn, constant(length)), values);
              });
}

/// What is summed up of the columns of a tile, by rows.
Value Tiles::createPanel(const Piece &piece, Value column, Value mask) {
  AffineMap map = getMap(1 - product.rowFactor);
  bool isByRows = map.getDimPosition(map.getNumResults() - 1) != product.column;
  SmallVector<int64_t> shape = {panelWindows * length, lanes};
  if (product.tile.isOfSquares)
    shape = {lanes / squareSide, length * squareSide};
  Value panel = tensor::EmptyOp::create(builder, shape, unit);
  Value size = subtract(piece.end, piece.from);
  return emitWindows(
             piece, panel,
             [&](LoopIndices at, Value first, ValueRange carried) -> Values {
               at[product.column] = column;
               return {isByRows ? copySquares(carried.front(), at, first,
                                              piece.from, size, mask)
                                : copyRows(carried.front(), at, first,
                                           piece.from, size, mask)};
             })
      .front();
}

/// Writes a panel's columns from `column` on at one turn, all or a square's.
Value Tiles::writeUnits(Value units, Value panel, Value turn, Value column) {
  Location loc = builder.getLoc();
  if (!product.tile.isOfSquares)
    return writeLanes(builder, loc, units, panel, {turn, column});
  int64_t width = cast<VectorType>(units.getType()).getNumElements();
  Value square = compute<arith::DivUIOp>(column, constant(squareSide));
  Value place = multiply(turn, constant(squareSide));
  for (int64_t number : llvm::seq(width / squareSide)) {
    int64_t first = number * squareSide;
    Value part = width == squareSide
                     ? units
                     : createShuffle(builder, loc, units,
                                     llvm::to_vector(
                                         llvm::seq(first, first + squareSide)));
    panel = writeLanes(builder, loc, part, panel, {add(square, number), place});
  }
  return panel;
}

Value Tiles::copyRows(Value panel, LoopIndices at, Value first, Value from,
                      Value size, Value mask) {
  unsigned number = 1 - product.rowFactor;
  Location loc = builder.getLoc();
  Value &summedAt = at[product.summed.back()];
  auto readRow = [&]() -> Value {
    return readLanes(builder, loc, getFactor(number),
                     getPosition(getMap(number), at), lanes, mask);
  };
  auto readUnits = [&](Value turn) -> Value {
    if (group == 1) {
      summedAt = turn;
      return convert(readRow(), number);
    }
    Values elements;
    for (int64_t place : llvm::seq(group)) {
      summedAt = add(multiply(turn, constant(group)), place);
      elements.push_back(readOrZero(summedAt, readRow));
    }
    return createWords(elements);
  };
  Value end = multiply(divideUp(size, constant(turnsAtOnce)), turnsAtOnce);
  return loop(constant(0), end, 1, panel,
              [&](Value place, ValueRange carried) -> Values {
                return {writeUnits(readUnits(add(from, place)), carried.front(),
                                   add(first, place), constant(0))};
              })
      .front();
}

Value Tiles::copySquares(Value panel, LoopIndices at, Value first, Value from,
                         Value size, Value mask) {
  unsigned number = 1 - product.rowFactor;
  Location loc = builder.getLoc();
  Value column = at[product.column];
  int64_t side =
      product.tile.isOfSquares ? squareSide : std::min<int64_t>(lanes, 8);
  int64_t run = side * group;
  Value lastColumn = subtract(columns, constant(1));
  bool isWhole = isMultiple(summed, run) && isMultiple(size, side);
  auto readUnits = [&](Value rest) -> Value {
    Value elements = readLanes(builder, loc, getFactor(number),
                               getPosition(getMap(number), at), run, rest);
    if (group == 1)
      return convert(elements, number);
    return vector::BitCastOp::create(builder, VectorType::get(side, unit),
                                     elements);
  };
  return loop(constant(0), size, side, panel,
              [&](Value place, ValueRange carried) -> Values {
                Value turn = add(from, place), rest;
                at[product.summed.back()] = multiply(turn, constant(group));
                if (!isWhole)
                  rest = vector::CreateMaskOp::create(
                      builder, VectorType::get(run, builder.getI1Type()),
                      compute<arith::MinUIOp>(
                          multiply(subtract(size, place), constant(group)),
                          subtract(summed, at[product.summed.back()])));
                // Squares beside each other: a loop, as each is many
                // operations.
                auto copySquare = [&](Value offset,
                                      ValueRange before) -> Values {
                  SmallVector<Value> square;
                  for (int64_t lane : llvm::seq(side)) {
                    at[product.column] = add(add(column, offset), lane);
                    if (mask)
                      at[product.column] = compute<arith::MinUIOp>(
                          at[product.column], lastColumn);
                    square.push_back(readUnits(rest));
                  }
                  transposeLanes(builder, loc, square);
                  Value written = before.front();
                  for (int64_t lane : llvm::seq(side))
                    written = writeUnits(square[lane], written,
                                         add(add(first, place), lane), offset);
                  return {written};
                };
                return loop(constant(0), constant(lanes), side, carried,
                            copySquare);
              })
      .front();
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// What sums of `width` of a row's columns, of a block's places, begin with.
Value Tiles::start(Value row, Value column, int64_t width, Value mask) {
  LoopIndices at(indices);
  setIndices(at, product.rows, add(firstRow, row));
  at[product.column] = add(firstColumn, column);
  return readStart(at, width, mask);
}

/// Where a block has a row and a column of it.
SmallVector<Value> Tiles::getPlace(Value row, Value column) {
  return llvm::map_to_vector(dims, [&](ArrayRef<int64_t> dim) {
    unsigned loop = getMap(2).getDimPosition(dim.front());
    return loop == product.rows.front() ? row
           : loop == product.column     ? column
                                        : constant(0);
  });
}

/// What there is to add to in `width` columns of a row of `block`.
Value Tiles::readBegun(Value row, Value column, int64_t width, Value mask,
                       Value block) {
  return isOnePanel ? start(row, column, width, mask)
                    : readLanes(builder, builder.getLoc(), block,
                                getPlace(row, column), width, mask);
}

/// As `emitTile`, in squares.
Value Tiles::emitSquares(Value count, Value row, Value column,
                         const Piece &piece, Value panel, Value mask,
                         Value block) {
  Location loc = builder.getLoc();
  // As many squares as the rows of a whole tile have, where that is open.
  std::optional<int64_t> known = getConstantIntValue(count);
  int64_t down =
      llvm::divideCeil(known.value_or(product.tile.rows), squareSide);
  RowFactor::Rows read = rowFactor.getRows(indices, add(firstRow, row), down);
  auto addTurns = [&](Value index, ValueRange summed) {
    LoopIndices at(indices);
    at[product.summed.back()] = add(piece.from, index);
    Value place = multiply(index, squareSide);
    Values across;
    for (int64_t number : llvm::seq(squares.getSquaresAcross()))
      across.push_back(readLanes(builder, loc, panel, {constant(number), place},
                                 squareWords));
    return squares.addProducts(summed, rowFactor.readSquares(read, at), across);
  };
  // LLVM takes what a square's words are read of for an intrinsic's result: not
  // for a loop's, which may have had no turns.
  Value size = subtract(piece.end, piece.from);
  Value last = multiply(compute<arith::DivUIOp>(subtract(size, constant(1)),
                                                constant(squareSide)),
                        squareSide);
  Values before =
      loop(constant(0), last, squareSide, squares.start(down), addTurns);
  Values sums = addTurns(last, before);

  auto writeRow = [&](Value words, int64_t number, int64_t first) {
    Value to = add(row, number), from = add(column, first), rest = mask;
    if (mask)
      rest =
          createShuffle(builder, loc, mask,
                        llvm::to_vector(llvm::seq(first, first + squareSide)));
    if (!known) {
      Value isThere = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                            constant(number), count);
      to = arith::SelectOp::create(builder, isThere, to, row);
      Value all = createSplat(builder, loc, isThere, squareSide);
      rest = rest ? arith::AndIOp::create(builder, rest, all) : all;
    }
    Value begun = readBegun(to, from, squareSide, rest, block);
    Value made = isa<FloatType>(sum)
                     ? arith::AddFOp::create(builder, begun, words).getResult()
                     : arith::AddIOp::create(builder, begun, words).getResult();
    block = writeLanes(builder, loc, made, block, getPlace(to, from), rest);
  };
  for (auto [square, one] : llvm::enumerate(sums)) {
    Value words = squares.getWords(one);
    int64_t firstRow = square / squares.getSquaresAcross() * squareSide;
    int64_t first = square % squares.getSquaresAcross() * squareSide;
    for (int64_t line : llvm::seq(squareSide)) {
      int64_t number = firstRow + line;
      if (known && number >= *known)
        break;
      int64_t place = line * squareSide;
      writeRow(
          createShuffle(builder, loc, words,
                        llvm::to_vector(llvm::seq(place, place + squareSide))),
          number, first);
    }
  }
  return block;
}

/// `block` with what `count` rows of a panel's columns sum up to.
Value Tiles::emitTile(int64_t count, Value row, Value column,
                      const Piece &piece, Value panel, Value excess, Value mask,
                      Value block) {
  Location loc = builder.getLoc();
  auto getStart = [&](int64_t number) {
    Value begun = readBegun(add(row, number), column, lanes, mask, block);
    return excess ? arith::SubIOp::create(builder, begun, excess).getResult()
                  : begun;
  };
  Values started = sums.start(count, getStart);
  RowFactor::Rows read = rowFactor.getRows(indices, add(firstRow, row), count);
  auto addTurn = [&](LoopIndices at, Value first, Value index,
                     ValueRange summed) {
    at[product.summed.back()] = add(piece.from, index);
    Values elements = rowFactor.read(read, at);
    return sums.addProducts(summed, elements,
                            readLanes(builder, loc, panel,
                                      {add(first, index), constant(0)}, lanes));
  };
  auto emitTurns = [&](const LoopIndices &at, Value first, Value from, Value to,
                       int64_t step, ValueRange above) {
    return loop(from, to, step, above, [&](Value index, ValueRange carried) {
      Values next(carried);
      for (int64_t turn : llvm::seq(step))
        next = addTurn(at, first, add(index, turn), next);
      return next;
    });
  };
  Value size = subtract(piece.end, piece.from);
  bool isWhole = isMultiple(size, unrolled) || isMultiple(turns, length);
  Value whole =
      isWhole
          ? size
          : subtract(size, compute<arith::RemUIOp>(size, constant(unrolled)));
  Values summedUp = emitWindows(
      piece, started,
      [&](LoopIndices at, Value first, ValueRange before) -> Values {
        Values added =
            emitTurns(at, first, constant(0), whole, unrolled, before);
        return isWhole ? added : emitTurns(at, first, whole, size, 1, added);
      });

  for (int64_t number : llvm::seq(count)) {
    block = writeLanes(builder, loc, sums.finish(summedUp, number, getStart),
                       block, getPlace(add(row, number), column), mask);
  }
  return block;
}

Value Tiles::emit() {
  // Known outside: IREE computes from it how many workgroups to start.
  Value one = constant(1), stack = one;
  Values counts = countOthers();
  for (Value count : counts)
    stack = multiply(stack, count);
  int64_t tileRows = product.tile.rows, width = blockTiles * lanes;
  int64_t mostRows = product.tile.mostTiles * tileRows,
          fewerRows = fewerTiles * tileRows;
  auto hasBlocks = [&](int64_t most) {
    std::optional<int64_t> blocks = getConstantIntValue(
        multiply(stack, multiply(divideUp(columns, constant(width)),
                                 divideUp(rows, constant(most)))));
    return blocks && *blocks >= wantedBlocks;
  };
  if (product.tile.isOfSquares) {
    fewerRows = fewestSquareRows;
    mostRows = std::max<int64_t>(
        llvm::alignDown(squareBlockBytes / (4 * length), tileRows), fewerRows);
    // Narrow blocks copy no more than wide ones, low blocks do.
    if (!hasBlocks(mostRows))
      width = lanes;
  }
  Value blockWidth = constant(width);
  Value across = divideUp(columns, blockWidth);
  Value others = multiply(stack, across);
  int64_t most = hasBlocks(mostRows) ? mostRows : fewerRows;
  Value down = compute<arith::MaxUIOp>(divideUp(rows, constant(most)), one);
  Value tiles = divideUp(divideUp(rows, down), constant(tileRows));
  Value blockHeight = multiply(tiles, constant(tileRows));

  SmallVector<OpFoldResult> sizes, allSizes;
  for (ArrayRef<int64_t> dim : dims) {
    unsigned loop = getMap(2).getDimPosition(dim.front());
    sizes.push_back(
        getAsOpFoldResult(loop == product.rows.front() ? rows : getSize(loop)));
  }
  RankedTensorType type = getTensorType(sizes, sum);
  Values openSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(sizes, openSizes, staticSizes);

  Value count = multiply(others, down);
  SmallVector<OpFoldResult> turns = getAsOpFoldResult(counts);
  turns.append({getAsOpFoldResult(down), getAsOpFoldResult(across)});

  Value height, partWidth;
  auto place = [&](Value number) {
    Values places = getRowIndices(builder, builder.getLoc(), number, turns);
    firstColumn = multiply(places.pop_back_val(), blockWidth);
    firstRow = multiply(places.pop_back_val(), blockHeight);
    indices = placeOthers(places);
    height = compute<arith::MinUIOp>(blockHeight, subtract(rows, firstRow));
    partWidth = isMultiple(columns, width)
                    ? blockWidth
                    : compute<arith::MinUIOp>(blockWidth,
                                              subtract(columns, firstColumn));
    TensorPart part;
    auto addDim = [&](Value offset, Value size) {
      part.offsets.push_back(getAsOpFoldResult(offset));
      part.sizes.push_back(getAsOpFoldResult(size));
    };
    for (ArrayRef<int64_t> dim : dims) {
      unsigned loop = getMap(2).getDimPosition(dim.front());
      if (loop == product.rows.front())
        addDim(firstRow, height);
      else if (loop == product.column)
        addDim(firstColumn, partWidth);
      else
        addDim(indices[loop], one);
    }
    return part;
  };
  Value result = emitParts(type, openSizes, count, place, [&](Value block) {
    return emitBlock(block, height, partWidth);
  });
  if (product.rows.size() == 1)
    return result;
  for (int64_t dim : llvm::seq<int64_t>(getMap(2).getNumResults()))
    allSizes.push_back(
        getAsOpFoldResult(getSize(getMap(2).getDimPosition(dim))));
  return tensor::ExpandShapeOp::create(
      builder, product.op.getResult(0).getType(), result, dims, allSizes);
}

/// `block` with what its sums begin with.
Value Tiles::emitStarts(Value block, Value height, Value width) {
  Value zero = constant(0);
  return loop(zero, height, 1, block,
              [&](Value row, ValueRange above) {
                return emitColumns(
                    width, lanes, above,
                    [&](Value column, Value mask, ValueRange before) -> Values {
                      return {writeLanes(builder, builder.getLoc(),
                                         start(row, column, lanes, mask),
                                         before.front(), getPlace(row, column),
                                         mask)};
                    });
              })
      .front();
}

/// Fills a block of `height` rows and `width` columns.
Value Tiles::emitBlock(Value block, Value height, Value width) {
  Value zero = constant(0);
  // Rows after the last whole tile: a tile of as many, or of one at a time.
  std::optional<int64_t> known = getConstantIntValue(rows);
  int64_t tileRows = product.tile.rows;
  int64_t fewer = known ? *known % tileRows : 1;
  Value whole =
      subtract(height, compute<arith::RemUIOp>(height, constant(tileRows)));
  auto emitPanel = [&](const Piece &piece, ValueRange values) -> Values {
    return emitColumns(
        width, lanes, values,
        [&](Value column, Value mask, ValueRange before) -> Values {
          Value panel = createPanel(piece, add(firstColumn, column), mask);
          Value excess =
              sums.createExcess(panel, subtract(piece.end, piece.from));
          auto emitTiles = [&](Value first, Value last, int64_t count,
                               ValueRange above) {
            return loop(first, last, count, above,
                        [&](Value row, ValueRange carried) -> Values {
                          if (product.tile.isOfSquares)
                            return {emitSquares(constant(count), row, column,
                                                piece, panel, mask,
                                                carried.front())};
                          return {emitTile(count, row, column, piece, panel,
                                           excess, mask, carried.front())};
                        });
          };
          Values tiles = emitTiles(zero, whole, tileRows, before);
          if (product.tile.isOfSquares && !known)
            return loop(whole, height, tileRows, tiles,
                        [&](Value row, ValueRange carried) -> Values {
                          return {emitSquares(subtract(height, row), row,
                                              column, piece, panel, mask,
                                              carried.front())};
                        });
          return fewer ? emitTiles(whole, height, fewer, tiles) : tiles;
        });
  };
  if (isOnePanel)
    return emitPanel({zero, windows, zero, turns}, block).front();
  // Pieces of `step` turns.
  auto goThrough =
      [&](Value count, int64_t step, ValueRange carried,
          llvm::function_ref<Values(Value, Value, ValueRange)> body) {
        return loop(zero, count, step, carried,
                    [&](Value first, ValueRange values) {
                      Value end = add(first, step);
                      if (!isMultiple(count, step))
                        end = compute<arith::MinUIOp>(end, count);
                      return body(first, end, values);
                    });
      };
  return goThrough(windows, panelWindows, emitStarts(block, height, width),
                   [&](Value firstWindow, Value endWindow, ValueRange above) {
                     return goThrough(
                         turns, length, above,
                         [&](Value from, Value end, ValueRange before) {
                           return emitPanel({firstWindow, endWindow, from, end},
                                            before);
                         });
                   })
      .front();
}

Value mlir::wax::emitTiles(RewriterBase &rewriter, Product product) {
  ImplicitLocOpBuilder builder(product.op.getLoc(), rewriter);
  return Tiles(builder, product).emit();
}
