//===- FftLoops.cpp - What loops of transforms are made of ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FftLoops.h"

#include "Dispatch.h"
#include "Fft.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

FftLoops::FftLoops(ImplicitLocOpBuilder &builder, FloatType element,
                   int64_t sign, const RowPlan &plan)
    : LoopBuilder(builder), element(element), sign(sign), plan(plan),
      laneCount(getNumberLanes(element)), rows(plan.getRows()),
      columns(plan.getColumns()), length(plan.getLength()),
      lanes(builder, element, laneCount, sign),
      rootsDown(createStepRoots(plan.down)),
      rootsAcross(createStepRoots(plan.across)) {}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> FftLoops::loop(int64_t count, ValueRange carried,
                                  Body body) {
  if (count == 1)
    return body(constant(0), carried);
  return LoopBuilder::loop(constant(0), constant(count), 1, carried, body);
}

SmallVector<Value> FftLoops::loopBlocks(int64_t count, ValueRange carried,
                                        BlockBody body) {
  return loop(countBlocks(count), carried, [&](Value block, ValueRange values) {
    Value first = multiply(block, laneCount);
    if (count % laneCount != 0)
      first = compute<arith::MinUIOp>(first, constant(count - laneCount));
    return body(block, first, values);
  });
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Along the last dim of a table parts of roots are pairs.
Value FftLoops::createRoots(ArrayRef<int64_t> shape,
                            llvm::function_ref<Root(ArrayRef<int64_t>)> root) {
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

SmallVector<Value> FftLoops::createStepRoots(ArrayRef<int64_t> radices) {
  SmallVector<Value> tables;
  int64_t left = getProduct(radices);
  for (int64_t radix : radices) {
    if (radix == left)
      break;
    tables.push_back(createRoots(
        {left / radix, radix - 1}, [&, left](ArrayRef<int64_t> index) {
          return getTurn(index[0] * (index[1] + 1), left);
        }));
    left /= radix;
  }
  return tables;
}

LaneNumbers FftLoops::splatEntry(Value table, Value row, Value column) {
  auto entry = [&](int64_t part) {
    Value scalar = tensor::ExtractOp::create(
        builder, table, ValueRange{row, add(multiply(column, 2), part)});
    return createSplat(builder, builder.getLoc(), scalar, laneCount);
  };
  return {entry(0), entry(1)};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value FftLoops::createEmpty(int64_t size, int64_t numbers) {
  return tensor::EmptyOp::create(builder, ArrayRef<int64_t>{size, 2 * numbers},
                                 element);
}

Value FftLoops::read(Value tensor, ValueRange row, Value place, Value mask) {
  Values position(row);
  position.push_back(place);
  return readLanes(builder, builder.getLoc(), tensor, position, laneCount,
                   mask);
}

Value FftLoops::writeTwo(LaneNumbers x, Value tensor, ValueRange row, Value re,
                         Value im) {
  Values position(row);
  position.push_back(re);
  tensor = writeLanes(builder, builder.getLoc(), x.re, tensor, position);
  position.back() = im;
  return writeLanes(builder, builder.getLoc(), x.im, tensor, position);
}

LaneNumbers FftLoops::readPairs(Value tensor, ValueRange row, Value first,
                                bool isTurned) {
  Value place = multiply(first, 2);
  LaneNumbers halves = readTwo(tensor, row, place, add(place, laneCount));
  return lanes.separate(halves.re, halves.im, isTurned);
}

Value FftLoops::writePairs(LaneNumbers x, Value tensor, ValueRange row,
                           Value first, bool isTurned) {
  Value place = multiply(first, 2);
  auto [low, high] = lanes.interleave(x, isTurned);
  return writeTwo({low, high}, tensor, row, place, add(place, laneCount));
}

SmallVector<Value> FftLoops::writeBuffer(Value place, LaneNumbers x,
                                         ValueRange carried) {
  Values next(carried);
  next.front() =
      writeTwo(x, next.front(), place, constant(0), constant(laneCount));
  return next;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A number whose digits, the last one first, `number` has the first one first.
Value FftLoops::reverseDigits(Value number, ArrayRef<int64_t> radices) {
  Value reversed = constant(0);
  int64_t weight = getProduct(radices);
  for (int64_t radix : llvm::reverse(radices)) {
    weight /= radix;
    Value digit = compute<arith::RemUIOp>(number, constant(radix));
    number = compute<arith::DivUIOp>(number, constant(radix));
    reversed = add(reversed, multiply(digit, weight));
  }
  return reversed;
}

/// A transform in each lane. Steps but for the last one leave results where the
/// elements were, in the buffer; the last one brings them into order.
SmallVector<Value> FftLoops::emitSteps(ArrayRef<int64_t> radices,
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
