//===- FftRows.cpp - Transforms of rows by vectors ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FftRows.h"

#include "Dispatch.h"
#include "Fft.h"
#include "FftLanes.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

/// Bytes of a vector: of 16 registers of 32 bytes, a step on four numbers needs
/// no more.
static constexpr int64_t vectorBytes = 32;

/// Roots that stand in one table; more are the products of two.
static constexpr int64_t mostRoots = 8192;

static int64_t getLanes(FloatType element) {
  return 8 * vectorBytes / element.getWidth();
}

namespace {

/// Emits the dispatch.
class RowsEmitter {
public:
  RowsEmitter(ImplicitLocOpBuilder &builder, const FftRows &fft,
              FloatType element);
  /// Fills row `at` of `result` from row `row` of the source.
  Value emitRow(OpBuilder &inside, Value row, Value at, Value result);
  /// Elements of a row of the result.
  int64_t getWidth() const {
    return 2 * length + (fft.to == RowForm::Half ? 2 : 0);
  }

private:
  using Values = SmallVector<Value>;
  using Numbers = FftLanes::Numbers;
  /// What loops carry: a buffer, what stands between, and the result, which
  /// may be the same.
  using Body = llvm::function_ref<Values(Value, ValueRange)>;
  using BlockBody =
      llvm::function_ref<Values(Value block, Value first, ValueRange)>;
  using Load = llvm::function_ref<LaneNumbers(Value place, ValueRange)>;
  using Store =
      llvm::function_ref<Values(Value place, LaneNumbers, ValueRange)>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value add(Value lhs, Value rhs) {
    return builder.createOrFold<arith::AddIOp>(lhs, rhs);
  }
  Value add(Value lhs, int64_t rhs) { return add(lhs, constant(rhs)); }
  Value multiply(Value lhs, int64_t rhs) {
    return builder.createOrFold<arith::MulIOp>(lhs, constant(rhs));
  }
  Value subtractFrom(int64_t lhs, Value rhs) {
    return builder.createOrFold<arith::SubIOp>(constant(lhs), rhs);
  }
  Values loop(int64_t count, ValueRange carried, Body body);
  /// Blocks of a vector's lanes that `count` things are; the last one may
  /// overlap the one before.
  Values loopBlocks(int64_t count, ValueRange carried, BlockBody body);
  int64_t countBlocks(int64_t count) {
    return llvm::divideCeil(count, laneCount);
  }
  int64_t getStart(int64_t block, int64_t count) {
    return std::min(block * laneCount, count - laneCount);
  }

  Root getTurn(int64_t numerator, int64_t n) {
    return getRoot(fft.sign * numerator, n);
  }
  Value createRoots(ArrayRef<int64_t> shape,
                    llvm::function_ref<Root(ArrayRef<int64_t>)> root);
  SmallVector<Value> createStepRoots(ArrayRef<int64_t> radices);
  void createRootsBetween();
  LaneNumbers readRootsBetween(Value row, Value block);

  Value read(Value tensor, ValueRange position) {
    return readLanes(builder, builder.getLoc(), tensor, position, laneCount);
  }
  Value write(Value vector, Value tensor, ValueRange position) {
    return writeLanes(builder, builder.getLoc(), vector, tensor, position);
  }
  /// Numbers from `first` on in a row of `Pairs`.
  LaneNumbers readPairs(Value tensor, Value row, Value first,
                        bool isTurned = false);
  Value writePairs(LaneNumbers x, Value tensor, Value row, Value first,
                   bool isTurned = false);
  LaneNumbers splatEntry(Value table, Value row, Value column);
  LaneNumbers readTwo(Value tensor, Value row, Value re, Value im) {
    return {read(tensor, {row, re}), read(tensor, {row, im})};
  }
  Value writeTwo(LaneNumbers x, Value tensor, Value row, Value re, Value im) {
    return write(x.im, write(x.re, tensor, {row, re}), {row, im});
  }
  LaneNumbers readBuffer(Value place, ValueRange carried) {
    return readTwo(carried.front(), place, constant(0), constant(laneCount));
  }
  Values writeBuffer(Value place, LaneNumbers x, ValueRange carried) {
    Values next(carried);
    next.front() =
        writeTwo(x, next.front(), place, constant(0), constant(laneCount));
    return next;
  }

  /// Where a block of columns stands of a row of the matrix, number `low` of
  /// its block of rows, which are from `first` on.
  struct Place {
    Value row, re, im;
  };
  Place getPlace(Value low, Value first, Value block);

  LaneNumbers load(Value first);
  LaneNumbers loadHalf(Value first);
  Values store(Value first, LaneNumbers x, ValueRange carried);
  Value reverseDigits(Value number, ArrayRef<int64_t> radices);
  Values emitSteps(ArrayRef<int64_t> radices, ArrayRef<Value> roots,
                   ValueRange carried, Load load, Store store);
  Values transformDown(ValueRange carried);
  Values transformAcross(ValueRange carried);
  std::pair<LaneNumbers, LaneNumbers> untangle(Value first, Value result);
  Value emitHalf(Value result);

  ImplicitLocOpBuilder &builder;
  const FftRows &fft;
  FloatType element;
  int64_t laneCount, length, rows, columns;
  FftLanes lanes;
  /// Which column, or row of the matrix, each lane has.
  SmallVector<int64_t> columnOfLane, rowOfLane;
  SmallVector<Value> rootsDown, rootsAcross;
  Value rootsBetween, rootsOfBlocks, rootsOfHalf;
  /// The rows of the source and of the result that are in work.
  Value row, at;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Along the last dim of a table parts of roots are pairs.
Value RowsEmitter::createRoots(
    ArrayRef<int64_t> shape, llvm::function_ref<Root(ArrayRef<int64_t>)> root) {
  SmallVector<int64_t> all(shape);
  all.back() *= 2;
  return createTable(builder, builder.getLoc(), element, all,
                     [&](ArrayRef<int64_t> index) {
                       SmallVector<int64_t> of(index);
                       of.back() /= 2;
                       Root entry = root(of);
                       return index.back() % 2 ? entry.im : entry.re;
                     });
}

SmallVector<Value> RowsEmitter::createStepRoots(ArrayRef<int64_t> radices) {
  SmallVector<Value> tables;
  int64_t left = getProduct(radices);
  for (int64_t radix : radices.drop_back()) {
    tables.push_back(createRoots(
        {left / radix, radix - 1}, [&, left](ArrayRef<int64_t> index) {
          return getTurn(index[0] * (index[1] + 1), left);
        }));
    left /= radix;
  }
  return tables;
}

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

LaneNumbers RowsEmitter::splatEntry(Value table, Value row, Value column) {
  auto entry = [&](int64_t part) {
    Value scalar = tensor::ExtractOp::create(
        builder, table, ValueRange{row, add(multiply(column, 2), part)});
    return createSplat(builder, builder.getLoc(), scalar, laneCount);
  };
  return {entry(0), entry(1)};
}

LaneNumbers RowsEmitter::readRootsBetween(Value row, Value block) {
  Value at = rootsOfBlocks ? constant(0) : block;
  LaneNumbers roots{read(rootsBetween, {row, at, constant(0)}),
                    read(rootsBetween, {row, at, constant(laneCount)})};
  if (!rootsOfBlocks)
    return roots;
  return lanes.multiply(roots, splatEntry(rootsOfBlocks, row, block));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> RowsEmitter::loop(int64_t count, ValueRange carried,
                                     Body body) {
  if (count == 1)
    return body(constant(0), carried);
  return emitLoop(
      builder, builder.getLoc(), constant(0), constant(count), constant(1),
      carried,
      [&](OpBuilder &inside, Location, Value index, ValueRange values) {
        OpBuilder::InsertionGuard guard(builder);
        builder.restoreInsertionPoint(inside.saveInsertionPoint());
        Values made = body(index, values);
        inside.restoreInsertionPoint(builder.saveInsertionPoint());
        return made;
      });
}

SmallVector<Value> RowsEmitter::loopBlocks(int64_t count, ValueRange carried,
                                           BlockBody body) {
  return loop(countBlocks(count), carried, [&](Value block, ValueRange values) {
    Value first = multiply(block, laneCount);
    if (count % laneCount != 0)
      first = builder.createOrFold<arith::MinUIOp>(first,
                                                   constant(count - laneCount));
    return body(block, first, values);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LaneNumbers RowsEmitter::readPairs(Value tensor, Value row, Value first,
                                   bool isTurned) {
  Value place = multiply(first, 2);
  LaneNumbers halves = readTwo(tensor, row, place, add(place, laneCount));
  return lanes.separate(halves.re, halves.im, isTurned);
}

Value RowsEmitter::writePairs(LaneNumbers x, Value tensor, Value row,
                              Value first, bool isTurned) {
  Value place = multiply(first, 2);
  auto [low, high] = lanes.interleave(x, isTurned);
  return writeTwo({low, high}, tensor, row, place, add(place, laneCount));
}

/// In the result a block of rows has the places that its transforms will have,
/// so that it is read before these are written. Elsewhere vectors do not
/// overlap, whose lanes may stand for columns in another order.
RowsEmitter::Place RowsEmitter::getPlace(Value low, Value first, Value block) {
  if (!fft.plan.isInPlace) {
    Value place = multiply(block, laneCount);
    return {add(first, low), place,
            add(place, countBlocks(columns) * laneCount)};
  }
  Value run = add(multiply(low, countBlocks(columns)), block);
  Value place = add(multiply(run, rows), first);
  if (fft.to == RowForm::Parts)
    return {at, place, add(place, length)};
  place = multiply(place, 2);
  return {at, place, add(place, laneCount)};
}

LaneNumbers RowsEmitter::load(Value first) {
  switch (fft.from) {
  case RowForm::Pairs:
    return readPairs(fft.source, row, first);
  case RowForm::Parts:
    return readTwo(fft.source, row, first, add(first, length));
  case RowForm::Reals: {
    Value zeros = arith::ConstantOp::create(
        builder, builder.getZeroAttr(VectorType::get(laneCount, element)));
    return {read(fft.source, {row, first}), zeros};
  }
  case RowForm::Half:
    return loadHalf(first);
  }
  llvm_unreachable("not a form");
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
  next.back() = fft.to == RowForm::Parts
                    ? writeTwo(x, result, at, first, add(first, length))
                    : writePairs(x, result, at, first);
  return next;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A number whose digits, the last one first, `number` has the first one first.
Value RowsEmitter::reverseDigits(Value number, ArrayRef<int64_t> radices) {
  Value reversed = constant(0);
  int64_t weight = getProduct(radices);
  for (int64_t radix : llvm::reverse(radices)) {
    weight /= radix;
    Value digit = builder.createOrFold<arith::RemUIOp>(number, constant(radix));
    number = builder.createOrFold<arith::DivUIOp>(number, constant(radix));
    reversed = add(reversed, multiply(digit, weight));
  }
  return reversed;
}

/// A transform in each lane. Steps but for the last one leave results where the
/// elements were, in the buffer; the last one brings them into order.
SmallVector<Value> RowsEmitter::emitSteps(ArrayRef<int64_t> radices,
                                          ArrayRef<Value> roots,
                                          ValueRange carried, Load load,
                                          Store store) {
  Values values(carried);
  int64_t done = 1, left = getProduct(radices);
  for (auto [step, radix] : llvm::enumerate(radices)) {
    bool isFirst = step == 0, isLast = step + 1 == radices.size();
    left /= radix;
    auto emitStep = [&](Value above, Value below, ValueRange values) {
      Value base = add(multiply(above, radix * left), below);
      Numbers numbers;
      for (int64_t j : llvm::seq<int64_t>(radix)) {
        Value place = add(base, j * left);
        numbers.push_back(isFirst ? load(place, values)
                                  : readBuffer(place, values));
      }
      numbers = lanes.transform(numbers);
      Values next(values);
      Value start;
      if (isLast)
        start = reverseDigits(above, radices.take_front(step));
      for (auto [k, number] : llvm::enumerate(numbers)) {
        if (isLast) {
          next = store(add(start, k * done), number, next);
          continue;
        }
        if (k > 0)
          number = lanes.multiply(
              number, splatEntry(roots[step], below, constant(k - 1)));
        next = writeBuffer(add(base, k * left), number, next);
      }
      return next;
    };
    values = loop(done, values, [&](Value above, ValueRange outer) {
      return loop(left, outer, [&](Value below, ValueRange inner) {
        return emitStep(above, below, inner);
      });
    });
    done *= radix;
  }
  return values;
}

SmallVector<Value> RowsEmitter::transformDown(ValueRange carried) {
  return loopBlocks(
      columns, carried, [&](Value block, Value column, ValueRange values) {
        auto loadRow = [&](Value place, ValueRange) {
          return load(add(multiply(place, columns), column));
        };
        auto storeRow = [&](Value place, LaneNumbers x, ValueRange values) {
          x = lanes.multiply(x, readRootsBetween(place, block));
          Value low = constant(0), first = place;
          if (fft.plan.isInPlace) {
            low = builder.createOrFold<arith::RemUIOp>(place,
                                                       constant(laneCount));
            first = builder.createOrFold<arith::SubIOp>(place, low);
          }
          Place to = getPlace(low, first, block);
          Values next(values);
          next[1] = writeTwo(x, next[1], to.row, to.re, to.im);
          return next;
        };
        return emitSteps(fft.plan.down, rootsDown, values, loadRow, storeRow);
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
    lanes.transpose(re);
    lanes.transpose(im);
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
    return emitSteps(
        fft.plan.across, rootsAcross, turned,
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
    : builder(builder), fft(fft), element(element),
      laneCount(::getLanes(element)), length(fft.plan.getLength()),
      rows(fft.plan.getRows()), columns(fft.plan.getColumns()),
      lanes(builder, element, laneCount, fft.sign) {
  bool isPaired = fft.from == RowForm::Pairs || fft.from == RowForm::Half;
  columnOfLane = rowOfLane = llvm::to_vector(llvm::seq(laneCount));
  if (isPaired)
    columnOfLane = lanes.getPairOrder();
  if (fft.to != RowForm::Parts)
    rowOfLane = lanes.getPairOrder();
  rootsDown = createStepRoots(fft.plan.down);
  rootsAcross = createStepRoots(fft.plan.across);
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

Value RowsEmitter::emitRow(OpBuilder &inside, Value row, Value at,
                           Value result) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(inside.saveInsertionPoint());
  this->row = row;
  this->at = at;
  auto createEmpty = [&](int64_t size, int64_t numbers) -> Value {
    return tensor::EmptyOp::create(
        builder, ArrayRef<int64_t>{size, 2 * numbers}, element);
  };
  Values carried{createEmpty(std::max(rows, columns), laneCount)};
  if (!fft.plan.isInPlace)
    carried.push_back(createEmpty(rows, countBlocks(columns) * laneCount));
  carried.push_back(result);
  result = transformAcross(transformDown(carried)).back();
  if (fft.to == RowForm::Half)
    result = emitHalf(result);
  inside.restoreInsertionPoint(builder.saveInsertionPoint());
  return result;
}

static bool takesRows(LoweringContext &context, FloatType element) {
  return context.usesVectors() && (element.isF32() || element.isF64());
}

std::optional<RowPlan> mlir::wax::planRows(LoweringContext &context,
                                           FloatType element, int64_t n,
                                           RowForm to) {
  int64_t lanes = ::getLanes(element);
  // The middle of a half is whole vectors.
  if (!takesRows(context, element) || (to == RowForm::Half && n < 2 * lanes))
    return std::nullopt;
  return planRow(n, lanes, element.getWidth() / 4);
}

std::optional<int64_t> mlir::wax::planConvolution(LoweringContext &context,
                                                  FloatType element,
                                                  int64_t least) {
  if (!takesRows(context, element))
    return std::nullopt;
  return getConvolutionLength(least, ::getLanes(element),
                              element.getWidth() / 4);
}

Value mlir::wax::emitFftRows(OpBuilder &builder, Location loc,
                             LoweringContext &context, const FftRows &fft) {
  auto element = cast<FloatType>(getElementTypeOrSelf(fft.source));
  ImplicitLocOpBuilder own(loc, builder);
  RowsEmitter emitter(own, fft, element);
  SmallVector<OpFoldResult> sizes{fft.rows,
                                  builder.getIndexAttr(emitter.getWidth())};
  RowsOutput output{getTensorType(sizes, element), sizes};
  return emitEachRow(builder, loc, context, output,
                     [&](OpBuilder &inside, Location, Value row, Value at,
                         ValueRange carried) -> SmallVector<Value> {
                       return {
                           emitter.emitRow(inside, row, at, carried.front())};
                     })
      .front();
}

Value mlir::wax::createBitcast(OpBuilder &builder, Location loc, Value tensor,
                               ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<Value> from, to;
  SmallVector<int64_t> known;
  dispatchIndexOpFoldResults(tensor::getMixedSizes(builder, loc, tensor), from,
                             known);
  known.clear();
  dispatchIndexOpFoldResults(sizes, to, known);
  return iree::TensorBitcastOp::create(
      builder, loc, getTensorType(sizes, element), tensor, from, to);
}
