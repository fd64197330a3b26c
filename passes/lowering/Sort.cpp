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
// loop ends by counting, and moves each element once.
//
//===----------------------------------------------------------------------===//

#include "Along.h"
#include "Dispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Emits the loops that sort rows of outer × along into tensors of
/// halves × rows × along, without halves if nothing is merged.
class SortLoops {
public:
  SortLoops(OpBuilder &builder, Location loc, SortOp sort, const Along &view,
            ArrayRef<Value> inputs, Value size, OpFoldResult merges,
            Value first, Value end)
      : builder(builder), loc(loc), sort(sort), view(view), inputs(inputs),
        size(size), merges(merges), first(first), end(end), zero(index(0)),
        one(index(1)), run(index(runSize)) {
    Value count = getValueOrCreateConstantIndexOp(builder, loc, merges);
    start = builder.createOrFold<arith::AndIOp>(loc, count, one);
  }

  SmallVector<Value> emit(ValueRange outputs) {
    return loop(first, end, one, outputs, [&](Value row, ValueRange carried) {
      Value local = arith::SubIOp::create(builder, loc, row, first);
      SmallVector<Value> sorted = emitRuns(row, local, carried);
      if (isZeroInteger(merges))
        return sorted;
      return emitMerges(local, sorted);
    });
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }
  Value subtract(Value lhs, Value rhs) {
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  Value least(Value lhs, Value rhs) {
    return arith::MinUIOp::create(builder, loc, lhs, rhs);
  }
  Value isLess(Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lhs,
                                 rhs);
  }

  template <typename Body>
  SmallVector<Value> loop(Value from, Value to, Value step, ValueRange values,
                          Body body) {
    return emitLoop(builder, loc, from, to, step, values,
                    [&](OpBuilder &inside, Location, Value i, ValueRange all) {
                      OpBuilder::InsertionGuard guard(builder);
                      builder.restoreInsertionPoint(
                          inside.saveInsertionPoint());
                      return body(i, all);
                    });
  }

  /// A loop while `getCondition` holds.
  template <typename Condition, typename Body>
  SmallVector<Value> loopWhile(ValueRange values, Condition getCondition,
                               Body body) {
    auto within = [&](OpBuilder &inside, auto emit) {
      OpBuilder::InsertionGuard guard(builder);
      builder.restoreInsertionPoint(inside.saveInsertionPoint());
      emit();
    };
    auto loop = scf::WhileOp::create(
        builder, loc, values.getTypes(), values,
        [&](OpBuilder &inside, Location loc, ValueRange all) {
          within(inside, [&] {
            scf::ConditionOp::create(builder, loc, getCondition(all), all);
          });
        },
        [&](OpBuilder &inside, Location loc, ValueRange all) {
          within(inside,
                 [&] { scf::YieldOp::create(builder, loc, body(all)); });
        });
    return loop.getResults();
  }

  /// A position in the outputs, which have the workgroup's rows only.
  SmallVector<Value> at(Value half, Value row, Value place) {
    SmallVector<Value> position = view.select(row, place, zero);
    if (!isZeroInteger(merges))
      position.insert(position.begin(), half);
    return position;
  }
  SmallVector<Value> read(ValueRange tensors, ValueRange position) {
    return readElements(builder, loc, tensors, position,
                        getElementTypes(sort.getInputs()));
  }
  SmallVector<Value> write(ValueRange values, ValueRange tensors,
                           ValueRange position) {
    return writeElements(builder, loc, values, tensors, position);
  }

  /// Whether the element `lhs` goes before `rhs`.
  Value compare(ValueRange lhs, ValueRange rhs) {
    SmallVector<Value> arguments;
    for (auto [a, b] : llvm::zip_equal(lhs, rhs))
      arguments.append({a, b});
    return emitKernel(builder, sort.getComparator(), arguments).front();
  }

  /// Sorts the elements of a row in runs, each element moved down past those
  /// that it goes before.
  SmallVector<Value> emitRuns(Value row, Value local, ValueRange outputs) {
    return loop(zero, size, run, outputs, [&](Value base, ValueRange all) {
      Value runEnd = least(add(base, run), size);
      return loop(base, runEnd, one, all, [&](Value i, ValueRange some) {
        SmallVector<Value> element = read(inputs, view.select(row, i, zero));
        SmallVector<Value> carried(some);
        carried.push_back(i);
        carried = loopWhile(
            carried,
            [&](ValueRange now) -> Value {
              // At the run's start something is compared in vain.
              Value place = now.back();
              Value isAbove = isLess(base, place);
              Value before = arith::SelectOp::create(
                  builder, loc, isAbove, subtract(place, one), place);
              Value goesBefore = compare(
                  element, read(now.drop_back(), at(start, local, before)));
              return arith::AndIOp::create(builder, loc, isAbove, goesBefore);
            },
            [&](ValueRange now) {
              Value before = subtract(now.back(), one);
              ValueRange tensors = now.drop_back();
              SmallVector<Value> moved =
                  write(read(tensors, at(start, local, before)), tensors,
                        at(start, local, now.back()));
              moved.push_back(before);
              return moved;
            });
        return write(element, ValueRange(carried).drop_back(),
                     at(start, local, carried.back()));
      });
    });
  }

  SmallVector<Value> emitMerges(Value local, ValueRange outputs) {
    Value count = getValueOrCreateConstantIndexOp(builder, loc, merges);
    return loop(zero, count, one, outputs, [&](Value number, ValueRange all) {
      Value from = arith::AndIOp::create(builder, loc, add(start, number), one);
      Value to = arith::XOrIOp::create(builder, loc, from, one);
      Value width = arith::ShLIOp::create(builder, loc, run, number);
      Value step = arith::ShLIOp::create(builder, loc, width, one);
      return loop(zero, size, step, all, [&](Value base, ValueRange some) {
        Value middle = least(add(base, width), size);
        Value pairEnd = least(add(base, step), size);
        return emitMerge(local, from, to, base, middle, pairEnd, some);
      });
    });
  }

  /// Merges `base … middle` and `middle … pairEnd`. Of elements that are equal
  /// the earlier run's go first.
  SmallVector<Value> emitMerge(Value local, Value from, Value to, Value base,
                               Value middle, Value pairEnd,
                               ValueRange outputs) {
    SmallVector<Value> carried(outputs);
    carried.append({base, middle});
    carried = loopWhile(
        carried,
        [&](ValueRange now) -> Value {
          Value hasLeft = isLess(now[now.size() - 2], middle);
          Value hasRight = isLess(now.back(), pairEnd);
          return arith::AndIOp::create(builder, loc, hasLeft, hasRight);
        },
        [&](ValueRange now) {
          ValueRange tensors = now.drop_back(2);
          Value i = now[now.size() - 2], j = now.back();
          SmallVector<Value> left = read(tensors, at(from, local, i));
          SmallVector<Value> right = read(tensors, at(from, local, j));
          Value takesRight = compare(right, left);
          SmallVector<Value> taken;
          for (auto [l, r] : llvm::zip_equal(left, right))
            taken.push_back(
                arith::SelectOp::create(builder, loc, takesRight, r, l));
          // Not by branches, which could not be foretold.
          Value place = subtract(add(i, j), middle);
          SmallVector<Value> next = write(taken, tensors, at(to, local, place));
          next.push_back(arith::SelectOp::create(builder, loc, takesRight, i,
                                                 add(i, one)));
          next.push_back(arith::SelectOp::create(builder, loc, takesRight,
                                                 add(j, one), j));
          return next;
        });
    // One of the runs is used up; what is left of the other follows.
    ValueRange tensors = ValueRange(carried).drop_back(2);
    Value i = carried[carried.size() - 2], j = carried.back();
    Value leftCount = subtract(middle, i), rightCount = subtract(pairEnd, j);
    Value source =
        arith::SelectOp::create(builder, loc, isLess(i, middle), i, j);
    Value count = add(leftCount, rightCount);
    Value target = subtract(pairEnd, count);
    return loop(zero, count, one, tensors, [&](Value k, ValueRange all) {
      return write(read(all, at(from, local, add(source, k))), all,
                   at(to, local, add(target, k)));
    });
  }

  OpBuilder &builder;
  Location loc;
  SortOp sort;
  const Along &view;
  ArrayRef<Value> inputs;
  Value size;
  OpFoldResult merges;
  Value first, end, zero, one, run;
  /// The half that runs are sorted into: the last merge then ends in the first.
  Value start;
};

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
    Value size = getValueOrCreateConstantIndexOp(rewriter, loc, view.along);
    SmallVector<Value> results =
        emitRows(rewriter, loc, context, outputs, rowDim,
                 [&](OpBuilder &inside, Location loc, Value first, Value end,
                     ValueRange parts) {
                   return SortLoops(inside, loc, sort, view, inputs, size,
                                    merges, first, end)
                       .emit(parts);
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
