//===- Window.cpp - window and fold ---------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

//===----------------------------------------------------------------------===//
// window
//===----------------------------------------------------------------------===//

/// One loop per result dim; the operand is read where the loop over windows
/// and the one over their elements meet. A reduction over the windows takes
/// this read over (FuseExpansions.cpp).
struct LowerWindow
    : LowerableOpInterface::ExternalModel<LowerWindow, WindowOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto window = cast<WindowOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(window.getResult().getType());
    int64_t rank = type.getRank();
    Value empty = createEmptyLike(rewriter, loc, window.getResult(), context);
    int64_t operandRank = rank - window.getDims().size();
    SmallVector<int64_t> number(operandRank, -1);
    for (auto [i, dim] : llvm::enumerate(window.getDims()))
      number[dim] = i;

    // Windows side by side are a dim of their own, which vectorizes better than
    // a product of indices.
    auto operandType = window.getOperand().getType();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, window.getOperand());
    SmallVector<OpFoldResult> counts =
        context.getSizes(rewriter, loc, window.getResult());
    SmallVector<OpFoldResult> readSizes(sizes), splitSizes;
    SmallVector<OpFoldResult> steps(operandRank, rewriter.getIndexAttr(1));
    SmallVector<ReassociationIndices> groups(operandRank);
    SmallVector<AffineExpr> position;
    auto add = [&](int64_t dim, OpFoldResult size, AffineExpr index) {
      groups[dim].push_back(position.size());
      splitSizes.push_back(size);
      position.push_back(index);
    };
    for (int64_t dim = 0; dim < operandRank; ++dim) {
      AffineExpr index = rewriter.getAffineDimExpr(dim);
      if (number[dim] < 0) {
        add(dim, sizes[dim], index);
        continue;
      }
      int64_t i = number[dim], size = window.getSizes()[i];
      int64_t stride = window.getStrides()[i];
      int64_t dilation = window.getDilations()[i];
      AffineExpr within = rewriter.getAffineDimExpr(operandRank + i);
      if (size == stride && dilation == 1 && !operandType.isDynamicDim(dim) &&
          operandType.getDimSize(dim) % size == 0) {
        add(dim, rewriter.getIndexAttr(operandType.getDimSize(dim) / size),
            index);
        add(dim, rewriter.getIndexAttr(size), within);
      } else if (isOneInteger(counts[dim])) {
        // With the loop over the only window upstream drops its term, and then
        // wants what is read to end where the window does.
        readSizes[dim] = rewriter.getIndexAttr(size);
        steps[dim] = rewriter.getIndexAttr(dilation);
        add(dim, readSizes[dim], within);
      } else {
        // So it does with the loop over the only element of each window.
        AffineExpr first = index * stride;
        add(dim, sizes[dim], size == 1 ? first : first + within * dilation);
      }
    }
    Value operand = window.getOperand();
    if (readSizes != sizes) {
      SmallVector<OpFoldResult> starts(operandRank, rewriter.getIndexAttr(0));
      operand = tensor::ExtractSliceOp::create(rewriter, loc, operand, starts,
                                               readSizes, steps);
    }
    if (static_cast<int64_t>(position.size()) != operandRank) {
      RankedTensorType splitType =
          getTensorType(splitSizes, type.getElementType());
      operand =
          castTo(rewriter, loc, getTensorType(readSizes, type.getElementType()),
                 operand);
      operand = tensor::ExpandShapeOp::create(rewriter, loc, splitType, operand,
                                              groups, splitSizes);
    }
    AffineMap maps[] = {
        AffineMap::get(rank, 0, position, rewriter.getContext()),
        rewriter.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, operand, empty, maps, loops,
        [](OpBuilder &body, Location loc, ValueRange scalars) {
          linalg::YieldOp::create(body, loc, scalars.front());
        });
    return SmallVector<Value>(generic.getResults());
  }
};

//===----------------------------------------------------------------------===//
// fold
//===----------------------------------------------------------------------===//

/// One loop per result dim, and one per window dim that runs through the
/// elements of windows from the last to the first: so those that meet in a
/// position come in the order of their windows. The body reads the element that
/// a window has there, where there is such a window.
struct LowerFold : LowerableOpInterface::ExternalModel<LowerFold, FoldOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto fold = cast<FoldOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(fold.getResult().getType());
    int64_t rank = type.getRank(), windowed = fold.getDims().size();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, fold.getResult());
    SmallVector<OpFoldResult> operandSizes =
        context.getSizes(rewriter, loc, fold.getOperand());
    Value start =
        castTo(rewriter, loc, type,
               createFilled(rewriter, loc, type, sizes, fold.getInit()));
    if (isKnownEmpty(operandSizes))
      return SmallVector<Value>{start};

    auto getValue = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, size);
    };
    SmallVector<OpFoldResult> extents =
        getExtents(rewriter, loc, fold, operandSizes);
    Value shape =
        tensor::EmptyOp::create(rewriter, loc, extents, rewriter.getI8Type());
    SmallVector<int64_t> windowLoops =
        llvm::to_vector(llvm::seq<int64_t>(rank, rank + windowed));
    SmallVector<int64_t> resultLoops = llvm::to_vector(llvm::seq(rank));
    AffineMap maps[] = {
        getSelectionMap(op->getContext(), rank + windowed, windowLoops),
        getSelectionMap(op->getContext(), rank + windowed, resultLoops)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    loops.append(windowed, utils::IteratorType::reduction);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    SmallVector<Value> lasts, counts;
    for (auto [i, dim] : llvm::enumerate(fold.getDims())) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      lasts.push_back(arith::SubIOp::create(
          rewriter, loc, getValue(operandSizes[rank + i]), one));
      counts.push_back(getValue(operandSizes[dim]));
    }

    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, shape, start, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          SmallVector<Value> position;
          for (int64_t dim = 0; dim < rank; ++dim)
            position.push_back(linalg::IndexOp::create(body, loc, dim));
          Value isThere;
          for (auto [i, dim, stride, dilation] : llvm::enumerate(
                   fold.getDims(), fold.getStrides(), fold.getDilations())) {
            Value turn = linalg::IndexOp::create(body, loc, rank + i);
            Value element = arith::SubIOp::create(body, loc, lasts[i], turn);
            auto [window, isWindow] =
                findWindow(body, loc, position[dim], element, counts[i], zero,
                           stride, dilation);
            isThere = isThere
                          ? arith::AndIOp::create(body, loc, isThere, isWindow)
                          : isWindow;
            position[dim] = window;
            position.push_back(element);
          }
          Value element =
              tensor::ExtractOp::create(body, loc, fold.getOperand(), position);
          Value accumulator = scalars.back();
          Value next =
              emitKernel(body, fold.getFold(), {element, accumulator}).front();
          if (!fold.hasCombine())
            next = keepInOrder(body, next, accumulator);
          if (isThere)
            next =
                arith::SelectOp::create(body, loc, isThere, next, accumulator);
          linalg::YieldOp::create(body, loc, next);
        });
    return SmallVector<Value>(generic.getResults());
  }

  /// The windows' sizes: zero where the operand may have no element that could
  /// be read, even in vain.
  static SmallVector<OpFoldResult>
  getExtents(RewriterBase &rewriter, Location loc, FoldOp fold,
             ArrayRef<OpFoldResult> operandSizes) {
    int64_t rank = fold.getType().getRank();
    Value isEmpty;
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    for (int64_t dim : fold.getDims()) {
      auto windows = dyn_cast<Value>(operandSizes[dim]);
      if (!windows)
        continue;
      Value none = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, windows, zero);
      isEmpty =
          isEmpty
              ? arith::OrIOp::create(rewriter, loc, isEmpty, none).getResult()
              : none;
    }
    SmallVector<OpFoldResult> extents(operandSizes.drop_front(rank));
    if (!isEmpty)
      return extents;
    for (OpFoldResult &extent : extents) {
      Value size = getValueOrCreateConstantIndexOp(rewriter, loc, extent);
      extent = arith::SelectOp::create(rewriter, loc, isEmpty, zero, size)
                   .getResult();
    }
    return extents;
  }

  /// The window along a dim that has `element` at `position`, and whether there
  /// is one; else some window.
  static std::pair<Value, Value> findWindow(OpBuilder &body, Location loc,
                                            Value position, Value element,
                                            Value count, Value zero,
                                            int64_t stride, int64_t dilation) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(body, loc, value);
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                       Value rhs) -> Value {
      return arith::CmpIOp::create(body, loc, predicate, lhs, rhs);
    };
    Value offset = element;
    if (dilation != 1)
      offset = arith::MulIOp::create(body, loc, element, constant(dilation));
    Value begin = arith::SubIOp::create(body, loc, position, offset);
    Value isWindow = compare(arith::CmpIPredicate::sge, begin, zero);
    Value window = begin;
    if (stride != 1) {
      // Of what is negative, any quotient will do.
      Value steps = constant(stride);
      window = arith::DivSIOp::create(body, loc, begin, steps);
      Value whole = arith::MulIOp::create(body, loc, window, steps);
      Value isBegin = compare(arith::CmpIPredicate::eq, whole, begin);
      isWindow = arith::AndIOp::create(body, loc, isWindow, isBegin);
    }
    Value isInside = compare(arith::CmpIPredicate::slt, window, count);
    isWindow = arith::AndIOp::create(body, loc, isWindow, isInside);
    return {arith::SelectOp::create(body, loc, isWindow, window, zero),
            isWindow};
  }
};

} // namespace

void mlir::wax::attachWindowLowerings(MLIRContext *context) {
  WindowOp::attachInterface<LowerWindow>(*context);
  FoldOp::attachInterface<LowerFold>(*context);
}
