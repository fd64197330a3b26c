//===- ProductStrips.cpp - The loops of a product of few rows -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of few rows the factor with columns is read once and bounds the time: it is
// to be read along memory. Where that is along columns, the sums of a strip of
// these stay in the nearest cache, and take up a few products at a time. Where
// it is along what is summed up, as both factors then lie, each sum of a few
// columns has a register, whose lanes are added up at the end. So have sums of
// bytes, of which a lane adds several products at once, exactly.
//
//===----------------------------------------------------------------------===//

#include "FactorReader.h"
#include "ProductBuilder.h"

#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// What fits a processor.
struct StripShape {
  /// Of a vector: sums of up to 12 rows and a vector of the factor's columns
  /// stay in registers.
  int64_t bytes;
  /// Products that are added before sums go back to the cache.
  int64_t productsAtOnce;
  /// Sums of all rows that are near by, and how many strips there shall be: a
  /// strip of many columns is a long run of memory.
  int64_t mostSums, wantedStrips;
  /// Of a register, and about how many sums each have one.
  int64_t registerBytes, mostByRows;
};
} // namespace

/// With 16 registers of 32 bytes, and with 32 of 64.
static constexpr StripShape narrowStrips{32, 8, 4096, 8, 32, 8},
    wideStrips{128, 4, 8192, 4, 64, 16};
/// Columns of a strip that are worth reading.
static constexpr int64_t fewestColumns = 128;

namespace {

/// Emits one product.
class Strips : ProductBuilder {
public:
  Strips(ImplicitLocOpBuilder &builder, Product product)
      : ProductBuilder(builder, product),
        readers{{builder, product, 0}, {builder, product, 1}},
        shape(product.tile.hasMasks ? wideStrips : narrowStrips),
        lanes(8 * shape.bytes / wide.getIntOrFloatBitWidth()),
        total(isa<FloatType>(sum) ? wide : sum),
        registerLanes(8 * shape.registerBytes / total.getIntOrFloatBitWidth()),
        count(*getConstantIntValue(rows)) {}
  Value emit();

private:
  int64_t chooseWidth();
  Values getPlace(int64_t row, Value column);
  Value start(int64_t row, Value column, int64_t lanes, Value mask);
  bool isByRows();
  Value emitStrip(Value strip, Value width);
  Value emitStripByRows(Value strip, Value width);
  Value sumUp(Value column, int64_t number, Value strip);
  Value readAlong(unsigned factor, const LoopIndices &at, Value mask);
  Value addProduct(Value sums, Value elements, Value vector);
  Values addAlong(Value first, Value column, int64_t number, Value mask,
                  ValueRange sums);
  Value createAdd(Value one, Value other);
  Values addLanes(Values sums);
  Value addProducts(Value first, int64_t turns, Value column, Value mask,
                    Value strip);

  FactorReader readers[2];
  StripShape shape;
  int64_t lanes;
  /// What lanes of a register add up, where vectors lie along that.
  Type total;
  int64_t registerLanes, count;
  /// Where a strip is: the indices of the other loops, and its first column.
  LoopIndices indices;
  Value firstColumn;
};

} // namespace

int64_t Strips::chooseWidth() {
  std::optional<int64_t> known = getConstantIntValue(columns);
  int64_t width =
      known ? llvm::alignTo(llvm::divideCeil(*known, shape.wantedStrips), 64)
            : 0;
  return std::clamp(width, fewestColumns,
                    std::max(shape.mostSums / count / 64 * 64, fewestColumns));
}

/// Where a strip has a row and a column of it.
SmallVector<Value> Strips::getPlace(int64_t row, Value column) {
  LoopIndices at(product.op.getNumLoops(), constant(0));
  setIndices(at, product.rows, constant(row));
  at[product.column] = column;
  return getPosition(getMap(2), at);
}

/// What sums of a row's columns begin with.
Value Strips::start(int64_t row, Value column, int64_t lanes, Value mask) {
  LoopIndices at(indices);
  setIndices(at, product.rows, constant(row));
  at[product.column] = add(firstColumn, column);
  return readStart(at, lanes, mask);
}

/// `strip` with `turns` products, from `first` on, added to a vector of columns
/// of each row.
Value Strips::addProducts(Value first, int64_t turns, Value column, Value mask,
                          Value strip) {
  Location loc = builder.getLoc();
  Values sums;
  for (int64_t row : llvm::seq(count))
    sums.push_back(
        readLanes(builder, loc, strip, getPlace(row, column), lanes, mask));
  unsigned across = 1 - product.rowFactor;
  LoopIndices at(indices);
  at[product.column] = add(firstColumn, column);
  for (int64_t turn : llvm::seq(turns)) {
    at[product.summed.back()] = add(first, turn);
    Value vector =
        convert(readers[across].read(builder, getPosition(getMap(across), at),
                                     lanes, mask),
                across);
    for (auto [row, sum] : llvm::enumerate(sums)) {
      setIndices(at, product.rows, constant(row));
      Value element =
          tensor::ExtractOp::create(builder, getFactor(product.rowFactor),
                                    getPosition(getMap(product.rowFactor), at));
      Value product = arith::MulFOp::create(
          builder,
          createSplat(builder, loc, convert(element, this->product.rowFactor),
                      lanes),
          vector, arith::FastMathFlags::contract);
      sum = arith::AddFOp::create(builder, product, sum,
                                  arith::FastMathFlags::contract);
    }
  }
  for (auto [row, sum] : llvm::enumerate(sums))
    strip = writeLanes(builder, loc, sum, strip, getPlace(row, column), mask);
  return strip;
}

/// Whether the factor with columns lies along what is summed up.
bool Strips::isByRows() {
  AffineMap across = getMap(1 - product.rowFactor);
  return across.getDimPosition(across.getNumResults() - 1) ==
         product.summed.back();
}

/// A register of a factor's elements that are summed up. Signed bytes of the
/// factor with columns are raised by 128.
Value Strips::readAlong(unsigned factor, const LoopIndices &at, Value mask) {
  Location loc = builder.getLoc();
  Value read = readers[factor].read(builder, getPosition(getMap(factor), at),
                                    registerLanes * group, mask);
  if (isa<FloatType>(total))
    return convert(read, factor);
  if (product.dot == Dot::None) {
    Type type = VectorType::get(registerLanes, total);
    return isUnsigned(product, factor)
               ? arith::ExtUIOp::create(builder, type, read).getResult()
               : arith::ExtSIOp::create(builder, type, read).getResult();
  }
  if (!isRaised() || factor == product.rowFactor)
    return createParts(read, factor);
  Value sign = arith::ConstantOp::create(
      builder, read.getType(),
      SplatElementsAttr::get(cast<ShapedType>(read.getType()),
                             APInt::getSignMask(8)));
  return arith::XOrIOp::create(builder, read, sign);
}

/// `sums` with what a register of a row and one of a column are together.
Value Strips::addProduct(Value sums, Value elements, Value vector) {
  if (isa<FloatType>(total))
    return arith::AddFOp::create(
        builder,
        arith::MulFOp::create(builder, elements, vector,
                              arith::FastMathFlags::contract),
        sums, arith::FastMathFlags::contract);
  if (product.dot == Dot::None)
    return arith::AddIOp::create(
        builder, arith::MulIOp::create(builder, elements, vector), sums);
  return createDot(sums, elements, vector);
}

/// `sums`, of each row and `number` columns, with the products of a register of
/// each, from `first` on of what is summed up. Behind them, where columns are
/// raised, the sums of each row's elements, 128 times.
SmallVector<Value> Strips::addAlong(Value first, Value column, int64_t number,
                                    Value mask, ValueRange sums) {
  LoopIndices at(indices);
  at[product.summed.back()] = first;
  Values vectors, added, excesses;
  for (int64_t next : llvm::seq(number)) {
    at[product.column] = add(add(firstColumn, column), next);
    vectors.push_back(readAlong(1 - product.rowFactor, at, mask));
  }
  Value raise;
  if (isRaised())
    raise = createSplat(builder, builder.getLoc(),
                        arith::ConstantOp::create(
                            builder, builder.getI32IntegerAttr(raisedBytes)),
                        registerLanes);
  for (int64_t row : llvm::seq(count)) {
    setIndices(at, product.rows, constant(row));
    Value elements = readAlong(product.rowFactor, at, mask);
    for (Value vector : vectors)
      added.push_back(addProduct(sums[added.size()], elements, vector));
    if (raise)
      excesses.push_back(
          addProduct(sums[count * number + row], elements, raise));
  }
  added.append(excesses);
  return added;
}

Value Strips::createAdd(Value one, Value other) {
  if (isa<FloatType>(total))
    return arith::AddFOp::create(builder, one, other);
  return arith::AddIOp::create(builder, one, other);
}

/// The sums of the lanes of vectors, as many as they have lanes: one vector, in
/// their order. Halves of what lies together are added, of two vectors at once.
SmallVector<Value> Strips::addLanes(Values sums) {
  int64_t lanes = sums.size();
  for (int64_t run = lanes; run > 1; run /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t first = 0; first < lanes; first += run)
      for (int64_t from : {first, lanes + first})
        for (int64_t lane : llvm::seq(run / 2)) {
          low.push_back(from + lane);
          high.push_back(from + run / 2 + lane);
        }
    Values halves;
    for (int64_t number : llvm::seq(run / 2)) {
      Value one = sums[number], other = sums[number + run / 2];
      Value before = vector::ShuffleOp::create(builder, one, other, low);
      Value behind = vector::ShuffleOp::create(builder, one, other, high);
      halves.push_back(createAdd(before, behind));
    }
    sums = halves;
  }
  return sums;
}

/// Fills `number` columns of a strip.
Value Strips::sumUp(Value column, int64_t number, Value strip) {
  auto type = VectorType::get(registerLanes, total);
  Value zero =
      arith::ConstantOp::create(builder, type, builder.getZeroAttr(type));
  Values sums(count * number + isRaised() * count, zero);
  int64_t elements = registerLanes * group;
  Value rest = compute<arith::RemUIOp>(summed, constant(elements));
  Value whole = subtract(summed, rest);
  sums = loop(constant(0), whole, elements, sums,
              [&](Value first, ValueRange carried) {
                return addAlong(first, column, number, {}, carried);
              });
  if (!isMultiple(summed, elements)) {
    Value mask = createMask(builder, builder.getLoc(), elements, rest);
    sums = addAlong(whole, column, number, mask, sums);
  }
  if (isRaised()) {
    for (int64_t place : llvm::seq(count * number))
      sums[place] = arith::SubIOp::create(
          builder, sums[place], sums[count * number + place / number]);
    sums.truncate(count * number);
  }
  sums.resize(llvm::alignTo(sums.size(), registerLanes), zero);
  Values totals;
  for (size_t first = 0; first < sums.size(); first += registerLanes)
    totals.append(addLanes(Values(ArrayRef(sums).slice(first, registerLanes))));
  for (int64_t row : llvm::seq(count)) {
    int64_t first = row * number, of = first / registerLanes,
            then = (first + number - 1) / registerLanes;
    Value sum = vector::ShuffleOp::create(
        builder, totals[of], totals[then],
        llvm::map_to_vector(llvm::seq(first, first + number), [&](int64_t i) {
          return i / registerLanes == of ? i % registerLanes
                                         : registerLanes + i % registerLanes;
        }));
    sum = createAdd(sum, start(row, column, number, /*mask=*/{}));
    strip = writeLanes(builder, builder.getLoc(), sum, strip,
                       getPlace(row, column), /*mask=*/{});
  }
  return strip;
}

/// The same of a strip of `width` columns.
Value Strips::emitStripByRows(Value strip, Value width) {
  int64_t number = std::max<int64_t>(shape.mostByRows / count, 1);
  Value rest = compute<arith::RemUIOp>(width, constant(number));
  Value whole = subtract(width, rest);
  auto emitAll = [&](Value from, Value to, int64_t step, ValueRange carried) {
    return loop(from, to, step, carried,
                [&](Value column, ValueRange before) -> Values {
                  return {sumUp(column, step, before.front())};
                });
  };
  Values filled = emitAll(constant(0), whole, number, strip);
  if (isMultiple(columns, number) && chooseWidth() % number == 0)
    return filled.front();
  return emitAll(whole, width, 1, filled).front();
}

/// Fills a strip of `width` columns.
Value Strips::emitStrip(Value strip, Value width) {
  if (isByRows())
    return emitStripByRows(strip, width);
  Values started =
      emitColumns(width, lanes, strip,
                  [&](Value column, Value mask, ValueRange carried) -> Values {
                    Value written = carried.front();
                    for (int64_t row : llvm::seq(count))
                      written =
                          writeLanes(builder, builder.getLoc(),
                                     start(row, column, lanes, mask), written,
                                     getPlace(row, column), mask);
                    return {written};
                  });
  auto emitTurns = [&](Value from, Value to, int64_t turns,
                       ValueRange carried) {
    return loop(from, to, turns, carried, [&](Value first, ValueRange above) {
      return emitColumns(
          width, lanes, above,
          [&](Value column, Value mask, ValueRange before) -> Values {
            return {addProducts(first, turns, column, mask, before.front())};
          });
    });
  };
  Value rest = compute<arith::RemUIOp>(summed, constant(shape.productsAtOnce));
  Value whole = subtract(summed, rest);
  Values added = emitTurns(constant(0), whole, shape.productsAtOnce, started);
  if (isMultiple(summed, shape.productsAtOnce))
    return added.front();
  return emitTurns(whole, summed, 1, added).front();
}

Value Strips::emit() {
  Value stripWidth = constant(chooseWidth());
  Values counts = countOthers();
  counts.push_back(divideUp(columns, stripWidth));
  Value workgroups = constant(1);
  for (Value count : counts)
    workgroups = multiply(workgroups, count);
  auto type = cast<RankedTensorType>(product.op.getResult(0).getType());
  Values openSizes;
  for (unsigned dim : llvm::seq(type.getRank()))
    if (type.isDynamicDim(dim))
      openSizes.push_back(getSize(getMap(2).getDimPosition(dim)));

  Value width;
  auto place = [&](Value number) {
    Values places = getRowIndices(builder, builder.getLoc(), number,
                                  getAsOpFoldResult(counts));
    firstColumn = multiply(places.pop_back_val(), stripWidth);
    indices = placeLoops(product.others, places);
    width = compute<arith::MinUIOp>(stripWidth, subtract(columns, firstColumn));
    TensorPart part;
    for (unsigned dim : llvm::seq(type.getRank())) {
      unsigned loop = getMap(2).getDimPosition(dim);
      bool isRow = llvm::is_contained(product.rows, loop);
      bool isColumn = loop == product.column;
      part.offsets.push_back(
          getAsOpFoldResult(isColumn ? firstColumn : indices[loop]));
      part.sizes.push_back(getAsOpFoldResult(isColumn ? width
                                             : isRow  ? getSize(loop)
                                                      : constant(1)));
    }
    return part;
  };
  return emitParts(type, openSizes, workgroups, place,
                   [&](Value strip) { return emitStrip(strip, width); });
}

Value mlir::wax::emitStrips(RewriterBase &rewriter, Product product) {
  ImplicitLocOpBuilder builder(product.op.getLoc(), rewriter);
  return Strips(builder, product).emit();
}
