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
// up in registers. The other factor is read element by element (ProductRows).
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"
#include "LoopPlan.h"
#include "ProductRows.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Bytes of a tile's columns: with 16 registers of 32 bytes, 12 sum up, 2 hold
/// a row of the panel, and one an element of the other factor.
constexpr int64_t tileBytes = 64;
/// Elements to sum up before a tile goes back to memory: a panel of them takes
/// half of the nearest cache, and bytes multiplied in f32 sum up exactly.
constexpr int64_t panelLength = 256;
/// Turns of the innermost loop that are written out.
constexpr int64_t unrolled = 2;
/// Tiles that are side by side in a block: they read one piece of each row.
constexpr int64_t blockTiles = 4;
/// Rows of a block, and of one where there are few blocks for all processors.
constexpr int64_t mostRows = 85 * tileRows, fewerRows = 21 * tileRows;
constexpr int64_t wantedBlocks = 8;

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
  Value start(Value row, Value column, Value mask);
  Value createPanel(const Piece &piece, Value column, Value mask);
  Value copyRows(Value panel, LoopIndices at, Value first, Value from,
                 Value size, Value mask);
  Value copySquares(Value panel, LoopIndices at, Value first, Value from,
                    Value size, Value mask);
  Value emitTile(int64_t count, Value row, Value column, const Piece &piece,
                 Value panel, Value mask, Value block);
  Values emitWindows(const Piece &piece, ValueRange carried,
                     llvm::function_ref<Values(LoopIndices at, Value first,
                                               ValueRange carried)>
                         body);
  Values getPlace(Value row, Value column);

  RowFactor rowFactor;
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

Type mlir::wax::getProductSumType(Product product) {
  return getElementTypeOrSelf(product.op.getResult(0).getType());
}

Type mlir::wax::getProductType(Product product) {
  Type sum = getProductSumType(product);
  return isa<FloatType>(sum) ? sum : Float32Type::get(sum.getContext());
}

int64_t mlir::wax::getProductLanes(Product product) {
  return 8 * tileBytes / getProductType(product).getIntOrFloatBitWidth();
}

Tiles::Tiles(ImplicitLocOpBuilder &builder, Product product)
    : ProductBuilder(builder, product), rowFactor(builder, product),
      lanes(getProductLanes(product)) {
  std::optional<int64_t> known = getConstantIntValue(summed);
  int64_t panels = known ? llvm::divideCeil(*known, panelLength) : 2;
  length =
      known ? llvm::alignTo(llvm::divideCeil(*known, panels), 8) : panelLength;
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
  Value panel = tensor::EmptyOp::create(
      builder, ArrayRef<int64_t>{panelWindows * length, lanes}, wide);
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

Value Tiles::copyRows(Value panel, LoopIndices at, Value first, Value from,
                      Value size, Value mask) {
  unsigned number = 1 - product.rowFactor;
  return loop(constant(0), size, 1, panel,
              [&](Value place, ValueRange carried) -> Values {
                at[product.summed.back()] = add(from, place);
                Value row =
                    readLanes(builder, builder.getLoc(), getFactor(number),
                              getPosition(getMap(number), at), lanes, mask);
                return {writeLanes(builder, builder.getLoc(),
                                   convert(row, number), carried.front(),
                                   {add(first, place), constant(0)})};
              })
      .front();
}

Value Tiles::copySquares(Value panel, LoopIndices at, Value first, Value from,
                         Value size, Value mask) {
  unsigned number = 1 - product.rowFactor;
  Value column = at[product.column];
  int64_t side = std::min<int64_t>(lanes, 8);
  Value lastColumn = subtract(columns, constant(1));
  bool isWhole = isMultiple(summed, side) && isMultiple(size, side);
  auto maskType = VectorType::get(side, builder.getI1Type());
  return loop(constant(0), size, side, panel,
              [&](Value place, ValueRange carried) -> Values {
                at[product.summed.back()] = add(from, place);
                Value rest;
                if (!isWhole)
                  rest = vector::CreateMaskOp::create(builder, maskType,
                                                      subtract(size, place));
                Value written = carried.front();
                for (int64_t group = 0; group < lanes; group += side) {
                  SmallVector<Value> square;
                  for (int64_t lane : llvm::seq(side)) {
                    at[product.column] = add(column, constant(group + lane));
                    if (mask)
                      at[product.column] = compute<arith::MinUIOp>(
                          at[product.column], lastColumn);
                    square.push_back(convert(
                        readLanes(builder, builder.getLoc(), getFactor(number),
                                  getPosition(getMap(number), at), side, rest),
                        number));
                  }
                  transposeLanes(builder, builder.getLoc(), square);
                  for (int64_t lane : llvm::seq(side))
                    written = writeLanes(
                        builder, builder.getLoc(), square[lane], written,
                        {add(add(first, place), lane), constant(group)});
                }
                return {written};
              })
      .front();
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// What sums of a row's columns, of a block's places, begin with.
Value Tiles::start(Value row, Value column, Value mask) {
  LoopIndices at(indices);
  setIndices(at, product.rows, add(firstRow, row));
  at[product.column] = add(firstColumn, column);
  return readStart(at, lanes, mask);
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

/// `block` with what `count` rows of a panel's columns sum up to.
Value Tiles::emitTile(int64_t count, Value row, Value column,
                      const Piece &piece, Value panel, Value mask,
                      Value block) {
  Location loc = builder.getLoc();
  auto getStart = [&](int64_t number) {
    if (isOnePanel)
      return start(add(row, number), column, mask);
    return readLanes(builder, loc, block, getPlace(add(row, number), column),
                     lanes, mask);
  };
  auto type = VectorType::get({count, lanes}, wide);
  Value sums =
      arith::ConstantOp::create(builder, type, builder.getZeroAttr(type));
  bool isInteger = isa<IntegerType>(sum);
  if (!isInteger)
    for (int64_t number : llvm::seq(count))
      sums = vector::InsertOp::create(builder, getStart(number), sums, number);

  RowFactor::Rows read = rowFactor.getRows(indices, add(firstRow, row), count);
  auto multiplyAndAdd = [&](LoopIndices at, Value first, Value index,
                            Value accumulated) -> Value {
    at[product.summed.back()] = add(piece.from, index);
    Value elements = vector::ShapeCastOp::create(
        builder, VectorType::get({count, 1}, wide), rowFactor.read(read, at));
    Value row =
        readLanes(builder, loc, panel, {add(first, index), constant(0)}, lanes);
    Value product = arith::MulFOp::create(
        builder, vector::BroadcastOp::create(builder, type, elements),
        vector::BroadcastOp::create(builder, type, row),
        arith::FastMathFlags::contract);
    return arith::AddFOp::create(builder, product, accumulated,
                                 arith::FastMathFlags::contract);
  };
  auto emitTurns = [&](const LoopIndices &at, Value first, Value from, Value to,
                       int64_t turns, ValueRange above) {
    return loop(from, to, turns, above,
                [&](Value index, ValueRange carried) -> Values {
                  Value next = carried.front();
                  for (int64_t turn : llvm::seq(turns))
                    next = multiplyAndAdd(at, first, add(index, turn), next);
                  return {next};
                });
  };
  Value size = subtract(piece.end, piece.from);
  bool isWhole = isMultiple(size, unrolled) || isMultiple(summed, length);
  Value whole =
      isWhole
          ? size
          : subtract(size, compute<arith::RemUIOp>(size, constant(unrolled)));
  sums = emitWindows(
             piece, sums,
             [&](LoopIndices at, Value first, ValueRange before) -> Values {
               Values added =
                   emitTurns(at, first, constant(0), whole, unrolled, before);
               return isWhole ? added
                              : emitTurns(at, first, whole, size, 1, added);
             })
             .front();

  for (int64_t number : llvm::seq(count)) {
    Value value = vector::ExtractOp::create(builder, sums, number);
    if (isInteger)
      value = arith::AddIOp::create(
          builder,
          arith::FPToSIOp::create(builder, VectorType::get(lanes, sum), value),
          getStart(number));
    block = writeLanes(builder, loc, value, block,
                       getPlace(add(row, number), column), mask);
  }
  return block;
}

Value Tiles::emit() {
  // Known outside: IREE computes from it how many workgroups to start.
  Value one = constant(1), stack = one;
  Values counts = countOthers();
  for (Value count : counts)
    stack = multiply(stack, count);
  Value blockWidth = constant(blockTiles * lanes);
  Value across = divideUp(columns, blockWidth);
  Value others = multiply(stack, across);
  std::optional<int64_t> blocks =
      getConstantIntValue(multiply(others, divideUp(rows, constant(mostRows))));
  int64_t most = blocks && *blocks >= wantedBlocks ? mostRows : fewerRows;
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

  Value height, width;
  auto place = [&](Value number) {
    Values places = getRowIndices(builder, builder.getLoc(), number, turns);
    firstColumn = multiply(places.pop_back_val(), blockWidth);
    firstRow = multiply(places.pop_back_val(), blockHeight);
    indices = placeOthers(places);
    height = compute<arith::MinUIOp>(blockHeight, subtract(rows, firstRow));
    width = isMultiple(columns, blockTiles * lanes)
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
        addDim(firstColumn, width);
      else
        addDim(indices[loop], one);
    }
    return part;
  };
  Value result = emitParts(type, openSizes, count, place, [&](Value block) {
    return emitBlock(block, height, width);
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
                      return {writeLanes(
                          builder, builder.getLoc(), start(row, column, mask),
                          before.front(), getPlace(row, column), mask)};
                    });
              })
      .front();
}

/// Fills a block of `height` rows and `width` columns.
Value Tiles::emitBlock(Value block, Value height, Value width) {
  Value zero = constant(0);
  // Rows after the last whole tile: a tile of as many, or of one at a time.
  std::optional<int64_t> known = getConstantIntValue(rows);
  int64_t fewer = known ? *known % tileRows : 1;
  Value whole =
      subtract(height, compute<arith::RemUIOp>(height, constant(tileRows)));
  auto emitPanel = [&](const Piece &piece, ValueRange values) -> Values {
    return emitColumns(
        width, lanes, values,
        [&](Value column, Value mask, ValueRange before) -> Values {
          Value panel = createPanel(piece, add(firstColumn, column), mask);
          auto emitTiles = [&](Value first, Value last, int64_t count,
                               ValueRange above) {
            return loop(first, last, count, above,
                        [&](Value row, ValueRange carried) -> Values {
                          return {emitTile(count, row, column, piece, panel,
                                           mask, carried.front())};
                        });
          };
          Values tiles = emitTiles(zero, whole, tileRows, before);
          return fewer ? emitTiles(whole, height, fewer, tiles) : tiles;
        });
  };
  if (isOnePanel)
    return emitPanel({zero, windows, zero, summed}, block).front();
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
                         summed, length, above,
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
