//===- Scan.cpp - all prefixes of a fold ----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Along.h"
#include "Dispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Emits the loops of one scan over operands of outer × along × inner, for the
/// rows of one workgroup: outer ones, or inner ones where there is no outer
/// dim.
class ScanLoops {
public:
  ScanLoops(OpBuilder &builder, Location loc, ScanOp scan, const Along &view,
            ArrayRef<Value> inputs, Value first, Value end)
      : builder(builder), loc(loc), scan(scan), view(view), inputs(inputs),
        first(first), zero(index(0)), one(index(1)),
        size(getValueOrCreateConstantIndexOp(builder, loc, view.along)),
        outer(zero, one), inner(zero, one) {
    if (view.hasInner)
      inner.second = getValueOrCreateConstantIndexOp(builder, loc, view.inner);
    if (view.hasOuter)
      outer = {first, end};
    else if (view.hasInner)
      inner = {first, end};
    for (Value init : scan.getInits())
      inits.push_back(tensor::ExtractOp::create(builder, loc, init));
  }

  SmallVector<Value> emit(ValueRange outputs) {
    return loop(outer.first, outer.second, outputs,
                [&](Value row, ValueRange carried) {
                  return view.hasInner ? emitPlane(row, carried)
                                       : emitLine(row, carried);
                });
  }

private:
  struct Position {
    Value outer, along, inner;
  };

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  template <typename Body>
  SmallVector<Value> loop(Value from, Value to, ValueRange values, Body body) {
    return emitLoop(builder, loc, from, to, one, values,
                    [&](OpBuilder &inside, Location, Value i, ValueRange all) {
                      OpBuilder::InsertionGuard guard(builder);
                      builder.restoreInsertionPoint(
                          inside.saveInsertionPoint());
                      return body(i, all);
                    });
  }

  /// Where the element of turn `turn` is along the dim.
  Value getPosition(Value turn) {
    if (!scan.getReverse())
      return turn;
    Value last = arith::SubIOp::create(builder, loc, size, one);
    return arith::SubIOp::create(builder, loc, last, turn);
  }

  SmallVector<Value> read(ValueRange tensors, Position at, ValueRange likes) {
    return readElements(builder, loc, tensors,
                        view.select(at.outer, at.along, at.inner),
                        getElementTypes(likes));
  }

  /// A position in the outputs, which have the workgroup's rows only.
  Position getLocal(Position at) {
    if (Value *row = view.hasOuter   ? &at.outer
                     : view.hasInner ? &at.inner
                                     : nullptr)
      *row = arith::SubIOp::create(builder, loc, *row, first);
    return at;
  }

  SmallVector<Value> write(ValueRange values, ValueRange outputs, Position at) {
    at = getLocal(at);
    return writeElements(builder, loc, values, outputs,
                         view.select(at.outer, at.along, at.inner));
  }

  SmallVector<Value> fold(Position at, ValueRange accumulators) {
    SmallVector<Value> arguments = read(inputs, at, scan.getInputs());
    llvm::append_range(arguments, accumulators);
    return emitKernel(builder, scan.getFold(), arguments);
  }

  /// Along the last dim the accumulators stay in registers.
  SmallVector<Value> emitLine(Value row, ValueRange outputs) {
    size_t count = outputs.size();
    SmallVector<Value> carried(outputs);
    llvm::append_range(carried, inits);
    carried = loop(zero, size, carried, [&](Value turn, ValueRange all) {
      Position at = {row, getPosition(turn), zero};
      ValueRange accumulators = all.drop_front(count);
      SmallVector<Value> next = fold(at, accumulators);
      ValueRange seen = scan.getExclusive() ? accumulators : ValueRange(next);
      SmallVector<Value> result = write(seen, all.take_front(count), at);
      llvm::append_range(result, next);
      return result;
    });
    carried.truncate(count);
    return carried;
  }

  /// Along any other dim all elements of a turn are folded before the next
  /// turn, so that memory is read in its order; the accumulators are what the
  /// turn before has written.
  SmallVector<Value> emitPlane(Value row, ValueRange outputs) {
    Value firstEnd = arith::MinUIOp::create(builder, loc, size, one);
    auto forEach = [&](Value turn, ValueRange all, auto getValues) {
      Value along = getPosition(turn);
      return loop(inner.first, inner.second, all,
                  [&](Value column, ValueRange some) {
                    Position at = {row, along, column};
                    return write(getValues(at, some), some, at);
                  });
    };
    SmallVector<Value> started =
        loop(zero, firstEnd, outputs, [&](Value turn, ValueRange all) {
          return forEach(turn, all, [&](Position at, ValueRange) {
            return scan.getExclusive() ? inits : fold(at, inits);
          });
        });
    return loop(one, size, started, [&](Value turn, ValueRange all) {
      Value before =
          getPosition(arith::SubIOp::create(builder, loc, turn, one));
      return forEach(turn, all, [&](Position at, ValueRange some) {
        Position previous = {at.outer, before, at.inner};
        SmallVector<Value> accumulators =
            read(some, getLocal(previous), scan.getResults());
        return fold(scan.getExclusive() ? previous : at, accumulators);
      });
    });
  }

  OpBuilder &builder;
  Location loc;
  ScanOp scan;
  const Along &view;
  ArrayRef<Value> inputs;
  Value first, zero, one, size;
  std::pair<Value, Value> outer, inner;
  SmallVector<Value> inits;
};

/// Loops in one dispatch. What is not along the dim is parallel.
struct LowerScan : LowerableOpInterface::ExternalModel<LowerScan, ScanOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto scan = cast<ScanOp>(op);
    Location loc = op->getLoc();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, scan.getResult(0));

    Along view(rewriter, loc, sizes, scan.getDim());
    SmallVector<Value> inputs =
        llvm::map_to_vector(scan.getInputs(), [&](Value input) {
          return view.merge(rewriter, loc, input);
        });
    SmallVector<RowsOutput> outputs =
        llvm::map_to_vector(scan.getResults(), [&](Value result) {
          SmallVector<OpFoldResult> compact = view.getSizes();
          return RowsOutput{
              getTensorType(compact,
                            getStoredType(context, getElementTypeOrSelf(
                                                       result.getType()))),
              compact};
        });
    std::optional<int64_t> rowDim;
    if (view.hasOuter || view.hasInner)
      rowDim = view.hasOuter ? 0 : 1;
    SmallVector<Value> results =
        emitRows(rewriter, loc, context, outputs, rowDim,
                 [&](OpBuilder &inside, Location loc, Value first, Value end,
                     ValueRange parts) {
                   return ScanLoops(inside, loc, scan, view, inputs, first, end)
                       .emit(parts);
                 });
    for (auto [result, value] : llvm::zip_equal(scan.getResults(), results)) {
      auto type = cast<RankedTensorType>(result.getType());
      value = convertStored(rewriter, loc, value, type.getElementType());
      value = view.split(rewriter, loc, context.getTarget(), value, type);
    }
    return results;
  }
};

} // namespace

void mlir::wax::attachScanLowerings(MLIRContext *context) {
  ScanOp::attachInterface<LowerScan>(*context);
}
