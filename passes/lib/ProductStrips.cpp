//===- ProductStrips.cpp - The loops of a product of few rows -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of few rows the factor with columns is read once and bounds the time: it is
// to be read along memory. The sums of a strip of columns stay in the nearest
// cache, and take up a few products at a time.
//
//===----------------------------------------------------------------------===//

#include "ProductBuilder.h"

#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
};
} // namespace

/// With 16 registers of 32 bytes, and with 32 of 64.
static constexpr StripShape narrowStrips{32, 8, 4096, 8},
    wideStrips{128, 4, 8192, 4};
/// Columns of a strip that are worth reading.
static constexpr int64_t fewestColumns = 128;

namespace {

/// Emits one product.
class Strips : ProductBuilder {
public:
  Strips(ImplicitLocOpBuilder &builder, Product product)
      : ProductBuilder(builder, product),
        shape(product.tile.hasMasks ? wideStrips : narrowStrips),
        lanes(8 * shape.bytes / wide.getIntOrFloatBitWidth()),
        count(*getConstantIntValue(rows)) {}
  Value emit();

private:
  int64_t chooseWidth();
  Values getPlace(int64_t row, Value column);
  Value start(int64_t row, Value column, Value mask);
  Value emitStrip(Value strip, Value width);
  Value addProducts(Value first, int64_t turns, Value column, Value mask,
                    Value strip);

  StripShape shape;
  int64_t lanes, count;
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
Value Strips::start(int64_t row, Value column, Value mask) {
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
        convert(readLanes(builder, loc, getFactor(across),
                          getPosition(getMap(across), at), lanes, mask),
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

/// Fills a strip of `width` columns.
Value Strips::emitStrip(Value strip, Value width) {
  Values started =
      emitColumns(width, lanes, strip,
                  [&](Value column, Value mask, ValueRange carried) -> Values {
                    Value written = carried.front();
                    for (int64_t row : llvm::seq(count))
                      written = writeLanes(builder, builder.getLoc(),
                                           start(row, column, mask), written,
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
