//===- LoopBoxes.cpp - Boxes of what a loop has in memory -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

Value LoopRegisters::getPlace(Location loc, Value tensor,
                              ArrayRef<OpFoldResult> indices) {
  Value place;
  if (tensor::InsertSliceOp window = plan.getWindow(tensor))
    place = getPlace(loc, window.getDest(), window.getMixedOffsets());
  else
    place = arith::ConstantIndexOp::create(builder, loc, 0);
  ArrayRef<int64_t> shape = plan.getMemoryType(tensor).getShape();
  for (auto [index, distance] : llvm::zip_equal(indices, getDistances(shape))) {
    Value at;
    if (auto value = dyn_cast<Value>(index))
      at = get(value).front();
    else
      at = getValueOrCreateConstantIndexOp(builder, loc, index);
    Value step = arith::ConstantIndexOp::create(builder, loc, distance);
    at = builder.createOrFold<arith::MulIOp>(loc, at, step);
    place = builder.createOrFold<arith::AddIOp>(loc, place, at);
  }
  return place;
}

/// Where the elements of a box are in a tensor that holds its first one at
/// `start`.
static SmallVector<int64_t> getBox(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> offsets) {
  int64_t start = 0;
  for (auto [offset, distance] : llvm::zip_equal(offsets, getDistances(shape)))
    start += offset * distance;
  SmallVector<int64_t> places;
  for (Run run : getRuns(shape, sizes))
    for (int64_t i : llvm::seq(run.count))
      places.push_back(start + run.first + i);
  return places;
}

Value LoopRegisters::getRunPlace(Location loc, Value start,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> sizes, Value number) {
  SmallVector<int64_t> distances = getDistances(shape);
  Value place = start;
  for (size_t dim = getRunDim(shape, sizes); dim-- > 0;) {
    Value size = arith::ConstantIndexOp::create(builder, loc, sizes[dim]);
    Value index = builder.createOrFold<arith::RemUIOp>(loc, number, size);
    number = builder.createOrFold<arith::DivUIOp>(loc, number, size);
    Value step = arith::ConstantIndexOp::create(builder, loc, distances[dim]);
    index = builder.createOrFold<arith::MulIOp>(loc, index, step);
    place = builder.createOrFold<arith::AddIOp>(loc, place, index);
  }
  return place;
}

Value LoopRegisters::copyRuns(Location loc, Value from, Value to, Value start,
                              ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes,
                              Type element, bool isBack) {
  SmallVector<Run> runs = getRuns(shape, sizes);
  auto createIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = createIndex(0), one = createIndex(1);
  Value length = createIndex(runs.front().count);
  auto loop =
      scf::ForOp::create(builder, loc, zero, createIndex(runs.size()), one, to);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value source = getRunPlace(loc, start, shape, sizes, number);
  Value target = arith::MulIOp::create(builder, loc, number, length);
  if (isBack)
    std::swap(source, target);
  Registers run =
      registers.read(loc, from, source, runs.front().count, element);
  SmallVector<Element> elements;
  for (int64_t i : llvm::seq(runs.front().count))
    elements.push_back(registers.getElement(run, i));
  Value written =
      registers.write(loc, elements, loop.getRegionIterArg(0), target);
  scf::YieldOp::create(builder, loc, written);
  return loop.getResult(0);
}

void LoopRegisters::convertSlice(tensor::ExtractSliceOp slice) {
  Location loc = slice.getLoc();
  Value source = slice.getSource();
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  Value from = memory.lookup(source);
  SmallVector<Element> elements;
  if (!from) {
    SmallVector<Element> all = getElements(source);
    for (int64_t place :
         getBox(shape, slice.getStaticSizes(), slice.getStaticOffsets()))
      elements.push_back(all[place]);
    known[slice] = registers.create(loc, elements);
    return;
  }
  Value start = getPlace(loc, source, slice.getMixedOffsets());
  SmallVector<Run> runs = getRuns(shape, slice.getStaticSizes());
  Type element = slice.getType().getElementType();
  if (static_cast<int64_t>(runs.size()) > mostWrittenOut) {
    int64_t count = *getElementCount(slice.getType());
    Value run = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{count},
                                        getElementTypeOrSelf(from.getType()));
    run = copyRuns(loc, from, run, start, shape, slice.getStaticSizes(),
                   element, /*isBack=*/false);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    known[slice] = registers.read(loc, run, zero, count, element);
    return;
  }
  for (Run run : runs) {
    Value first = arith::ConstantIndexOp::create(builder, loc, run.first);
    first = builder.createOrFold<arith::AddIOp>(loc, start, first);
    Registers held = registers.read(loc, from, first, run.count, element);
    if (runs.size() == 1) {
      known[slice] = held;
      return;
    }
    for (int64_t i : llvm::seq(run.count))
      elements.push_back(registers.getElement(held, i));
  }
  known[slice] = registers.create(loc, elements);
}

void LoopRegisters::convertInsert(tensor::InsertSliceOp insert) {
  Location loc = insert.getLoc();
  Value dest = insert.getDest();
  if (plan.getWindow(insert.getSource()) == insert) {
    memory[insert] = memory.lookup(insert.getSource());
    return;
  }
  ArrayRef<int64_t> shape = plan.getMemoryType(dest).getShape();
  SmallVector<Element> elements = getElements(insert.getSource());
  if (!plan.isInMemory(dest)) {
    SmallVector<Element> all = getElements(dest);
    for (auto [element, place] :
         llvm::zip_equal(elements, getBox(shape, insert.getStaticSizes(),
                                          insert.getStaticOffsets())))
      all[place] = element;
    known[insert] = registers.create(loc, all);
    return;
  }
  Value start = getPlace(loc, dest, insert.getMixedOffsets());
  Value written = memory.lookup(dest);
  SmallVector<Run> runs = getRuns(shape, insert.getStaticSizes());
  if (static_cast<int64_t>(runs.size()) > mostWrittenOut) {
    int64_t count = elements.size();
    Value run =
        tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{count},
                                getElementTypeOrSelf(written.getType()));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    run = registers.write(loc, elements, run, zero);
    memory[insert] =
        copyRuns(loc, run, written, start, shape, insert.getStaticSizes(),
                 insert.getSourceType().getElementType(), /*isBack=*/true);
    return;
  }
  ArrayRef<Element> left = elements;
  for (Run run : runs) {
    Value first = arith::ConstantIndexOp::create(builder, loc, run.first);
    first = builder.createOrFold<arith::AddIOp>(loc, start, first);
    written = registers.write(loc, left.take_front(run.count), written, first);
    left = left.drop_front(run.count);
  }
  memory[insert] = written;
}
