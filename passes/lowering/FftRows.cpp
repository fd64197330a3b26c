//===- FftRows.cpp - Transforms of rows by vectors ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FftRows.h"

#include "Dispatch.h"
#include "Fft.h"
#include "FftLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

/// Roots that stand in one table; more are the products of two.
static constexpr int64_t mostRoots = 8192;

namespace {

/// Emits the dispatch.
class RowsEmitter : FftLoops {
public:
  RowsEmitter(ImplicitLocOpBuilder &builder, const FftRows &fft,
              FloatType element);
  /// Fills row `at` of the first of `outputs` from row `row` of the source. A
  /// workspace, if it takes one, is the second.
  Values emitRow(OpBuilder &inside, Value row, Value at, ValueRange outputs);
  /// Elements of what stands between both sides, where it is not in the result.
  int64_t getWidthBetween() const {
    return 2 * rows * llvm::alignTo(columns, laneCount);
  }
  /// Elements of a row of the result.
  int64_t getWidth() const {
    return 2 * length + (fft.to == RowForm::Half ? 2 : 0);
  }

private:
  void createRootsBetween();
  LaneNumbers readRootsBetween(Value row, Value block);

  /// Where a block of columns stands of a row of the matrix, number `low` of
  /// its block of rows, which are from `first` on.
  struct Place {
    Value row, re, im;
  };
  Place getPlace(Value low, Value first, Value block);

  LaneNumbers load(Value first);
  LaneNumbers readNumbers(RowForm form, Value tensor, Value row, Value first,
                          int64_t size);
  LaneNumbers loadHalf(Value first);
  Values store(Value first, LaneNumbers x, ValueRange carried);
  /// Loops carry the buffer, what stands between both sides, and the result,
  /// which may be the same.
  Values transformDown(ValueRange carried);
  Values transformAcross(ValueRange carried);
  std::pair<LaneNumbers, LaneNumbers> untangle(Value first, Value result);
  Value emitHalf(Value result);

  const FftRows &fft;
  /// Which column, or row of the matrix, each lane has.
  SmallVector<int64_t> columnOfLane, rowOfLane;
  Value rootsBetween, rootsOfBlocks, rootsOfHalf;
  /// The rows of the source and of the result that are in work.
  Value row, at;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// For each row a vector of each part for each block of columns, or for one
/// block and, for the others, what that is to be turned by.
void RowsEmitter::createRootsBetween() {
  int64_t blocks = countBlocks(columns);
  bool isWhole = length <= mostRoots;
  rootsBetween = createTable(builder, builder.getLoc(), element,
                             {rows, isWhole ? blocks : 1, 2 * laneCount},
                             [&](ArrayRef<int64_t> index) {
                               int64_t column =
                                   getStart(index[1], columns) +
                                   columnOfLane[index[2] % laneCount];
                               Root root = getTurn(index[0] * column, length);
                               return index[2] < laneCount ? root.re : root.im;
                             });
  if (!isWhole)
    rootsOfBlocks = createRoots({rows, blocks}, [&](ArrayRef<int64_t> index) {
      return getTurn(index[0] * getStart(index[1], columns), length);
    });
}

LaneNumbers RowsEmitter::readRootsBetween(Value row, Value block) {
  Value at = rootsOfBlocks ? constant(0) : block;
  LaneNumbers roots =
      readTwo(rootsBetween, {row, at}, constant(0), constant(laneCount));
  if (!rootsOfBlocks)
    return roots;
  return lanes.multiply(roots, splatEntry(rootsOfBlocks, row, block));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// In the result a block of rows has the places that its transforms will have,
/// so that it is read before these are written. Elsewhere vectors do not
/// overlap, whose lanes may stand for columns in another order.
RowsEmitter::Place RowsEmitter::getPlace(Value low, Value first, Value block) {
  if (!plan.isInPlace()) {
    Value vector = add(multiply(block, rows), add(first, low)),
          place = multiply(vector, 2 * laneCount);
    return {constant(0), place, add(place, laneCount)};
  }
  Value run = add(multiply(low, countBlocks(columns)), block);
  Value place = add(multiply(run, rows), first);
  if (fft.to == RowForm::Parts)
    return {at, place, add(place, length)};
  place = multiply(place, 2);
  return {at, place, add(place, laneCount)};
}

LaneNumbers RowsEmitter::load(Value first) {
  if (fft.from == RowForm::Half)
    return loadHalf(first);
  LaneNumbers x = readNumbers(fft.from, fft.source, row, first,
                              fft.size ? fft.size : length);
  if (!fft.factorsBefore)
    return x;
  return lanes.multiply(
      x,
      readNumbers(fft.from == RowForm::Pairs ? RowForm::Pairs : RowForm::Parts,
                  fft.factorsBefore, constant(0), first, length));
}

/// Numbers from `first` on of a row that has `size` of them, and zeros.
LaneNumbers RowsEmitter::readNumbers(RowForm form, Value tensor, Value row,
                                     Value first, int64_t size) {
  auto readPart = [&](Value place, Value left) {
    Value mask;
    if (size < length)
      mask = createMask(builder, builder.getLoc(), laneCount, left);
    return readLanes(builder, builder.getLoc(), tensor, {row, place}, laneCount,
                     mask);
  };
  Value left = subtractFrom(size, first);
  if (form == RowForm::Pairs) {
    Value place = multiply(first, 2), numbers = multiply(left, 2);
    Value low = readPart(place, numbers),
          high = readPart(add(place, laneCount), add(numbers, -laneCount));
    return lanes.separate(low, high);
  }
  Value re = readPart(first, left);
  if (form == RowForm::Parts)
    return {re, readPart(add(first, size), left)};
  Value zeros = arith::ConstantOp::create(
      builder, builder.getZeroAttr(VectorType::get(laneCount, element)));
  return {re, zeros};
}

/// With real numbers at even places and at odd ones as a number's parts, its
/// transform is made of that of the numbers at k and, as if backwards, of the
/// one that is as far from the middle. The first and the last are real.
LaneNumbers RowsEmitter::loadHalf(Value first) {
  LaneNumbers x = readPairs(fft.source, row, first),
              y = readPairs(fft.source, row,
                            subtractFrom(length + 1 - laneCount, first),
                            /*isTurned=*/true);
  Value isStart = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                        first, constant(0));
  auto type = VectorType::get(laneCount, builder.getI1Type());
  SmallVector<bool> isFirstLane(laneCount, false);
  isFirstLane.front() = true;
  Value firstLane = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, ArrayRef<bool>(isFirstLane)));
  Value none = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  Value isReal = arith::SelectOp::create(builder, isStart, firstLane, none);
  Value zeros = arith::ConstantOp::create(
      builder, builder.getZeroAttr(VectorType::get(laneCount, element)));
  for (LaneNumbers *number : {&x, &y})
    number->im = arith::SelectOp::create(builder, isReal, zeros, number->im);
  y = lanes.conjugate(y);
  LaneNumbers roots = readPairs(rootsOfHalf, constant(0), first);
  return lanes.add(lanes.add(x, y),
                   lanes.multiply(lanes.subtract(x, y), roots));
}

SmallVector<Value> RowsEmitter::store(Value first, LaneNumbers x,
                                      ValueRange carried) {
  Values next(carried);
  Value result = next.back();
  if (fft.factorsAfter)
    x = lanes.multiply(
        x, readNumbers(fft.to, fft.factorsAfter, constant(0), first, length));
  next.back() = fft.to == RowForm::Parts
                    ? writeTwo(x, result, at, first, add(first, length))
                    : writePairs(x, result, at, first);
  return next;
}

//===----------------------------------------------------------------------===//
// Both sides of the matrix
//===----------------------------------------------------------------------===//

SmallVector<Value> RowsEmitter::transformDown(ValueRange carried) {
  return loopBlocks(
      columns, carried, [&](Value block, Value column, ValueRange values) {
        auto loadRow = [&](Value place, ValueRange) {
          return load(add(multiply(place, columns), column));
        };
        auto storeRow = [&](Value place, LaneNumbers x, ValueRange values) {
          x = lanes.multiply(x, readRootsBetween(place, block));
          Value low = constant(0), first = place;
          if (plan.isInPlace()) {
            low = compute<arith::RemUIOp>(place, constant(laneCount));
            first = subtract(place, low);
          }
          Place to = getPlace(low, first, block);
          Values next(values);
          next[1] = writeTwo(x, next[1], to.row, to.re, to.im);
          return next;
        };
        return emitDown(values, loadRow, storeRow);
      });
}

SmallVector<Value> RowsEmitter::transformAcross(ValueRange carried) {
  auto transposeSquare = [&](Value first, Value block, Value column,
                             ValueRange values) {
    SmallVector<Value> re, im;
    for (int64_t low : rowOfLane) {
      Place from = getPlace(constant(low), first, block);
      LaneNumbers x = readTwo(values[1], from.row, from.re, from.im);
      re.push_back(x.re);
      im.push_back(x.im);
    }
    transposeLanes(builder, builder.getLoc(), re);
    transposeLanes(builder, builder.getLoc(), im);
    Values next(values);
    for (auto [lane, place] : llvm::enumerate(columnOfLane))
      next = writeBuffer(add(column, place), {re[lane], im[lane]}, next);
    return next;
  };
  return loopBlocks(rows, carried, [&](Value, Value first, ValueRange values) {
    Values turned = loopBlocks(
        columns, values, [&](Value block, Value column, ValueRange inner) {
          return transposeSquare(first, block, column, inner);
        });
    return emitAcross(
        turned,
        [&](Value place, ValueRange values) {
          return readBuffer(place, values);
        },
        [&](Value place, LaneNumbers x, ValueRange values) {
          return store(add(multiply(place, rows), first), x, values);
        });
  });
}

//===----------------------------------------------------------------------===//
// Transforms of real numbers
//===----------------------------------------------------------------------===//

/// What stands at `first` and as far from the middle, as the transform of the
/// real numbers that were taken for parts of complex ones.
std::pair<LaneNumbers, LaneNumbers> RowsEmitter::untangle(Value first,
                                                          Value result) {
  LaneNumbers x = readPairs(result, at, first),
              y = lanes.conjugate(readPairs(
                  result, at, subtractFrom(length + 1 - laneCount, first),
                  /*isTurned=*/true));
  LaneNumbers even = lanes.multiply(lanes.add(x, y), 0.5),
              odd = lanes.multiply(lanes.subtract(x, y),
                                   readPairs(rootsOfHalf, constant(0), first));
  return {lanes.add(even, odd), lanes.conjugate(lanes.subtract(even, odd))};
}

/// Vectors from both ends to the middle; the last ones, which may overlap, are
/// read before others are written.
Value RowsEmitter::emitHalf(Value result) {
  auto writeBoth = [&](Value first, std::pair<LaneNumbers, LaneNumbers> numbers,
                       Value result) {
    result = writePairs(numbers.first, result, at, first);
    return writePairs(numbers.second, result, at,
                      subtractFrom(length + 1 - laneCount, first),
                      /*isTurned=*/true);
  };
  int64_t pairs = length / 2, whole = (length - 1) / 2 / laneCount;
  Value last = constant(pairs + 1 - laneCount);
  auto extract = [&](int64_t place) -> Value {
    return tensor::ExtractOp::create(builder, result,
                                     ValueRange{at, constant(place)});
  };
  Value re = extract(0), im = extract(1);
  auto middle = untangle(last, result);
  Values made = loop(whole, result, [&](Value turn, ValueRange carried) {
    Value first = add(multiply(turn, laneCount), 1);
    Value next = carried.front();
    return Values{writeBoth(first, untangle(first, next), next)};
  });
  result = writeBoth(last, middle, made.front());
  auto insert = [&](Value number, int64_t place) {
    result = tensor::InsertOp::create(builder, number, result,
                                      ValueRange{at, constant(place)});
  };
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(element));
  insert(arith::AddFOp::create(builder, re, im), 0);
  insert(zero, 1);
  insert(arith::SubFOp::create(builder, re, im), 2 * length);
  insert(zero, 2 * length + 1);
  return result;
}

//===----------------------------------------------------------------------===//
// The dispatch
//===----------------------------------------------------------------------===//

RowsEmitter::RowsEmitter(ImplicitLocOpBuilder &builder, const FftRows &fft,
                         FloatType element)
    : FftLoops(builder, element, fft.sign, fft.plan), fft(fft) {
  bool isPaired = fft.from == RowForm::Pairs || fft.from == RowForm::Half;
  columnOfLane = rowOfLane = llvm::to_vector(llvm::seq(laneCount));
  if (isPaired)
    columnOfLane = lanes.getPairOrder();
  if (fft.to != RowForm::Parts)
    rowOfLane = lanes.getPairOrder();
  createRootsBetween();
  // Times i on the way from the half, divided by 2i on the way to it.
  if (fft.from == RowForm::Half)
    rootsOfHalf = createRoots({1, length}, [&](ArrayRef<int64_t> index) {
      Root root = getTurn(index[1], 2 * length);
      return Root{-root.im, root.re};
    });
  if (fft.to == RowForm::Half)
    rootsOfHalf =
        createRoots({1, length / 2 + 1}, [&](ArrayRef<int64_t> index) {
          Root root = getTurn(index[1], 2 * length);
          return Root{root.im / 2, -root.re / 2};
        });
}

SmallVector<Value> RowsEmitter::emitRow(OpBuilder &inside, Value row, Value at,
                                        ValueRange outputs) {
  this->row = row;
  this->at = at;
  return emitAt(inside, [&]() -> Values {
    Values carried{createBuffer()};
    if (plan.between == RowPlan::Between::OnStack)
      carried.push_back(tensor::EmptyOp::create(
          builder, ArrayRef<int64_t>{1, getWidthBetween()}, element));
    if (plan.between == RowPlan::Between::InWorkspace)
      carried.push_back(outputs.back());
    carried.push_back(outputs.front());
    Values made = transformAcross(transformDown(carried));
    Values filled{fft.to == RowForm::Half ? emitHalf(made.back())
                                          : made.back()};
    if (plan.between == RowPlan::Between::InWorkspace)
      filled.push_back(made[1]);
    return filled;
  });
}

bool mlir::wax::takesNumberLanes(LoweringContext &context, FloatType element) {
  return context.usesVectors() && (element.isF32() || element.isF64());
}

/// Whether squares of elements of rows of that form, of `n` numbers or their
/// half, may be transposed.
static bool hasSquares(RowForm form, bool isOdd, int64_t n, int64_t lanes) {
  switch (form) {
  case RowForm::Pairs:
    return 2 * n >= lanes;
  case RowForm::Reals:
    return n >= lanes;
  case RowForm::Half:
    return 2 * (isOdd ? n / 2 + 1 : n + 1) >= lanes;
  default:
    return false;
  }
}

std::optional<RowPlan> mlir::wax::planRows(LoweringContext &context,
                                           FloatType element, OpFoldResult rows,
                                           int64_t n, RowForm from,
                                           RowForm to) {
  if (!takesNumberLanes(context, element))
    return std::nullopt;
  int64_t lanes = getNumberLanes(element), bytes = element.getWidth() / 4;
  bool isHalf = from == RowForm::Half || to == RowForm::Half,
       isOdd = isHalf && (from == RowForm::Reals || to == RowForm::Reals);
  std::optional<RowPlan> matrix;
  // The middle of a half is whole vectors.
  if (!isOdd && (to != RowForm::Half || n >= 2 * lanes))
    matrix = planRow(n, lanes, bytes);
  // Where vectors of columns overlap, a row in each lane is faster, if more
  // than half of the lanes have one.
  std::optional<int64_t> count = getConstantIntValue(rows);
  if (matrix && (matrix->isInPlace() || (count && 2 * *count <= lanes)))
    return matrix;
  if (hasSquares(from, isOdd, n, lanes) && hasSquares(to, isOdd, n, lanes))
    if (std::optional<RowPlan> column = planShortRow(n, lanes, bytes))
      return column;
  return matrix;
}

std::optional<int64_t> mlir::wax::planConvolution(LoweringContext &context,
                                                  FloatType element,
                                                  int64_t least) {
  if (!takesNumberLanes(context, element))
    return std::nullopt;
  return getConvolutionLength(least, getNumberLanes(element),
                              element.getWidth() / 4);
}

Value mlir::wax::emitFftRows(OpBuilder &builder, Location loc,
                             LoweringContext &context, const FftRows &fft) {
  if (fft.plan.across.empty())
    return emitFftShortRows(builder, loc, context, fft);
  auto element = cast<FloatType>(getElementTypeOrSelf(fft.source));
  ImplicitLocOpBuilder own(loc, builder);
  RowsEmitter emitter(own, fft, element);
  SmallVector<OpFoldResult> sizes{fft.rows,
                                  builder.getIndexAttr(emitter.getWidth())};
  SmallVector<RowsOutput> outputs{{getTensorType(sizes, element), sizes}};
  if (fft.plan.between == RowPlan::Between::InWorkspace)
    outputs.push_back(
        createWorkspace(builder, fft.rows, emitter.getWidthBetween(), element));
  SmallVector<Value> made =
      emitEachRow(builder, loc, context, outputs,
                  [&](OpBuilder &inside, Location, Value row, Value at,
                      ValueRange carried) -> SmallVector<Value> {
                    return emitter.emitRow(inside, row, at, carried);
                  });
  // A result that nobody wants would come to be on the stack.
  for (Value workspace : llvm::drop_begin(made))
    iree::OptimizationBarrierOp::create(builder, loc, workspace.getType(),
                                        workspace);
  return made.front();
}
