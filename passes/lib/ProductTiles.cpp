//===- ProductTiles.cpp - The loops of a product of matrices --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of Goto and van de Geijn (Anatomy of High-Performance Matrix
// Multiplication, 2008), for factors that lie in memory as they are. A panel of
// one factor, as wide as a tile, is copied to where it stays in a near cache
// while all rows of a block go by it (ProductColumns); each tile of the result
// is summed up in registers. The other factor is read element by element
// (ProductRows), or in squares (ProductSquares).
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"
#include "LoopPlan.h"
#include "ProductColumns.h"
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
/// Tiles below each other in a block, at least, where there are few blocks for
/// all processors.
constexpr int64_t fewerTiles = 11;
constexpr int64_t wantedBlocks = 8;
/// The rows of a block of squares are in the second cache, with a panel.
/// Copying one takes as long as multiplying it with some 16 rows.
constexpr int64_t squareBlockBytes = 512 * 1024, fewestSquareRows = 128;

/// Emits one product.
class Tiles : ProductBuilder {
public:
  Tiles(ImplicitLocOpBuilder &builder, Product product,
        ProductEpilogue &epilogue);
  Value emit();

private:
  using Piece = ColumnFactor::Piece;
  using Panel = ColumnFactor::Panel;

  Value emitBlock(Value block, Value height, Value width);
  bool startsWithMasks();
  Value emitStarts(Value block, Value height, Value width);
  Value start(Value row, Value column, int64_t width, Value mask);
  Value emitTile(int64_t count, Value row, Value column, const Piece &piece,
                 const Panel &panel, Value excess, Value mask, Value block);
  Value emitSquares(Value count, Value row, Value column, const Piece &piece,
                    const Panel &panel, Value mask, Value block);
  Value readBegun(Value row, Value column, int64_t width, const Piece &piece,
                  Value mask, Value block);
  bool isEpilogueInRegisters(std::optional<int64_t> count) const;
  Value applyEpilogue(Value row, Value column, Value sums, Value mask);
  Value emitEpilogue(Value row, Value count, Value column, const Piece &piece,
                     Value mask, Value sumsApart, Value block);
  bool hasRoomForSumsApart();
  Value createSumsApart(std::optional<int64_t> count, Value mask);
  Values getPlace(Value row, Value column);
  LoopIndices getIndices(Value row, Value column);

  ProductEpilogue &epilogue;
  RowFactor rowFactor;
  ColumnFactor columnFactor;
  TileSums sums;
  SquareSums squares;
  int64_t lanes;
  /// Of the result.
  Type element;
  /// The dims of the result, with that of rows one dim.
  SmallVector<ReassociationIndices> dims;
  /// Where a block is: the indices of the other loops, and its first row and
  /// column.
  LoopIndices indices;
  Value firstRow, firstColumn;
};

} // namespace

Tiles::Tiles(ImplicitLocOpBuilder &builder, Product product,
             ProductEpilogue &epilogue)
    : ProductBuilder(builder, product), epilogue(epilogue),
      rowFactor(builder, product), columnFactor(builder, product),
      sums(builder, product), squares(builder, product),
      lanes(product.tile.lanes), element(sum) {
  if (!columnFactor.isOnePanel() || !hasRoomForSumsApart())
    epilogue.keepType();
  if (!epilogue.isEmpty()) {
    epilogue.begin(builder, builder.getLoc());
    element = epilogue.getElementType();
  }
  for (int64_t dim : llvm::seq<int64_t>(getMap(2).getNumResults())) {
    unsigned loop = getMap(2).getDimPosition(dim);
    if (llvm::is_contained(ArrayRef(product.rows).drop_front(), loop))
      dims.back().push_back(dim);
    else
      dims.push_back({dim});
  }
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// The loops' indices at a block's place.
LoopIndices Tiles::getIndices(Value row, Value column) {
  LoopIndices at(indices);
  setIndices(at, product.rows, add(firstRow, row));
  at[product.column] = add(firstColumn, column);
  return at;
}

/// What sums of `width` of a row's columns, of a block's places, begin with.
Value Tiles::start(Value row, Value column, int64_t width, Value mask) {
  return readStart(getIndices(row, column), width, mask);
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
Value Tiles::readBegun(Value row, Value column, int64_t width,
                       const Piece &piece, Value mask, Value block) {
  if (columnFactor.isOnePanel())
    return start(row, column, width, mask);
  Location loc = builder.getLoc();
  if (piece.hasBegun) {
    Value all = createSplat(builder, loc, piece.hasBegun, width);
    mask = mask ? arith::AndIOp::create(builder, mask, all).getResult() : all;
  }
  return readLanes(builder, loc, block, getPlace(row, column), width, mask);
}

/// Whether what becomes of sums is computed before they are written. A loop
/// of one turn would go away, and what it writes take the place of what it
/// reads under a mask, so that IREE keeps both.
bool Tiles::isEpilogueInRegisters(std::optional<int64_t> count) const {
  return !epilogue.isEmpty() && columnFactor.isOnePanel() && count == 1;
}

/// What becomes of a row's sums from `column` on.
Value Tiles::applyEpilogue(Value row, Value column, Value sums, Value mask) {
  return epilogue.apply(builder, builder.getLoc(),
                        getPosition(getMap(2), getIndices(row, column)), sums,
                        mask);
}

/// Whether there is room for them on the stack beside panels: for those of
/// whole tiles and of lower ones, of columns under a mask or in loops of their
/// own.
bool Tiles::hasRoomForSumsApart() {
  int64_t bytes = product.tile.rows * lanes * sum.getIntOrFloatBitWidth() / 8;
  int64_t loops = product.tile.hasMasks || isMultiple(columns, lanes) ? 1 : 2;
  return loops * (columnFactor.getStackBytes() + 2 * bytes) <=
         product.tile.stackBytes;
}

/// Where sums are until all of a tile are there, if blocks have elements of
/// another type, or columns under a mask: processors do not forward what they
/// write under one to what reads it next, and wait. Else null.
Value Tiles::createSumsApart(std::optional<int64_t> count, Value mask) {
  bool isRead = !epilogue.isEmpty() && !isEpilogueInRegisters(count);
  bool isMasked = mask && columnFactor.isOnePanel() && hasRoomForSumsApart();
  if (!isRead || (element == sum && !isMasked))
    return {};
  return tensor::EmptyOp::create(builder, builder.getLoc(),
                                 {product.tile.rows, lanes}, sum);
}

/// `block` with what becomes of `count` rows of a panel's columns, once they
/// are summed up.
Value Tiles::emitEpilogue(Value row, Value count, Value column,
                          const Piece &piece, Value mask, Value sumsApart,
                          Value block) {
  if (epilogue.isEmpty() || isEpilogueInRegisters(getConstantIntValue(count)))
    return block;
  if (!columnFactor.isOnePanel()) {
    auto isSame = [&](Value one, Value other) {
      return builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, one,
                                                 other);
    };
    Value isLast = compute<arith::AndIOp>(isSame(piece.endWindow, windows),
                                          isSame(piece.end, turns));
    count = builder.createOrFold<arith::SelectOp>(isLast, count, constant(0));
  }
  Location loc = builder.getLoc();
  return loop(constant(0), count, 1, block,
              [&](Value number, ValueRange carried) -> Values {
                Value at = add(row, number);
                Values place = getPlace(at, column);
                Value read = sumsApart
                                 ? readLanes(builder, loc, sumsApart,
                                             {number, constant(0)}, lanes)
                                 : readLanes(builder, loc, carried.front(),
                                             place, lanes, mask);
                return {writeLanes(builder, loc,
                                   applyEpilogue(at, column, read, mask),
                                   carried.front(), place, mask)};
              })
      .front();
}

/// As `emitTile`, in squares.
Value Tiles::emitSquares(Value count, Value row, Value column,
                         const Piece &piece, const Panel &panel, Value mask,
                         Value block) {
  Location loc = builder.getLoc();
  // As many squares as the rows of a whole tile have, where that is open.
  std::optional<int64_t> known = getConstantIntValue(count);
  int64_t down =
      llvm::divideCeil(known.value_or(product.tile.rows), squareSide);
  RowFactor::Rows read = rowFactor.getRows(indices, add(firstRow, row), down);
  Value firstTurn = columnFactor.getFirstRow(piece);
  auto addTurns = [&](Value index, ValueRange summed) {
    LoopIndices at(indices);
    at[product.summed.back()] = add(piece.from, index);
    Value place = add(firstTurn, index);
    Values across;
    for (int64_t number : llvm::seq(squares.getSquaresAcross()))
      across.push_back(columnFactor.readSquare(panel, place, number));
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

  Value sumsApart = createSumsApart(known, mask);
  auto writeRow = [&](Value words, int64_t number, int64_t first) {
    Value to = add(row, number), from = add(column, first), rest = mask;
    if (mask)
      rest = createMask(builder, loc, squareSide,
                        subtract(countLanes(mask), constant(first)));
    if (!known) {
      Value isThere = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                            constant(number), count);
      to = arith::SelectOp::create(builder, isThere, to, row);
      Value all = createSplat(builder, loc, isThere, squareSide);
      rest = rest ? arith::AndIOp::create(builder, rest, all) : all;
    }
    Value begun = readBegun(to, from, squareSide, piece, rest, block);
    Value made = isa<FloatType>(sum)
                     ? arith::AddFOp::create(builder, begun, words).getResult()
                     : arith::AddIOp::create(builder, begun, words).getResult();
    if (sumsApart) {
      sumsApart = writeLanes(builder, loc, made, sumsApart,
                             {constant(number), constant(first)});
      return;
    }
    if (isEpilogueInRegisters(known))
      made = applyEpilogue(to, from, made, rest);
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
  return emitEpilogue(row, count, column, piece, mask, sumsApart, block);
}

/// `block` with what `count` rows of a panel's columns sum up to.
Value Tiles::emitTile(int64_t count, Value row, Value column,
                      const Piece &piece, const Panel &panel, Value excess,
                      Value mask, Value block) {
  Location loc = builder.getLoc();
  auto getStart = [&](int64_t number) {
    Value begun =
        readBegun(add(row, number), column, lanes, piece, mask, block);
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
                            columnFactor.readRow(panel, add(first, index)));
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
  bool isWhole =
      isMultiple(size, unrolled) || isMultiple(turns, columnFactor.getLength());
  Value whole =
      isWhole
          ? size
          : subtract(size, compute<arith::RemUIOp>(size, constant(unrolled)));
  Values summedUp = columnFactor.emitWindows(
      indices, piece, started,
      [&](LoopIndices at, Value first, ValueRange before) -> Values {
        Values added =
            emitTurns(at, first, constant(0), whole, unrolled, before);
        return isWhole ? added : emitTurns(at, first, whole, size, 1, added);
      });

  Value sumsApart = createSumsApart(count, mask);
  for (int64_t number : llvm::seq(count)) {
    Value at = add(row, number);
    Value made = sums.finish(summedUp, number, getStart);
    if (sumsApart) {
      sumsApart = writeLanes(builder, loc, made, sumsApart,
                             {constant(number), constant(0)});
      continue;
    }
    if (isEpilogueInRegisters(count))
      made = applyEpilogue(at, column, made, mask);
    block = writeLanes(builder, loc, made, block, getPlace(at, column), mask);
  }
  return emitEpilogue(row, constant(count), column, piece, mask, sumsApart,
                      block);
}

Value Tiles::emit() {
  // Known outside: IREE computes from it how many workgroups to start.
  Value one = constant(1), stack = one;
  Values counts = countOthers();
  for (Value count : counts)
    stack = multiply(stack, count);
  int64_t mostTiles = columnFactor.isPacked() ? product.tile.packing.mostTiles
                                              : product.tile.mostTiles;
  int64_t tileRows = product.tile.rows, fewerRows = fewerTiles * tileRows;
  if (product.tile.isOfSquares) {
    fewerRows = fewestSquareRows;
    mostTiles = std::max<int64_t>(squareBlockBytes /
                                      (4 * columnFactor.getLength() * tileRows),
                                  llvm::divideCeil(fewerRows, tileRows));
  }
  int64_t mostRows = mostTiles * tileRows;
  // Narrow blocks copy no more than wide ones, low blocks do.
  int64_t width = blockTiles * lanes;
  auto countAtLeast = [&](Value count) {
    return getConstantIntValue(count).value_or(1);
  };
  while (width > lanes &&
         countAtLeast(stack) *
                 countAtLeast(divideUp(columns, constant(width))) *
                 countAtLeast(divideUp(rows, constant(mostRows))) <
             wantedBlocks)
    width /= 2;
  Value blockWidth = constant(width);
  Value across = divideUp(columns, blockWidth);
  Value others = multiply(stack, across);
  Value wanted =
      divideUp(constant(wantedBlocks), compute<arith::MaxUIOp>(others, one));
  Value down = compute<arith::MaxUIOp>(
      compute<arith::MaxUIOp>(divideUp(rows, constant(mostRows)), one),
      compute<arith::MinUIOp>(divideUp(rows, constant(fewerRows)), wanted));
  Value tiles = divideUp(divideUp(rows, down), constant(tileRows));
  Value blockHeight = multiply(tiles, constant(tileRows));

  SmallVector<OpFoldResult> sizes, allSizes;
  for (ArrayRef<int64_t> dim : dims) {
    unsigned loop = getMap(2).getDimPosition(dim.front());
    sizes.push_back(
        getAsOpFoldResult(loop == product.rows.front() ? rows : getSize(loop)));
  }
  RankedTensorType type = getTensorType(sizes, element);
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
    indices = placeLoops(product.others, places);
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
      builder,
      cast<RankedTensorType>(product.op.getResult(0).getType()).clone(element),
      result, dims, allSizes);
}

/// Whether sums are known to begin with zeros, and to be written: what masks
/// leave out when the first panel's tiles are read.
bool Tiles::startsWithMasks() {
  if (!product.tile.hasMasks || getConstantIntValue(turns).value_or(0) == 0 ||
      getConstantIntValue(windows).value_or(0) == 0)
    return false;
  return getConstantFilling(product.op.getOutputs().front()) ==
         builder.getZeroAttr(sum);
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
          Panel panel = columnFactor.getPanel(indices, piece,
                                              add(firstColumn, column), mask);
          Value firstTurn = columnFactor.getFirstRow(piece);
          Value excess = sums.createExcess(
              subtract(piece.end, piece.from), [&](Value place) {
                return columnFactor.readRow(panel, add(firstTurn, place));
              });
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
  if (columnFactor.isOnePanel())
    return emitPanel({zero, windows, zero, turns, {}}, block).front();
  auto isNotZero = [&](Value number) -> Value {
    return builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, number,
                                               zero);
  };
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
  bool isMasked = startsWithMasks();
  auto emitPiece = [&](Piece piece, ValueRange before) {
    if (isMasked)
      piece.hasBegun = compute<arith::OrIOp>(isNotZero(piece.firstWindow),
                                             isNotZero(piece.from));
    return emitPanel(piece, before);
  };
  return goThrough(windows, columnFactor.getWindowCount(),
                   isMasked ? block : emitStarts(block, height, width),
                   [&](Value firstWindow, Value endWindow, ValueRange above) {
                     return goThrough(
                         turns, columnFactor.getLength(), above,
                         [&](Value from, Value end, ValueRange before) {
                           return emitPiece(
                               {firstWindow, endWindow, from, end, {}}, before);
                         });
                   })
      .front();
}

Value mlir::wax::emitTiles(RewriterBase &rewriter, Product product,
                           ProductEpilogue &epilogue) {
  SmallVector<Location> locations{product.op.getLoc()};
  ImplicitLocOpBuilder builder(locations.front(), rewriter);
  Tiles tiles(builder, product, epilogue);
  for (linalg::GenericOp map : epilogue.getMaps())
    locations.push_back(map.getLoc());
  builder.setLoc(rewriter.getFusedLoc(locations));
  return tiles.emit();
}
