//===- LayoutCanonicalize.cpp - Simpler permutes, pads and concats --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "SizeRule.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// permute
//===----------------------------------------------------------------------===//

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())) &&
      getOperand().getType() == getType())
    return getOperand();
  if (Attribute constant =
          foldToSplat(getType(), getSplatElement(adaptor.getOperand())))
    return constant;
  ConstantElements elements(adaptor.getOperand());
  if (!elements)
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index.size());
    for (auto [dim, i] : llvm::zip(permutation, index))
      source[dim] = i;
    return elements[source];
  });
}

namespace {
struct ComposePermutes : OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PermuteOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<PermuteOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> permutation =
        llvm::map_to_vector(op.getPermutation(), [&](int64_t dim) {
          return inner.getPermutation()[dim];
        });
    rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getType(), inner.getOperand(),
                                           permutation);
    return success();
  }
};
} // namespace

void PermuteOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ComposePermutes>(context);
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  auto isZero = [](int64_t value) { return value == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero) &&
      llvm::all_of(getInterior(), isZero) &&
      getOperand().getType() == getType())
    return getOperand();
  Attribute value = getSplatElement(adaptor.getValue());
  if (!value)
    return {};
  bool isEmpty = llvm::is_contained(getTensor(getOperand()).getShape(), 0);
  if (isEmpty || value == getSplatElement(adaptor.getOperand()))
    return foldToSplat(getType(), value);
  ConstantElements elements(adaptor.getOperand());
  if (!elements)
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    for (auto [dim, i] : llvm::enumerate(index)) {
      int64_t position = i - getLow()[dim], step = getInterior()[dim] + 1;
      if (position < 0 || position % step != 0 ||
          position / step >= getTensor(getOperand()).getDimSize(dim))
        return value;
      source.push_back(position / step);
    }
    return elements[source];
  });
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  Attribute splat = getSplatElement(adaptor.getInputs().front());
  if (splat && llvm::all_of(adaptor.getInputs(), [&](Attribute input) {
        return getSplatElement(input) == splat;
      }))
    return foldToSplat(getType(), splat);
  if (!llvm::all_of(adaptor.getInputs(), [](Attribute input) {
        return bool(ConstantElements(input));
      }))
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index);
    int64_t &position = source[getDim()];
    unsigned k = 0;
    for (Value input : getInputs()) {
      int64_t size = getTensor(input).getDimSize(getDim());
      if (position < size)
        break;
      position -= size;
      ++k;
    }
    return ConstantElements(adaptor.getInputs()[k])[source];
  });
}

namespace {
/// An operand that is a concat along the same dim gives its own operands.
struct FlattenConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatOp>();
      if (inner && inner.getDim() == op.getDim())
        llvm::append_range(inputs, inner.getInputs());
      else
        inputs.push_back(input);
    }
    if (inputs.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), inputs,
                                          op.getDim());
    return success();
  }
};

/// Operands with nothing along the dim go, where all other sizes are static:
/// elsewhere they must still be compared.
struct DropEmpty : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> kept;
    for (Value input : op.getInputs()) {
      RankedTensorType type = getTensor(input);
      for (int64_t dim : llvm::seq(type.getRank()))
        if (dim != static_cast<int64_t>(op.getDim()) && type.isDynamicDim(dim))
          return failure();
      if (type.getDimSize(op.getDim()) != 0)
        kept.push_back(input);
    }
    if (kept.empty() || kept.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), kept, op.getDim());
    return success();
  }
};
} // namespace

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<FlattenConcat, DropEmpty>(context);
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  bool isUnchanged = llvm::all_of(getDims(), [&](int64_t dim) {
    int64_t size = getTensor(getOperand()).getDimSize(dim);
    return size == 0 || size == 1;
  });
  if (isUnchanged && getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReverseOp>();
      inner && inner.getDims() == getDims() &&
      inner.getOperand().getType() == getType())
    return inner.getOperand();
  if (Attribute constant =
          foldToSplat(getType(), getSplatElement(adaptor.getOperand())))
    return constant;
  ConstantElements elements(adaptor.getOperand());
  if (!elements)
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index);
    for (int64_t dim : getDims())
      source[dim] = getTensor(getOperand()).getDimSize(dim) - 1 - index[dim];
    return elements[source];
  });
}

namespace {
/// Turned around twice, a dim is as it was; a dim of one element always is.
struct ComposeReverses : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReverseOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReverseOp>();
    Value operand = inner ? inner.getOperand() : op.getOperand();
    SmallVector<int64_t> dims;
    for (int64_t dim : llvm::seq(op.getType().getRank())) {
      bool isTurned = llvm::is_contained(op.getDims(), dim) !=
                      (inner && llvm::is_contained(inner.getDims(), dim));
      if (isTurned && getTensor(operand).getDimSize(dim) != 1)
        dims.push_back(dim);
    }
    if (!inner && dims.size() == op.getDims().size())
      return failure();
    rewriter.replaceOpWithNewOp<ReverseOp>(op, op.getType(), operand, dims);
    return success();
  }
};
} // namespace

void ReverseOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ComposeReverses>(context);
}
