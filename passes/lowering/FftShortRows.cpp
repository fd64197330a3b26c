//===- FftShortRows.cpp - Transforms of short rows by vectors -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane has a row. Squares of numbers are transposed on the way into a
// buffer, and back on the way to the result, so that between them a row is a
// column of vectors, of any length that steps make. Where fewer rows are left
// than there are lanes, the last lanes have the last row, all of them.
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "FftLoops.h"
#include "FftRows.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Emits the transforms of a vector of rows.
class ShortRowsEmitter : FftLoops {
public:
  ShortRowsEmitter(ImplicitLocOpBuilder &builder, const FftRows &fft,
                   FloatType element);
  /// Elements of a row of the result.
  int64_t getWidth() const {
    return fft.to == RowForm::Reals ? length : 2 * countNumbers(fft.to);
  }
  /// How many rows a workgroup has: whole vectors of them.
  int64_t getRun() const {
    return llvm::alignTo(std::max<int64_t>(workgroupElements / getWidth(), 1),
                         laneCount);
  }
  /// Fills rows of `result`, whose row 0 is row `first`, from `row` on, as many
  /// as there are lanes, of those before `end`, if it is told.
  Value emitRows(OpBuilder &inside, Value row, Value first, Value end,
                 Value result);

private:
  /// Numbers of a row in memory.
  int64_t countNumbers(RowForm form) const;
  /// Squares of a row's elements from `first` on, and what stands for each.
  Values loopSquares(RowForm form, ValueRange carried,
                     llvm::function_ref<Values(Value, ValueRange)> body);
  Values readRows(ValueRange carried);
  /// The numbers whose transform is that of real ones, of what it is.
  Values tangle(ValueRange carried);
  Values transform(ValueRange carried);
  /// The transform of real numbers that were taken for parts of complex ones.
  Values untangle(ValueRange carried);
  Values writeRows(ValueRange carried);

  LaneNumbers readSecond(Value place, ValueRange carried) {
    return readTwo(carried[1], place, constant(0), constant(laneCount));
  }
  Values writeSecond(Value place, LaneNumbers x, ValueRange carried);
  Value createZeros() {
    return arith::ConstantOp::create(
        builder, builder.getZeroAttr(VectorType::get(laneCount, element)));
  }

  const FftRows &fft;
  Value rootsOfHalf;
  /// Which rows of the source and of the result the lanes have.
  Values from, to;
};

} // namespace

ShortRowsEmitter::ShortRowsEmitter(ImplicitLocOpBuilder &builder,
                                   const FftRows &fft, FloatType element)
    : FftLoops(builder, element, fft.sign, fft.plan), fft(fft) {
  // Times i on the way from the half, divided by 2i on the way to it.
  bool isFromHalf = fft.from == RowForm::Half && fft.to == RowForm::Pairs;
  if (isFromHalf || (fft.to == RowForm::Half && fft.from == RowForm::Pairs))
    rootsOfHalf =
        createRoots({1, length / 2 + 1}, [&](ArrayRef<int64_t> index) {
          Root root = getTurn(index[1], 2 * length);
          return isFromHalf ? Root{-root.im, root.re}
                            : Root{root.im / 2, -root.re / 2};
        });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t ShortRowsEmitter::countNumbers(RowForm form) const {
  if (form != RowForm::Half)
    return length;
  bool isOdd = fft.from == RowForm::Reals || fft.to == RowForm::Reals;
  return isOdd ? length / 2 + 1 : length + 1;
}

SmallVector<Value> ShortRowsEmitter::loopSquares(
    RowForm form, ValueRange carried,
    llvm::function_ref<Values(Value, ValueRange)> body) {
  int64_t step = form == RowForm::Reals ? laneCount : laneCount / 2,
          count = countNumbers(form);
  return loop(llvm::divideCeil(count, step), carried,
              [&](Value turn, ValueRange values) {
                Value first = multiply(turn, step);
                if (count % step != 0)
                  first =
                      compute<arith::MinUIOp>(first, constant(count - step));
                return body(first, values);
              });
}

SmallVector<Value> ShortRowsEmitter::readRows(ValueRange carried) {
  bool isReal = fft.from == RowForm::Reals;
  return loopSquares(fft.from, carried, [&](Value first, ValueRange values) {
    Value place = isReal ? first : multiply(first, 2);
    Values square;
    for (Value row : from)
      square.push_back(read(fft.source, row, place));
    transposeLanes(builder, builder.getLoc(), square);
    Values next(values);
    if (isReal) {
      for (auto [j, re] : llvm::enumerate(square))
        next = writeBuffer(add(first, j), {re, createZeros()}, next);
      return next;
    }
    for (int64_t j : llvm::seq(laneCount / 2))
      next =
          writeBuffer(add(first, j), {square[2 * j], square[2 * j + 1]}, next);
    return next;
  });
}

SmallVector<Value> ShortRowsEmitter::writeRows(ValueRange carried) {
  bool isReal = fft.to == RowForm::Reals;
  return loopSquares(fft.to, carried, [&](Value first, ValueRange values) {
    Value place = isReal ? first : multiply(first, 2);
    Values square;
    for (int64_t j : llvm::seq(isReal ? laneCount : laneCount / 2)) {
      LaneNumbers x = readSecond(add(first, j), values);
      square.push_back(x.re);
      if (!isReal)
        square.push_back(x.im);
    }
    transposeLanes(builder, builder.getLoc(), square);
    Values next(values);
    for (auto [row, vector] : llvm::zip_equal(to, square))
      next.back() = writeLanes(builder, builder.getLoc(), vector, next.back(),
                               {row, place});
    return next;
  });
}

SmallVector<Value> ShortRowsEmitter::writeSecond(Value place, LaneNumbers x,
                                                 ValueRange carried) {
  Values next(carried);
  next[1] = writeTwo(x, next[1], place, constant(0), constant(laneCount));
  return next;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

SmallVector<Value> ShortRowsEmitter::transform(ValueRange carried) {
  return emitDown(
      carried,
      [&](Value place, ValueRange values) { return readBuffer(place, values); },
      [&](Value place, LaneNumbers x, ValueRange values) {
        return writeSecond(place, x, values);
      });
}

SmallVector<Value> ShortRowsEmitter::tangle(ValueRange carried) {
  auto mirror = [&](Value place) { return subtractFrom(length, place); };
  // An odd count of real numbers is transformed as complex ones.
  if (fft.to == RowForm::Reals)
    return loop(length / 2, carried, [&](Value turn, ValueRange values) {
      Value place = add(turn, 1);
      return writeBuffer(mirror(place),
                         lanes.conjugate(readBuffer(place, values)), values);
    });
  // The first and the last are real.
  Values next(carried);
  for (int64_t place : {int64_t(0), length}) {
    LaneNumbers x = readBuffer(constant(place), next);
    next = writeBuffer(constant(place), {x.re, createZeros()}, next);
  }
  return loop(length / 2 + 1, next, [&](Value place, ValueRange values) {
    LaneNumbers x = readBuffer(place, values),
                y = lanes.conjugate(readBuffer(mirror(place), values)),
                even = lanes.add(x, y),
                odd =
                    lanes.multiply(lanes.subtract(x, y),
                                   splatEntry(rootsOfHalf, constant(0), place));
    Values next = writeBuffer(
        mirror(place), lanes.conjugate(lanes.subtract(even, odd)), values);
    return writeBuffer(place, lanes.add(even, odd), next);
  });
}

SmallVector<Value> ShortRowsEmitter::untangle(ValueRange carried) {
  LaneNumbers x = readSecond(constant(0), carried);
  Values next = writeSecond(
      constant(length), {lanes.subtract(x.re, x.im), createZeros()}, carried);
  next = writeSecond(constant(0), {lanes.add(x.re, x.im), createZeros()}, next);
  return loop(length / 2, next, [&](Value turn, ValueRange values) {
    Value place = add(turn, 1), mirrored = subtractFrom(length, place);
    LaneNumbers x = readSecond(place, values),
                y = lanes.conjugate(readSecond(mirrored, values)),
                even = lanes.multiply(lanes.add(x, y), 0.5),
                odd =
                    lanes.multiply(lanes.subtract(x, y),
                                   splatEntry(rootsOfHalf, constant(0), place));
    Values next = writeSecond(
        mirrored, lanes.conjugate(lanes.subtract(even, odd)), values);
    return writeSecond(place, lanes.add(even, odd), next);
  });
}

Value ShortRowsEmitter::emitRows(OpBuilder &inside, Value row, Value first,
                                 Value end, Value result) {
  return emitAt(inside,
                [&]() -> Values {
                  from.clear();
                  to.clear();
                  Value last = end ? subtract(end, constant(1)) : Value();
                  for (int64_t lane : llvm::seq(laneCount)) {
                    Value of = add(row, lane);
                    from.push_back(end ? compute<arith::MinUIOp>(of, last)
                                       : of);
                    to.push_back(subtract(from.back(), first));
                  }
                  Values carried{createEmpty(length + 1, laneCount),
                                 createEmpty(length + 1, laneCount), result};
                  carried = readRows(carried);
                  if (fft.from == RowForm::Half)
                    carried = tangle(carried);
                  carried = transform(carried);
                  if (fft.to == RowForm::Half && fft.from == RowForm::Pairs)
                    carried = untangle(carried);
                  return {writeRows(carried).back()};
                })
      .front();
}

Value mlir::wax::emitFftShortRows(OpBuilder &builder, Location loc,
                                  LoweringContext &context,
                                  const FftRows &fft) {
  auto element = cast<FloatType>(getElementTypeOrSelf(fft.source));
  ImplicitLocOpBuilder own(loc, builder);
  ShortRowsEmitter emitter(own, fft, element);
  SmallVector<OpFoldResult> sizes{fft.rows,
                                  builder.getIndexAttr(emitter.getWidth())};
  RowsOutput output{getTensorType(sizes, element), sizes};
  int64_t lanes = getNumberLanes(element);
  std::optional<int64_t> count = getConstantIntValue(fft.rows);
  bool isWhole = count && *count % lanes == 0;
  return emitRows(
             builder, loc, context, output, /*rowDim=*/0,
             [&](OpBuilder &rows, Location loc, Value first, Value end,
                 ValueRange empties) {
               Value step = arith::ConstantIndexOp::create(rows, loc, lanes);
               return emitLoop(rows, loc, first, end, step, empties,
                               [&](OpBuilder &inside, Location, Value row,
                                   ValueRange carried) -> SmallVector<Value> {
                                 return {emitter.emitRows(
                                     inside, row, first,
                                     isWhole ? Value() : end, carried.front())};
                               });
             },
             builder.getIndexAttr(emitter.getRun()))
      .front();
}
