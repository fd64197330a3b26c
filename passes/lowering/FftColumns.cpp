//===- FftColumns.cpp - Transforms along dims that others follow ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors are of neighbours in memory, each of which has a transform of its
// own. A long one is a matrix, as in rows; what stands between both sides of it
// is where the result comes to.
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "FftLoops.h"
#include "FftRows.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

/// More than a CPU has cores, and few enough for runs of memory.
static constexpr int64_t mostWorkgroups = 32;

namespace {

/// Emits the transforms of a vector of columns.
class ColumnsEmitter : FftLoops {
public:
  ColumnsEmitter(ImplicitLocOpBuilder &builder, const FftColumns &fft,
                 FloatType element);
  /// Fills the columns of row `at` of `result`, which are those from `start` on
  /// of row `outer` of the source: `count` vectors, or all.
  Value emitColumns(OpBuilder &inside, Value outer, Value at, Value start,
                    Value count, Value result);

private:
  Value emitVector(Value from, Value to, Value result);

  const FftColumns &fft;
  /// Roots between both sides.
  Value roots;
  Value outer, at;
};

} // namespace

ColumnsEmitter::ColumnsEmitter(ImplicitLocOpBuilder &builder,
                               const FftColumns &fft, FloatType element)
    : FftLoops(builder, element, fft.sign, fft.plan), fft(fft) {
  if (columns > 1)
    roots = createRoots({rows, columns}, [&](ArrayRef<int64_t> index) {
      return getTurn(index[0] * index[1], length);
    });
}

/// The columns from number `from` of the source on, to number `to`.
Value ColumnsEmitter::emitVector(Value from, Value to, Value result) {
  auto store = [&](Value place, LaneNumbers x, ValueRange carried) -> Values {
    return {carried[0], writePairs(x, carried[1], {at, place}, to)};
  };
  auto loadSource = [&](Value place) {
    return readPairs(fft.source, {outer, place}, from);
  };
  Values carried{createBuffer(), result};
  if (columns == 1)
    return emitDown(
               carried,
               [&](Value place, ValueRange) { return loadSource(place); },
               store)
        .back();
  // Number k of a row's transforms comes to k rows further on than where the
  // row begins, k times; so that is where a column has what belongs to the row.
  auto getPlace = [&](Value row, Value column) {
    return add(row, multiply(column, rows));
  };
  Value first = multiply(to, 2), second = add(first, laneCount);
  carried = loop(columns, carried, [&](Value column, ValueRange values) {
    return emitDown(
        values,
        [&](Value place, ValueRange) {
          return loadSource(add(multiply(place, columns), column));
        },
        [&](Value place, LaneNumbers x, ValueRange above) -> Values {
          x = lanes.multiply(x, splatEntry(roots, place, column));
          return {above[0], writeTwo(x, above[1], {at, getPlace(place, column)},
                                     first, second)};
        });
  });
  return loop(rows, carried,
              [&](Value row, ValueRange values) {
                return emitAcross(
                    values,
                    [&](Value place, ValueRange above) {
                      return readTwo(above[1], {at, getPlace(row, place)},
                                     first, second);
                    },
                    [&](Value place, LaneNumbers x, ValueRange above) {
                      return store(getPlace(row, place), x, above);
                    });
              })
      .back();
}

Value ColumnsEmitter::emitColumns(OpBuilder &inside, Value outer, Value at,
                                  Value start, Value count, Value result) {
  this->outer = outer;
  this->at = at;
  return emitAt(inside,
                [&]() -> Values {
                  if (!count)
                    return loopBlocks(
                        fft.inner, result,
                        [&](Value, Value first, ValueRange carried) -> Values {
                          return {emitVector(first, first, carried.front())};
                        });
                  return emitLoop(builder, builder.getLoc(), constant(0), count,
                                  constant(1), result,
                                  [&](OpBuilder &body, Location, Value turn,
                                      ValueRange carried) {
                                    return emitAt(body, [&]() -> Values {
                                      Value to = multiply(turn, laneCount);
                                      return {emitVector(add(start, to), to,
                                                         carried.front())};
                                    });
                                  });
                })
      .front();
}

std::optional<RowPlan> mlir::wax::planColumns(LoweringContext &context,
                                              FloatType element, int64_t n,
                                              OpFoldResult inner) {
  std::optional<int64_t> count = getConstantIntValue(inner);
  if (!takesNumberLanes(context, element) || !count ||
      *count < getNumberLanes(element))
    return std::nullopt;
  return planColumn(n);
}

Value mlir::wax::emitFftColumns(OpBuilder &builder, Location loc,
                                LoweringContext &context,
                                const FftColumns &fft) {
  auto element = cast<FloatType>(getElementTypeOrSelf(fft.source));
  ImplicitLocOpBuilder own(loc, builder);
  ColumnsEmitter emitter(own, fft, element);
  SmallVector<OpFoldResult> sizes{fft.outer,
                                  builder.getIndexAttr(fft.plan.getLength()),
                                  builder.getIndexAttr(2 * fft.inner)};
  RowsOutput output{getTensorType(sizes, element), sizes};
  // Whole vectors may be dealt to workgroups.
  int64_t lanes = getNumberLanes(element), vectors = fft.inner / lanes;
  if (getConstantIntValue(fft.outer) != 1 || fft.inner % lanes != 0)
    return emitEachRow(builder, loc, context, output,
                       [&](OpBuilder &inside, Location, Value row, Value at,
                           ValueRange carried) -> SmallVector<Value> {
                         return {emitter.emitColumns(inside, row, at, Value(),
                                                     Value(), carried.front())};
                       })
        .front();
  int64_t width = 2 * lanes, run = llvm::divideCeil(vectors, mostWorkgroups);
  return emitRows(
             builder, loc, context, output, /*rowDim=*/2,
             [&](OpBuilder &inside, Location loc, Value first, Value end,
                 ValueRange carried) -> SmallVector<Value> {
               auto constant = [&](int64_t value) -> Value {
                 return arith::ConstantIndexOp::create(inside, loc, value);
               };
               Value size = inside.createOrFold<arith::SubIOp>(loc, end, first);
               Value count = inside.createOrFold<arith::DivUIOp>(
                   loc, size, constant(width));
               Value start =
                   inside.createOrFold<arith::DivUIOp>(loc, first, constant(2));
               return {emitter.emitColumns(inside, constant(0), constant(0),
                                           start, count, carried.front())};
             },
             builder.getIndexAttr(run * width))
      .front();
}
