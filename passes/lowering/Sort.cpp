//===- Sort.cpp - elements put in order -----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stable merge sort, bottom up: runs of a few neighbours are sorted by
// insertion, and then merged, two by two, from one of two halves of memory into
// the other. No comparator can make it lose an element or leave its rows: each
// loop ends by counting, and moves each element once. Many numbers are sorted
// by their digits instead.
//
//===----------------------------------------------------------------------===//

#include "SortDigits.h"
#include "SortFirst.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

/// As many elements are sorted by insertion as merging them would take longer.
static constexpr int64_t runSize = 16;

/// How often runs are merged until one is left.
static OpFoldResult countMerges(OpBuilder &builder, Location loc,
                                OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return builder.getIndexAttr(llvm::Log2_64_Ceil(
        llvm::divideCeil(std::max<int64_t>(*known, 1), runSize)));
  // ceil(log2(runs)), from the number of leading zeros of runs - 1.
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value count = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      getValueOrCreateConstantIndexOp(builder, loc, size));
  count = arith::MaxSIOp::create(builder, loc, count, integer(1));
  Value last = arith::SubIOp::create(builder, loc, count, integer(1));
  Value runsLess = arith::ShRUIOp::create(builder, loc, last,
                                          integer(llvm::Log2_64(runSize)));
  Value zeros = math::CountLeadingZerosOp::create(builder, loc, runsLess);
  Value merges = arith::SubIOp::create(builder, loc, integer(64), zeros);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    merges)
      .getResult();
}

namespace {

/// Sorts rows by comparing their elements.
class MergeLoops {
public:
  MergeLoops(SortLoops &loops, OpFoldResult merges, Value local)
      : l(loops), builder(loops.builder), loc(loops.loc), merges(merges),
        local(local), zero(loops.zero), one(loops.one),
        run(loops.index(runSize)) {
    Value count = getValueOrCreateConstantIndexOp(builder, loc, merges);
    start = builder.createOrFold<arith::AndIOp>(loc, count, one);
  }

  SmallVector<Value> emit(Value row, ValueRange outputs) {
    SmallVector<Value> sorted = emitRuns(row, outputs);
    return isZeroInteger(merges) ? sorted : emitMerges(sorted);
  }

private:
  Value least(Value lhs, Value rhs) {
    return arith::MinUIOp::create(builder, loc, lhs, rhs);
  }
  Value isLess(Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lhs,
                                 rhs);
  }

  /// Sorts the elements of a row in runs, each element moved down past those
  /// that it goes before.
  SmallVector<Value> emitRuns(Value row, ValueRange outputs) {
    return l.loop(zero, l.size, run, outputs, [&](Value base, ValueRange all) {
      Value runEnd = least(l.add(base, run), l.size);
      return l.loop(base, runEnd, one, all, [&](Value i, ValueRange some) {
        return l.insert(l.readInputs(row, i), some, start, local, base, i,
                        [&](ValueRange element, ValueRange before) {
                          return l.compare(element, before);
                        });
      });
    });
  }

  SmallVector<Value> emitMerges(ValueRange outputs) {
    Value count = getValueOrCreateConstantIndexOp(builder, loc, merges);
    return l.loop(zero, count, one, outputs, [&](Value number, ValueRange all) {
      Value from =
          arith::AndIOp::create(builder, loc, l.add(start, number), one);
      Value to = arith::XOrIOp::create(builder, loc, from, one);
      Value width = arith::ShLIOp::create(builder, loc, run, number);
      Value step = arith::ShLIOp::create(builder, loc, width, one);
      return l.loop(zero, l.size, step, all, [&](Value base, ValueRange some) {
        Value middle = least(l.add(base, width), l.size);
        Value pairEnd = least(l.add(base, step), l.size);
        return emitMerge(from, to, base, middle, pairEnd, some);
      });
    });
  }

  /// Merges `base … middle` and `middle … pairEnd`. Of elements that are equal
  /// the earlier run's go first.
  SmallVector<Value> emitMerge(Value from, Value to, Value base, Value middle,
                               Value pairEnd, ValueRange outputs) {
    SmallVector<Value> carried(outputs);
    carried.append({base, middle});
    carried = l.loopWhile(
        carried,
        [&](ValueRange now) -> Value {
          Value hasLeft = isLess(now[now.size() - 2], middle);
          Value hasRight = isLess(now.back(), pairEnd);
          return arith::AndIOp::create(builder, loc, hasLeft, hasRight);
        },
        [&](ValueRange now) {
          ValueRange tensors = now.drop_back(2);
          Value i = now[now.size() - 2], j = now.back();
          SmallVector<Value> left = l.read(tensors, from, local, i);
          SmallVector<Value> right = l.read(tensors, from, local, j);
          Value takesRight = l.compare(right, left);
          SmallVector<Value> taken;
          for (auto [first, second] : llvm::zip_equal(left, right))
            taken.push_back(l.select(takesRight, second, first));
          // Not by branches, which could not be foretold.
          Value place = l.subtract(l.add(i, j), middle);
          SmallVector<Value> next = l.write(taken, tensors, to, local, place);
          next.push_back(l.select(takesRight, i, l.add(i, one)));
          next.push_back(l.select(takesRight, l.add(j, one), j));
          return next;
        });
    // One of the runs is used up; what is left of the other follows.
    ValueRange tensors = ValueRange(carried).drop_back(2);
    Value i = carried[carried.size() - 2], j = carried.back();
    Value leftCount = l.subtract(middle, i),
          rightCount = l.subtract(pairEnd, j);
    Value source = l.select(isLess(i, middle), i, j);
    Value count = l.add(leftCount, rightCount);
    Value target = l.subtract(pairEnd, count);
    return l.loop(zero, count, one, tensors, [&](Value k, ValueRange all) {
      return l.write(l.read(all, from, local, l.add(source, k)), all, to, local,
                     l.add(target, k));
    });
  }

  SortLoops &l;
  OpBuilder &builder;
  Location loc;
  OpFoldResult merges;
  Value local, zero, one, run;
  /// The half that runs are sorted into: the last merge then ends in the first.
  Value start;
};

} // namespace

/// Sorts the rows from `first` up to `end`, of numbers by their digits where
/// they are many enough.
static SmallVector<Value> sortRows(SortLoops &loops,
                                   std::optional<NumberOrder> order,
                                   OpFoldResult merges, Value first, Value end,
                                   ValueRange outputs) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  int64_t shortest = order ? getShortestByDigits(loops.sort, *order) : 0;
  std::optional<int64_t> known = getConstantIntValue(loops.size);
  return loops.loop(
      first, end, loops.one, outputs, [&](Value row, ValueRange carried) {
        Value local = loops.subtract(row, first);
        auto merge = [&] {
          return MergeLoops(loops, merges, local).emit(row, carried);
        };
        auto sort = [&] {
          return sortByDigits(loops, *order, row, local, carried);
        };
        if (!order || known)
          return order && *known >= shortest ? sort() : merge();
        Value isLong =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                  loops.size, loops.index(shortest));
        return loops.choose(isLong, sort, merge);
      });
}

namespace {

/// Rows in one dispatch each, after the dim has been made the last one.
struct LowerSort : LowerableOpInterface::ExternalModel<LowerSort, SortOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto sort = cast<SortOp>(op);
    Location loc = op->getLoc();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, sort.getResult(0));

    int64_t rank = sizes.size(), dim = sort.getDim();
    // One element is in order.
    if (getConstantIntValue(sizes[dim]) == 1)
      return llvm::map_to_vector(
          llvm::zip_equal(sort.getInputs(), sort.getResults()),
          [&](auto pair) -> Value {
            auto [input, result] = pair;
            return castTo(rewriter, loc, result.getType(), input);
          });
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq(rank)), back = order;
    if (llvm::any_of(
            ArrayRef(sizes).drop_front(dim + 1),
            [](OpFoldResult size) { return getConstantIntValue(size) != 1; })) {
      std::rotate(order.begin() + dim, order.begin() + dim + 1, order.end());
      std::rotate(back.begin() + dim, back.end() - 1, back.end());
      dim = rank - 1;
    }
    sizes = applyPermutation(sizes, order);

    Along view(rewriter, loc, sizes, dim);
    SmallVector<Value> inputs =
        llvm::map_to_vector(sort.getInputs(), [&](Value input) {
          return view.merge(rewriter, loc,
                            permute(rewriter, loc, input, order));
        });
    Value size = getValueOrCreateConstantIndexOp(rewriter, loc, view.along);
    if (std::optional<int64_t> count = getFirstCount(sort);
        count && context.usesVectors())
      return lowerFirst(sort, *count, view, inputs, size, sizes, dim, back,
                        rewriter, context);
    std::optional<NumberOrder> numbers;
    if (context.usesVectors())
      numbers = getNumberOrder(sort);
    OpFoldResult merges = countMerges(rewriter, loc, view.along);
    bool hasHalves = !isZeroInteger(merges);
    SmallVector<OpFoldResult> rows = view.getSizes(), halves = rows;
    if (hasHalves)
      halves.insert(halves.begin(), rewriter.getIndexAttr(2));
    std::optional<int64_t> rowDim;
    if (view.hasOuter)
      rowDim = hasHalves ? 1 : 0;
    SmallVector<RowsOutput> outputs =
        llvm::map_to_vector(inputs, [&](Value input) {
          Type stored =
              getStoredType(context, getElementTypeOrSelf(input.getType()));
          return RowsOutput{getTensorType(halves, stored), halves};
        });
    SmallVector<Value> results = emitRows(
        rewriter, loc, context, outputs, rowDim,
        [&](OpBuilder &inside, Location loc, Value first, Value end,
            ValueRange parts) {
          SortLoops loops(inside, loc, sort, view, inputs, size, hasHalves);
          return sortRows(loops, numbers, merges, first, end, parts);
        });

    for (auto [result, value] : llvm::zip_equal(sort.getResults(), results)) {
      auto type = cast<RankedTensorType>(result.getType());
      if (hasHalves)
        value = getFirstHalf(rewriter, loc, context, value, rows);
      value = convertStored(rewriter, loc, value, type.getElementType());
      RankedTensorType moved = getTensorType(sizes, type.getElementType());
      value = view.split(rewriter, loc, context.getTarget(), value, moved);
      value = castTo(rewriter, loc, type, permute(rewriter, loc, value, back));
    }
    return results;
  }

  /// The first `count` elements along `dim` in tensors of `sizes`, whose others
  /// nobody reads. `back` is the order of dims of the results.
  static LoweringResult lowerFirst(SortOp sort, int64_t count,
                                   const Along &view, ArrayRef<Value> inputs,
                                   Value size, ArrayRef<OpFoldResult> sizes,
                                   int64_t dim, ArrayRef<int64_t> back,
                                   RewriterBase &rewriter,
                                   LoweringContext &context) {
    Location loc = sort.getLoc();
    SmallVector<bool> areCounters = getCounters(sort);
    // Where there is room for one alone IREE 3.13 takes the loop apart in a
    // wrong order.
    int64_t kept = std::max<int64_t>(count, 2);
    SmallVector<OpFoldResult> few(sizes);
    few[dim] = rewriter.getIndexAttr(kept);
    Along part(rewriter, loc, few, dim);
    SmallVector<RowsOutput> outputs =
        llvm::map_to_vector(inputs, [&](Value input) {
          Type stored =
              getStoredType(context, getElementTypeOrSelf(input.getType()));
          return RowsOutput{getTensorType(part.getSizes(), stored),
                            part.getSizes()};
        });
    std::optional<int64_t> rowDim;
    if (view.hasOuter)
      rowDim = 0;
    SmallVector<Value> results = emitRows(
        rewriter, loc, context, outputs, rowDim,
        [&](OpBuilder &inside, Location loc, Value first, Value end,
            ValueRange parts) {
          SortLoops loops(inside, loc, sort, view, inputs, size,
                          /*hasHalves=*/false);
          return loops.loop(
              first, end, loops.one, parts, [&](Value row, ValueRange carried) {
                return sortFirst(loops, count, areCounters, row,
                                 loops.subtract(row, first), carried);
              });
        });
    for (auto [result, value] : llvm::zip_equal(sort.getResults(), results)) {
      auto type = cast<RankedTensorType>(result.getType());
      Type element = type.getElementType();
      value = convertStored(rewriter, loc, value, element);
      value = part.split(rewriter, loc, context.getTarget(), value,
                         getTensorType(few, element));
      value = permute(rewriter, loc, value, back);
      SmallVector<OpFoldResult> box =
          tensor::getMixedSizes(rewriter, loc, value);
      box[sort.getDim()] = rewriter.getIndexAttr(count);
      SmallVector<OpFoldResult> begins(box.size(), rewriter.getIndexAttr(0));
      SmallVector<OpFoldResult> steps(box.size(), rewriter.getIndexAttr(1));
      if (kept != count)
        value = tensor::ExtractSliceOp::create(rewriter, loc, value, begins,
                                               box, steps);
      Value all = tensor::EmptyOp::create(
          rewriter, loc, applyPermutation(sizes, back), element);
      value = castTo(rewriter, loc, type,
                     tensor::InsertSliceOp::create(rewriter, loc, value, all,
                                                   begins, box, steps));
    }
    return results;
  }

  static Value getFirstHalf(OpBuilder &builder, Location loc,
                            LoweringContext &context, Value halves,
                            ArrayRef<OpFoldResult> rows) {
    Type element = getElementTypeOrSelf(halves);
    RankedTensorType type = getTensorType(rows, element);
    OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    int64_t rank = rows.size();
    if (context.getTarget() != LoweringTarget::IREE) {
      SmallVector<OpFoldResult> offsets(rank + 1, zero);
      SmallVector<OpFoldResult> strides(rank + 1, one), sizes(rows);
      sizes.insert(sizes.begin(), one);
      return tensor::ExtractSliceOp::create(builder, loc, type, halves, offsets,
                                            sizes, strides);
    }
    // IREE 3.13 takes a slice along the only dim for part of a buffer, and of
    // several dynamic dims makes a slow copy.
    auto line = llvm::to_vector<2>(llvm::seq<int64_t>(rank + 1));
    Value flat = tensor::CollapseShapeOp::create(builder, loc, halves,
                                                 ReassociationIndices(line));
    OpFoldResult count = multiply(builder, loc, rows);
    Value first = tensor::ExtractSliceOp::create(
        builder, loc, getTensorType(count, element), flat, zero, count, one);
    if (rank == 1)
      return first;
    line.pop_back();
    return tensor::ExpandShapeOp::create(builder, loc, type, first,
                                         ReassociationIndices(line), rows);
  }

  static Value permute(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<int64_t> order) {
    if (isIdentityPermutation(order))
      return tensor;
    SmallVector<OpFoldResult> sizes =
        applyPermutation(tensor::getMixedSizes(builder, loc, tensor), order);
    Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                          getElementTypeOrSelf(tensor));
    return linalg::TransposeOp::create(builder, loc, tensor, empty, order)
        ->getResult(0);
  }
};

} // namespace

void mlir::wax::attachSortLowerings(MLIRContext *context) {
  SortOp::attachInterface<LowerSort>(*context);
}
