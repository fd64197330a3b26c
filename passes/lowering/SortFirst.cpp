//===- SortFirst.cpp - The first elements of what is sorted ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SortFirst.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::wax;

/// Elements that are kept in order as they come, at most: of a row in the
/// opposite order each one moves all of them. And how many there are for each
/// of these, at least.
static constexpr int64_t mostFirst = 64, fewestForEach = 4;

std::optional<int64_t> mlir::wax::getFirstCount(SortOp sort) {
  int64_t dim = sort.getDim(), count = 0;
  for (Operation *user : sort->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || slice.getStaticOffsets()[dim] != 0 ||
        slice.getStrides()[dim] != 1 || slice.getType().isDynamicDim(dim))
      return std::nullopt;
    count = std::max(count, slice.getType().getDimSize(dim));
  }
  auto type = cast<RankedTensorType>(sort.getInputs().front().getType());
  int64_t size = type.getDimSize(dim);
  if (count == 0 || count > mostFirst ||
      (!ShapedType::isDynamic(size) && size < fewestForEach * count))
    return std::nullopt;
  return count;
}

SmallVector<bool> mlir::wax::getCounters(SortOp sort) {
  return llvm::map_to_vector(sort.getInputs(), [&](Value input) {
    auto op = input.getDefiningOp<linalg::GenericOp>();
    if (!op || op.getNumDpsInputs() != 0 || op->getNumResults() != 1 ||
        !op.getIndexingMapsArray().back().isIdentity())
      return false;
    auto cast = op.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::IndexCastOp>();
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    return index && index.getDim() == static_cast<uint64_t>(sort.getDim());
  });
}

namespace {

/// Puts elements in their places among those that are kept.
class FirstLoops {
public:
  FirstLoops(SortLoops &loops, ArrayRef<bool> areCounters, Value row,
             Value local)
      : l(loops), builder(loops.builder), loc(loops.loc),
        areCounters(areCounters), row(row), local(local) {}

  /// Rows in the opposite order are gone through from their end.
  SmallVector<Value> emit(int64_t count, ValueRange outputs) {
    Value last = l.subtract(l.size, l.one);
    Value isTurned = l.compare(read(last), read(l.zero));
    return l.choose(
        isTurned,
        [&] {
          isBackward = true;
          return emitAll(count, outputs);
        },
        [&] {
          isBackward = false;
          return emitAll(count, outputs);
        });
  }

private:
  SmallVector<Value> emitAll(int64_t count, ValueRange outputs) {
    Value kept = arith::MinUIOp::create(builder, loc, l.index(count), l.size);
    // The first ones so far, each moved down past those that it goes before.
    SmallVector<Value> some =
        l.loop(l.zero, kept, l.one, outputs, [&](Value i, ValueRange all) {
          return insert(read(at(i)), i, all);
        });
    Value last = l.index(count - 1);
    return l.loop(kept, l.size, l.one, some, [&](Value i, ValueRange all) {
      Value isAmong = isNext(read(at(i)), l.read(all, Value(), local, last));
      return l.choose(
          isAmong, [&] { return insert(read(at(i)), last, all); },
          [&] { return SmallVector<Value>(all); });
    });
  }

  /// The place of the element that is the next one after `i` others.
  Value at(Value i) {
    return isBackward ? l.subtract(l.subtract(l.size, l.one), i) : i;
  }

  /// Whether an element goes before one that was there earlier.
  Value isNext(ValueRange element, ValueRange earlier) {
    if (!isBackward)
      return l.compare(element, earlier);
    Value isLater = l.compare(earlier, element);
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, isLater, yes);
  }

  /// An element of the inputs.
  SmallVector<Value> read(Value place) {
    SmallVector<Value> element = l.readInputs(row, place);
    for (auto [value, isCounter] : llvm::zip_equal(element, areCounters))
      if (isCounter)
        value =
            arith::IndexCastOp::create(builder, loc, value.getType(), place);
    return element;
  }

  /// Puts an element in its place among those before `from`, one of which, the
  /// one at `from`, goes.
  SmallVector<Value> insert(ValueRange element, Value from,
                            ValueRange outputs) {
    return l.insert(element, outputs, Value(), local, l.zero, from,
                    [&](ValueRange one, ValueRange earlier) {
                      return isNext(one, earlier);
                    });
  }

  SortLoops &l;
  OpBuilder &builder;
  Location loc;
  ArrayRef<bool> areCounters;
  Value row, local;
  bool isBackward = false;
};

} // namespace

SmallVector<Value> mlir::wax::sortFirst(SortLoops &loops, int64_t count,
                                        ArrayRef<bool> areCounters, Value row,
                                        Value local, ValueRange outputs) {
  return FirstLoops(loops, areCounters, row, local).emit(count, outputs);
}
