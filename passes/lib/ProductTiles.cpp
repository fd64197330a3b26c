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
  Value emitBlock(Value block, Value height, Value width);
  Value emitStarts(Value block, Value height, Value width);
  Value createMask(Value column, Value width);
  Value start(Value row, Value column, Value mask);
  Value createPanel(Value from, Value end, Value column, Value mask);
  void transpose(SmallVector<Value> &vectors);
  Value emitTile(int64_t count, Value row, Value column, Value from, Value end,
                 Value panel, Value mask, Value block);

  RowFactor rowFactor;
  int64_t lanes;
  /// The length of a panel.
  int64_t length;
  /// Whether one panel has all that is summed up.
  bool isOnePanel;
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
  isOnePanel = panels == 1;
}

/// Makes rows of the columns of a square of vectors: interleaving the first
/// half of them with the second one turns the bits of the places by one.
void Tiles::transpose(SmallVector<Value> &vectors) {
  int64_t count = vectors.size();
  SmallVector<int64_t> low, high;
  for (int64_t lane : llvm::seq(count / 2)) {
    low.append({lane, count + lane});
    high.append({count / 2 + lane, count + count / 2 + lane});
  }
  for (int64_t turn = 1; turn < count; turn *= 2) {
    SmallVector<Value> turned;
    for (int64_t i : llvm::seq(count / 2)) {
      Value first = vectors[i], second = vectors[count / 2 + i];
      turned.push_back(vector::ShuffleOp::create(builder, first, second, low));
      turned.push_back(vector::ShuffleOp::create(builder, first, second, high));
    }
    vectors = turned;
  }
}

/// What is summed up from `from` to `end` of the columns of a tile, by rows.
Value Tiles::createPanel(Value from, Value end, Value column, Value mask) {
  unsigned number = 1 - product.rowFactor;
  AffineMap map = getMap(number);
  Value factor = getFactor(number);
  Value panel =
      tensor::EmptyOp::create(builder, ArrayRef<int64_t>{length, lanes}, wide);
  Value zero = constant(0), size = subtract(end, from);
  LoopIndices at(indices);
  if (map.getDimPosition(map.getNumResults() - 1) == product.column)
    return loop(zero, size, 1, panel,
                [&](Value place, ValueRange carried) -> Values {
                  at[product.summed] = add(from, place);
                  at[product.column] = column;
                  Value row = readLanes(builder, builder.getLoc(), factor,
                                        getPosition(map, at), lanes, mask);
                  return {writeLanes(builder, builder.getLoc(),
                                     convert(row, number), carried.front(),
                                     {place, zero})};
                })
        .front();

  int64_t side = std::min<int64_t>(lanes, 8);
  Value lastColumn = subtract(columns, constant(1));
  bool isWhole = isMultiple(summed, side) && isMultiple(size, side);
  auto maskType = VectorType::get(side, builder.getI1Type());
  return loop(zero, size, side, panel,
              [&](Value place, ValueRange carried) -> Values {
                at[product.summed] = add(from, place);
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
                    square.push_back(
                        convert(readLanes(builder, builder.getLoc(), factor,
                                          getPosition(map, at), side, rest),
                                number));
                  }
                  transpose(square);
                  for (int64_t lane : llvm::seq(side))
                    written = writeLanes(
                        builder, builder.getLoc(), square[lane], written,
                        {add(place, constant(lane)), constant(group)});
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
  Location loc = builder.getLoc();
  Value init = product.op.getOutputs().front();
  if (Value scalar = createFilling(builder, loc, init))
    return createSplat(builder, loc, scalar, lanes);
  LoopIndices at(indices);
  at[product.row] = add(firstRow, row);
  at[product.column] = add(firstColumn, column);
  return readLanes(builder, loc, init, getPosition(getMap(2), at), lanes, mask);
}

/// `block` with what `count` rows of a panel's columns sum up to.
Value Tiles::emitTile(int64_t count, Value row, Value column, Value from,
                      Value end, Value panel, Value mask, Value block) {
  Location loc = builder.getLoc();
  LoopIndices inBlock(product.op.getNumLoops(), constant(0));
  inBlock[product.column] = column;
  auto getPlace = [&](int64_t number) {
    inBlock[product.row] = add(row, number);
    return getPosition(getMap(2), inBlock);
  };
  auto getStart = [&](int64_t number) {
    if (isOnePanel)
      return start(add(row, number), column, mask);
    return readLanes(builder, loc, block, getPlace(number), lanes, mask);
  };
  auto type = VectorType::get({count, lanes}, wide);
  Value sums =
      arith::ConstantOp::create(builder, type, builder.getZeroAttr(type));
  bool isInteger = isa<IntegerType>(sum);
  if (!isInteger)
    for (int64_t number : llvm::seq(count))
      sums = vector::InsertOp::create(builder, getStart(number), sums, number);

  Value firstOfTile = add(firstRow, row);
  auto multiplyAndAdd = [&](Value index, Value accumulated) -> Value {
    LoopIndices at(indices);
    at[product.summed] = add(from, index);
    Value elements =
        vector::ShapeCastOp::create(builder, VectorType::get({count, 1}, wide),
                                    rowFactor.read(at, firstOfTile, count));
    Value row = readLanes(builder, loc, panel, {index, constant(0)}, lanes);
    Value product = arith::MulFOp::create(
        builder, vector::BroadcastOp::create(builder, type, elements),
        vector::BroadcastOp::create(builder, type, row),
        arith::FastMathFlags::contract);
    return arith::AddFOp::create(builder, product, accumulated,
                                 arith::FastMathFlags::contract);
  };
  auto emitTurns = [&](Value first, Value last, int64_t turns) {
    sums = loop(first, last, turns, sums,
                [&](Value index, ValueRange carried) -> Values {
                  Value next = carried.front();
                  for (int64_t turn : llvm::seq(turns))
                    next = multiplyAndAdd(add(index, turn), next);
                  return {next};
                })
               .front();
  };
  Value size = subtract(end, from);
  if (isMultiple(size, unrolled) || isMultiple(summed, length)) {
    emitTurns(constant(0), size, unrolled);
  } else {
    Value rest = compute<arith::RemUIOp>(size, constant(unrolled));
    Value whole = subtract(size, rest);
    emitTurns(constant(0), whole, unrolled);
    emitTurns(whole, size, 1);
  }

  for (int64_t number : llvm::seq(count)) {
    Value value = vector::ExtractOp::create(builder, sums, number);
    if (isInteger)
      value = arith::AddIOp::create(
          builder,
          arith::FPToSIOp::create(builder, VectorType::get(lanes, sum), value),
          getStart(number));
    block = writeLanes(builder, loc, value, block, getPlace(number), mask);
  }
  return block;
}

Value Tiles::emit() {
  // Known outside: IREE computes from it how many workgroups to start.
  Value one = constant(1), stack = one;
  Values counts;
  for (unsigned other : product.others) {
    counts.push_back(getMap(2).isFunctionOfDim(other) ? getSize(other) : one);
    stack = multiply(stack, counts.back());
  }
  Value blockWidth = constant(blockTiles * lanes);
  Value across = divideUp(columns, blockWidth);
  Value others = multiply(stack, across);
  std::optional<int64_t> blocks =
      getConstantIntValue(multiply(others, divideUp(rows, constant(mostRows))));
  int64_t most = blocks && *blocks >= wantedBlocks ? mostRows : fewerRows;
  Value down = compute<arith::MaxUIOp>(divideUp(rows, constant(most)), one);
  Value tiles = divideUp(divideUp(rows, down), constant(tileRows));
  Value blockHeight = multiply(tiles, constant(tileRows));

  auto type = cast<RankedTensorType>(product.op.getResult(0).getType());
  Values openSizes;
  for (unsigned dim : llvm::seq(type.getRank()))
    if (type.isDynamicDim(dim))
      openSizes.push_back(getSize(getMap(2).getDimPosition(dim)));

  Value height, width;
  auto place = [&](Value number) {
    auto take = [&](Value count) {
      Value index = compute<arith::RemUIOp>(number, count);
      number = compute<arith::DivUIOp>(number, count);
      return index;
    };
    firstColumn = multiply(take(across), blockWidth);
    firstRow = multiply(take(down), blockHeight);
    indices.assign(product.op.getNumLoops(), constant(0));
    for (auto [other, count] :
         llvm::reverse(llvm::zip_equal(product.others, counts)))
      indices[other] = take(count);
    height = compute<arith::MinUIOp>(blockHeight, subtract(rows, firstRow));
    width = isMultiple(columns, blockTiles * lanes)
                ? blockWidth
                : compute<arith::MinUIOp>(blockWidth,
                                          subtract(columns, firstColumn));
    indices[product.row] = firstRow;
    indices[product.column] = firstColumn;
    TensorPart part;
    for (unsigned dim : llvm::seq(type.getRank())) {
      unsigned loop = getMap(2).getDimPosition(dim);
      Value size = loop == product.row      ? height
                   : loop == product.column ? width
                                            : one;
      part.offsets.push_back(getAsOpFoldResult(indices[loop]));
      part.sizes.push_back(getAsOpFoldResult(size));
    }
    return part;
  };
  ProductContext context;
  Location loc = builder.getLoc();
  Value count = multiply(others, down);
  return emitDispatch(
             builder, loc, context, type, openSizes,
             [&](OpBuilder &inside) {
               Value empty =
                   tensor::EmptyOp::create(inside, loc, type, openSizes);
               return emitWorkgroups(
                   inside, loc, count, empty,
                   [&](OpBuilder &workgroup, Value number) {
                     SmallVector<TensorPart> parts(1);
                     emitAt(workgroup, [&]() -> Values {
                       parts.front() = place(number);
                       return {};
                     });
                     return parts;
                   },
                   [&](OpBuilder &workgroup, ValueRange parts) {
                     return emitAt(workgroup, [&]() -> Values {
                       return {emitBlock(parts.front(), height, width)};
                     });
                   });
             })
      .front();
}

/// The columns of a tile that are in a block; null where all are.
Value Tiles::createMask(Value column, Value width) {
  if (isMultiple(columns, lanes))
    return {};
  return vector::CreateMaskOp::create(
      builder, VectorType::get(lanes, builder.getI1Type()),
      subtract(width, column));
}

/// `block` with what its sums begin with.
Value Tiles::emitStarts(Value block, Value height, Value width) {
  Value zero = constant(0);
  LoopIndices at(product.op.getNumLoops(), zero);
  return loop(zero, height, 1, block,
              [&](Value row, ValueRange above) {
                at[product.row] = row;
                return loop(zero, width, lanes, above,
                            [&](Value column, ValueRange before) -> Values {
                              at[product.column] = column;
                              Value mask = createMask(column, width);
                              return {writeLanes(
                                  builder, builder.getLoc(),
                                  start(row, column, mask), before.front(),
                                  getPosition(getMap(2), at), mask)};
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
  auto emitPanel = [&](Value from, ValueRange values) -> Values {
    Value end = isOnePanel ? summed : add(from, length);
    if (!isOnePanel && !isMultiple(summed, length))
      end = compute<arith::MinUIOp>(end, summed);
    return loop(
        zero, width, lanes, values,
        [&](Value column, ValueRange before) -> Values {
          Value mask = createMask(column, width);
          Value panel = createPanel(from, end, add(firstColumn, column), mask);
          auto emitTiles = [&](Value first, Value last, int64_t count,
                               ValueRange above) {
            return loop(first, last, count, above,
                        [&](Value row, ValueRange carried) -> Values {
                          return {emitTile(count, row, column, from, end, panel,
                                           mask, carried.front())};
                        });
          };
          Values tiles = emitTiles(zero, whole, tileRows, before);
          return fewer ? emitTiles(whole, height, fewer, tiles) : tiles;
        });
  };
  if (isOnePanel)
    return emitPanel(zero, block).front();
  return loop(zero, summed, length, emitStarts(block, height, width), emitPanel)
      .front();
}

Value mlir::wax::emitTiles(RewriterBase &rewriter, Product product) {
  ImplicitLocOpBuilder builder(product.op.getLoc(), rewriter);
  return Tiles(builder, product).emit();
}
