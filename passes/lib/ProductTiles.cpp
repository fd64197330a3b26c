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
// up in registers. The other factor is read element by element along its rows.
// Where rows lie so that caches hold few of them at a time, or across, or their
// elements have to be converted, it is rearranged before.
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Vectors.h"
#include "wax/Passes/IREE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A tile's rows, and bytes of its columns: with 16 registers of 32 bytes, 12
/// sum up, 2 hold a row of the panel, and one an element of the other factor.
constexpr int64_t tileRows = 6, tileBytes = 64;
/// Elements to sum up before a tile goes back to memory: a panel of them takes
/// half of the nearest cache, and bytes multiplied in f32 sum up exactly.
constexpr int64_t panelLength = 256;
/// Turns of the innermost loop that are written out.
constexpr int64_t unrolled = 4;
/// Tiles that are side by side in a block: they read one piece of each row.
constexpr int64_t blockTiles = 4;
/// Rows of a block, and of one where there are few blocks for all processors.
constexpr int64_t mostRows = 85 * tileRows, fewerRows = 21 * tileRows;
constexpr int64_t wantedBlocks = 8;
/// Rows whose distance is a multiple of these bytes share places in caches.
constexpr int64_t badStride = 1024;
/// Columns that pay for the other factor's copy.
constexpr int64_t manyColumns = 64;

/// Emits one product.
class Tiles {
public:
  Tiles(RewriterBase &rewriter, Product product);
  Value emit();

private:
  /// The index of each loop that a tensor's position is made of.
  using Indices = SmallVector<Value>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value add(Value lhs, Value rhs) {
    return builder.createOrFold<arith::AddIOp>(lhs, rhs);
  }
  Value subtract(Value lhs, Value rhs) {
    return builder.createOrFold<arith::SubIOp>(lhs, rhs);
  }
  Value multiply(Value lhs, Value rhs) {
    return builder.createOrFold<arith::MulIOp>(lhs, rhs);
  }
  Value divide(Value lhs, Value rhs) {
    return builder.createOrFold<arith::DivUIOp>(lhs, rhs);
  }
  Value remainder(Value lhs, Value rhs) {
    return builder.createOrFold<arith::RemUIOp>(lhs, rhs);
  }
  Value least(Value lhs, Value rhs) {
    return builder.createOrFold<arith::MinUIOp>(lhs, rhs);
  }
  Value greatest(Value lhs, Value rhs) {
    return builder.createOrFold<arith::MaxUIOp>(lhs, rhs);
  }
  Value divideUp(Value lhs, Value rhs) {
    return divide(add(lhs, subtract(rhs, constant(1))), rhs);
  }
  /// A loop whose body uses this builder.
  SmallVector<Value>
  loop(Value from, Value to, int64_t step, ValueRange carried,
       llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// Whether a size is known to be a multiple of a number.
  static bool isMultiple(Value size, int64_t of) {
    std::optional<int64_t> known = getConstantIntValue(size);
    return known && *known % of == 0;
  }

  Value getSize(unsigned loop);
  Value getFactor(unsigned number) { return product.op.getInputs()[number]; }
  AffineMap getMap(unsigned number) {
    return product.op.getIndexingMapsArray()[number];
  }
  /// The place in a tensor that loops' indices tell.
  SmallVector<Value> getPosition(AffineMap map, ArrayRef<Value> indices);
  /// An element, or a vector of them, of a factor as it is multiplied.
  Value convert(Value value, unsigned factor);

  bool isWorthPacking();
  void pack();
  Value emitBlock(Value block, Value height, Value width);
  Value start(Value row, Value column, Value mask);
  Value createPanel(Value from, Value end, Value column, Value mask);
  void transpose(SmallVector<Value> &vectors);
  Value emitTile(int64_t rows, Value row, Value column, Value from, Value end,
                 Value panel, Value mask, Value block);
  Value readRowElement(int64_t row, Value tile, Value place, Value summed);

  ImplicitLocOpBuilder builder;
  Product product;
  /// What sums are made of, and what tiles are multiplied in.
  Type sum, wide;
  int64_t lanes;
  Value rows, columns, summed;
  /// The other factor, rearranged: its dims of other loops, then its tiles of
  /// rows, what is summed up, and the rows of a tile.
  Value packed;
  /// The length of a panel.
  int64_t length;
  /// Whether one panel has all that is summed up.
  bool isOnePanel;
  /// Where a block is: the indices of the other loops, and its first row and
  /// column.
  Indices indices;
  Value firstRow, firstColumn;
};

/// Sizes that are asked for are those of tensors.
class ProductContext : public LoweringContext {
public:
  ProductContext() : LoweringContext(LoweringTarget::IREE) {}
  OpFoldResult getSize(OpBuilder &builder, Location loc, Value tensor,
                       int64_t dim) override {
    return tensor::getMixedSize(builder, loc, tensor, dim);
  }
};

} // namespace

static Type getSumType(Product product) {
  return getElementTypeOrSelf(product.op.getResult(0).getType());
}

static Type getWideType(Product product) {
  Type sum = getSumType(product);
  return isa<FloatType>(sum) ? sum : Float32Type::get(sum.getContext());
}

int64_t mlir::wax::getProductLanes(Product product) {
  return 8 * tileBytes / getWideType(product).getIntOrFloatBitWidth();
}

Tiles::Tiles(RewriterBase &rewriter, Product product)
    : builder(product.op.getLoc(), rewriter), product(product),
      sum(getSumType(product)), wide(getWideType(product)),
      lanes(getProductLanes(product)), rows(getSize(product.row)),
      columns(getSize(product.column)), summed(getSize(product.summed)) {
  std::optional<int64_t> known = getConstantIntValue(summed);
  int64_t panels = known ? llvm::divideCeil(*known, panelLength) : 2;
  length =
      known ? llvm::alignTo(llvm::divideCeil(*known, panels), 8) : panelLength;
  isOnePanel = panels == 1;
}

SmallVector<Value>
Tiles::loop(Value from, Value to, int64_t step, ValueRange carried,
            llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  return emitLoop(
      builder, builder.getLoc(), from, to, constant(step), carried,
      [&](OpBuilder &inside, Location, Value index, ValueRange values) {
        OpBuilder::InsertionGuard insideGuard(builder);
        builder.restoreInsertionPoint(inside.saveInsertionPoint());
        SmallVector<Value> next = body(index, values);
        inside.restoreInsertionPoint(builder.saveInsertionPoint());
        return next;
      });
}

Value Tiles::getSize(unsigned loop) {
  for (OpOperand &operand : product.op->getOpOperands()) {
    AffineMap map = product.op.getMatchingIndexingMap(&operand);
    for (unsigned dim : llvm::seq(map.getNumResults()))
      if (map.getDimPosition(dim) == loop)
        return getValueOrCreateConstantIndexOp(
            builder, builder.getLoc(),
            tensor::getMixedSize(builder, builder.getLoc(), operand.get(),
                                 dim));
  }
  llvm_unreachable("each loop goes along a dim");
}

SmallVector<Value> Tiles::getPosition(AffineMap map, ArrayRef<Value> indices) {
  SmallVector<Value> position;
  for (unsigned dim : llvm::seq(map.getNumResults()))
    position.push_back(indices[map.getDimPosition(dim)]);
  return position;
}

Value Tiles::convert(Value value, unsigned factor) {
  Type element = getElementTypeOrSelf(value.getType());
  Type to = wide;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(wide);
  if (element == wide)
    return value;
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(builder, to, value);
  auto input = product.op.getDpsInputOperand(factor);
  BlockArgument scalar = product.op.getMatchingBlockArgument(input);
  if (isa<arith::ExtUIOp>(*scalar.user_begin()))
    return arith::UIToFPOp::create(builder, to, value);
  return arith::SIToFPOp::create(builder, to, value);
}

//===----------------------------------------------------------------------===//
// The factor that is read by elements
//===----------------------------------------------------------------------===//

bool Tiles::isWorthPacking() {
  if (std::optional<int64_t> known = getConstantIntValue(columns);
      known && *known < manyColumns)
    return false;
  AffineMap map = getMap(product.rowFactor);
  auto type = cast<RankedTensorType>(getFactor(product.rowFactor).getType());
  unsigned last = map.getNumResults() - 1;
  if (type.getElementType() != wide ||
      map.getDimPosition(last) != product.summed)
    return true;
  int64_t stride = wide.getIntOrFloatBitWidth() / 8;
  for (unsigned dim = last; map.getDimPosition(dim) != product.row; --dim) {
    if (type.isDynamicDim(dim))
      return false;
    stride *= type.getDimSize(dim);
    if (dim == 0)
      return false;
  }
  return stride % badStride == 0;
}

void Tiles::pack() {
  AffineMap map = getMap(product.rowFactor);
  SmallVector<unsigned> others;
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : llvm::seq(map.getNumResults()))
    if (unsigned loop = map.getDimPosition(dim);
        loop != product.row && loop != product.summed) {
      others.push_back(loop);
      sizes.push_back(getAsOpFoldResult(getSize(loop)));
    }
  int64_t tileDim = sizes.size();
  sizes.push_back(getAsOpFoldResult(divideUp(rows, constant(tileRows))));
  sizes.push_back(getAsOpFoldResult(summed));
  sizes.push_back(builder.getIndexAttr(tileRows));
  SmallVector<Value> counts;
  for (OpFoldResult size : ArrayRef(sizes).take_front(tileDim))
    counts.push_back(
        getValueOrCreateConstantIndexOp(builder, builder.getLoc(), size));
  counts.push_back(summed);
  Value lastRow = subtract(rows, constant(1));

  ProductContext context;
  RowsOutput output{getTensorType(sizes, wide), sizes};
  auto body = [&](OpBuilder &inside, Location loc, Value first, Value end,
                  ValueRange outputs) -> SmallVector<Value> {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(inside.saveInsertionPoint());
    SmallVector<Value> filled =
        loop(first, end, 1, outputs,
             [&](Value tile, ValueRange carried) -> SmallVector<Value> {
               SmallVector<Value> read(tileRows);
               for (int64_t row : llvm::seq(tileRows)) {
                 read[row] =
                     add(multiply(tile, constant(tileRows)), constant(row));
                 if (!isMultiple(rows, tileRows))
                   read[row] = least(read[row], lastRow);
               }
               SmallVector<Value> done = emitNest(
                   builder, loc, counts, carried,
                   [&](OpBuilder &nest, Location, ValueRange places,
                       ValueRange values) -> SmallVector<Value> {
                     OpBuilder::InsertionGuard nestGuard(builder);
                     builder.restoreInsertionPoint(nest.saveInsertionPoint());
                     Indices from(product.op.getNumLoops(), constant(0));
                     SmallVector<Value> to;
                     for (auto [loop, place] : llvm::zip(others, places)) {
                       from[loop] = place;
                       to.push_back(place);
                     }
                     from[product.summed] = places.back();
                     to.append({subtract(tile, first), places.back(), Value()});
                     Value written = values.front();
                     for (int64_t row : llvm::seq(tileRows)) {
                       from[product.row] = read[row];
                       to.back() = constant(row);
                       Value element = tensor::ExtractOp::create(
                           builder, getFactor(product.rowFactor),
                           getPosition(map, from));
                       written = tensor::InsertOp::create(
                           builder, convert(element, product.rowFactor),
                           written, to);
                     }
                     nest.restoreInsertionPoint(builder.saveInsertionPoint());
                     return {written};
                   });
               return done;
             });
    inside.restoreInsertionPoint(builder.saveInsertionPoint());
    return filled;
  };
  packed = emitRows(builder, builder.getLoc(), context, output, tileDim, body)
               .front();
}

/// The element of row `row` after `tile`, a block's row, as it is multiplied.
Value Tiles::readRowElement(int64_t row, Value tile, Value place,
                            Value summed) {
  AffineMap map = getMap(product.rowFactor);
  Indices from(indices);
  from[product.summed] = summed;
  if (!packed) {
    from[product.row] = add(add(firstRow, tile), constant(row));
    Value element = tensor::ExtractOp::create(
        builder, getFactor(product.rowFactor), getPosition(map, from));
    return convert(element, product.rowFactor);
  }
  SmallVector<Value> position;
  for (unsigned dim : llvm::seq(map.getNumResults()))
    if (unsigned loop = map.getDimPosition(dim);
        loop != product.row && loop != product.summed)
      position.push_back(indices[loop]);
  position.push_back(divide(add(firstRow, tile), constant(tileRows)));
  position.push_back(summed);
  position.push_back(add(place, constant(row)));
  return tensor::ExtractOp::create(builder, packed, position);
}

//===----------------------------------------------------------------------===//
// The factor that is read by vectors
//===----------------------------------------------------------------------===//

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
  Indices at(indices);
  if (map.getDimPosition(map.getNumResults() - 1) == product.column)
    return loop(zero, size, 1, panel,
                [&](Value place, ValueRange carried) -> SmallVector<Value> {
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
              [&](Value place, ValueRange carried) -> SmallVector<Value> {
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
                      at[product.column] =
                          least(at[product.column], lastColumn);
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
  OpOperand *init = product.op.getDpsInitOperand(0);
  if (auto fill = init->get().getDefiningOp<linalg::FillOp>())
    return createSplat(builder, builder.getLoc(), fill.value(), lanes);
  Indices at(indices);
  at[product.row] = add(firstRow, row);
  at[product.column] = add(firstColumn, column);
  return readLanes(builder, builder.getLoc(), init->get(),
                   getPosition(getMap(2), at), lanes, mask);
}

/// `block` with what `rows` rows of a panel's columns sum up to.
Value Tiles::emitTile(int64_t rows, Value row, Value column, Value from,
                      Value end, Value panel, Value mask, Value block) {
  Location loc = builder.getLoc();
  bool isInteger = isa<IntegerType>(sum);
  Indices inBlock(product.op.getNumLoops(), constant(0));
  inBlock[product.column] = column;
  auto getPlace = [&](int64_t number) {
    inBlock[product.row] = add(row, constant(number));
    return getPosition(getMap(2), inBlock);
  };
  SmallVector<Value> sums;
  Value zero = createSplat(
      builder, loc,
      arith::ConstantOp::create(builder, builder.getZeroAttr(wide)), lanes);
  auto getStart = [&](int64_t number) {
    if (isOnePanel)
      return start(add(row, constant(number)), column, mask);
    return readLanes(builder, loc, block, getPlace(number), lanes, mask);
  };
  for (int64_t number : llvm::seq(rows))
    sums.push_back(isInteger ? zero : getStart(number));

  Value place = rows == tileRows || getConstantIntValue(this->rows)
                    ? constant(0)
                    : remainder(row, constant(tileRows));
  auto emitTurns = [&](Value first, Value last, int64_t turns) {
    sums = loop(
        first, last, turns, sums,
        [&](Value index, ValueRange carried) -> SmallVector<Value> {
          SmallVector<Value> next(carried);
          for (int64_t turn : llvm::seq(turns)) {
            Value at = add(index, constant(turn));
            Value columns =
                readLanes(builder, loc, panel, {at, constant(0)}, lanes);
            for (auto [number, value] : llvm::enumerate(next)) {
              Value element = readRowElement(number, row, place, add(from, at));
              Value scaled = arith::MulFOp::create(
                  builder, createSplat(builder, loc, element, lanes), columns,
                  arith::FastMathFlags::contract);
              value = arith::AddFOp::create(builder, scaled, value,
                                            arith::FastMathFlags::contract);
            }
          }
          return next;
        });
  };
  Value size = subtract(end, from);
  Value rest = remainder(size, constant(unrolled));
  if (isMultiple(size, unrolled) || isMultiple(summed, length)) {
    emitTurns(constant(0), size, unrolled);
  } else {
    Value whole = subtract(size, rest);
    emitTurns(constant(0), whole, unrolled);
    emitTurns(whole, size, 1);
  }

  for (auto [number, value] : llvm::enumerate(sums)) {
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
  if (isWorthPacking())
    pack();
  // Known outside: IREE computes from it how many workgroups to start.
  Value one = constant(1);
  SmallVector<Value> counts;
  Value stack = one;
  for (unsigned other : product.others) {
    counts.push_back(getMap(2).isFunctionOfDim(other) ? getSize(other) : one);
    stack = multiply(stack, counts.back());
  }
  int64_t blockColumns = blockTiles * lanes;
  Value across = divideUp(columns, constant(blockColumns));
  Value others = multiply(stack, across);
  std::optional<int64_t> blocks =
      getConstantIntValue(multiply(others, divideUp(rows, constant(mostRows))));
  int64_t most = blocks && *blocks >= wantedBlocks ? mostRows : fewerRows;
  Value down = greatest(divideUp(rows, constant(most)), one);
  Value height = multiply(divideUp(divideUp(rows, down), constant(tileRows)),
                          constant(tileRows));
  Value count = multiply(others, down);

  Value result = product.op.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> dynamicSizes;
  for (unsigned dim : llvm::seq(type.getRank())) {
    Value size = getSize(getMap(2).getDimPosition(dim));
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(size);
  }
  auto dispatch = iree::DispatchRegionOp::create(builder, type, dynamicSizes,
                                                 /*workload=*/ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&dispatch.getBody());
  Value empty = tensor::EmptyOp::create(builder, type, dynamicSizes);
  Attribute mapping =
      iree::SplitReductionMappingAttr::get(builder.getContext(), 0);
  auto forall = scf::ForallOp::create(builder, ArrayRef<OpFoldResult>{count},
                                      empty, builder.getArrayAttr(mapping));
  {
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(forall.getBody());
    Value number = forall.getInductionVar(0);
    firstColumn = multiply(remainder(number, across), constant(blockColumns));
    number = divide(number, across);
    firstRow = multiply(remainder(number, down), height);
    number = divide(number, down);
    indices.assign(product.op.getNumLoops(), constant(0));
    for (auto [other, turns] :
         llvm::reverse(llvm::zip_equal(product.others, counts))) {
      indices[other] = remainder(number, turns);
      number = divide(number, turns);
    }
    Value endRow = least(add(firstRow, height), rows);
    Value endColumn = add(firstColumn, constant(blockColumns));
    if (!isMultiple(columns, blockColumns))
      endColumn = least(endColumn, columns);

    SmallVector<OpFoldResult> offsets, extents,
        strides(type.getRank(), builder.getIndexAttr(1));
    for (unsigned dim : llvm::seq(type.getRank())) {
      unsigned loop = getMap(2).getDimPosition(dim);
      bool isRow = loop == product.row, isColumn = loop == product.column;
      offsets.push_back(getAsOpFoldResult(isRow      ? firstRow
                                          : isColumn ? firstColumn
                                                     : indices[loop]));
      extents.push_back(
          isRow      ? getAsOpFoldResult(subtract(endRow, firstRow))
          : isColumn ? getAsOpFoldResult(subtract(endColumn, firstColumn))
                     : OpFoldResult(builder.getIndexAttr(1)));
    }
    Value whole = forall.getRegionIterArgs().front();
    Value block = tensor::ExtractSliceOp::create(builder, whole, offsets,
                                                 extents, strides);
    Value filled = emitBlock(block, subtract(endRow, firstRow),
                             subtract(endColumn, firstColumn));
    builder.setInsertionPointToStart(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(builder, filled, whole, offsets,
                                          extents, strides);
  }
  iree::ReturnOp::create(builder, forall.getResults());
  return dispatch.getOutputs().front();
}

/// Fills a block of `height` rows and `width` columns.
Value Tiles::emitBlock(Value block, Value height, Value width) {
  Value zero = constant(0);
  auto createMask = [&](Value column) -> Value {
    if (isMultiple(columns, lanes))
      return {};
    return vector::CreateMaskOp::create(
        builder, VectorType::get(lanes, builder.getI1Type()),
        subtract(width, column));
  };
  using Values = SmallVector<Value>;
  if (!isOnePanel) {
    Indices at(product.op.getNumLoops(), zero);
    block =
        loop(zero, height, 1, block, [&](Value row, ValueRange above) {
          at[product.row] = row;
          return loop(zero, width, lanes, above,
                      [&](Value column, ValueRange before) -> Values {
                        at[product.column] = column;
                        Value mask = createMask(column);
                        return {writeLanes(
                            builder, builder.getLoc(), start(row, column, mask),
                            before.front(), getPosition(getMap(2), at), mask)};
                      });
        }).front();
  }
  // Rows after the last whole tile: a tile of as many, or of one at a time.
  std::optional<int64_t> known = getConstantIntValue(rows);
  int64_t fewer = known ? *known % tileRows : 1;
  Value rest = remainder(height, constant(tileRows));
  Value whole = subtract(height, rest);
  auto emitPanel = [&](Value from, ValueRange values) -> Values {
    Value end = isOnePanel ? summed
                : isMultiple(summed, length)
                    ? add(from, constant(length))
                    : least(add(from, constant(length)), summed);
    return loop(
        zero, width, lanes, values,
        [&](Value column, ValueRange before) -> Values {
          Value mask = createMask(column);
          Value panel = createPanel(from, end, add(firstColumn, column), mask);
          auto emitRows = [&](Value first, Value last, int64_t count,
                              ValueRange above) {
            return loop(first, last, count, above,
                        [&](Value row, ValueRange carried) -> Values {
                          return {emitTile(count, row, column, from, end, panel,
                                           mask, carried.front())};
                        });
          };
          Values tiles = emitRows(zero, whole, tileRows, before);
          return fewer ? emitRows(whole, height, fewer, tiles) : tiles;
        });
  };
  if (isOnePanel)
    return emitPanel(zero, block).front();
  return loop(zero, summed, length, block, emitPanel).front();
}

Value mlir::wax::emitTiles(RewriterBase &rewriter, Product product) {
  return Tiles(rewriter, product).emit();
}
