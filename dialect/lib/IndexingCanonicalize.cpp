//===- IndexingCanonicalize.cpp - Simpler slices, gathers and iotas -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "StridedBox.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// Whether a slice takes all of an operand's dim; wherever it starts, it is
/// clamped to the dim's begin.
static bool isWhole(SliceOp op, int64_t dim) {
  int64_t size = op.getStaticSizes()[dim];
  if (!ShapedType::isDynamic(size))
    return size == getTensor(op.getOperand()).getDimSize(dim);
  auto dimOp =
      cast<Value>(op.getMixedSizes()[dim]).getDefiningOp<tensor::DimOp>();
  return dimOp && dimOp.getSource() == op.getOperand() &&
         dimOp.getConstantIndex() == dim && op.getStrides()[dim] == 1;
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() &&
      llvm::all_of(llvm::seq(getType().getRank()),
                   [&](int64_t dim) { return isWhole(*this, dim); }))
    return getOperand();
  if (Attribute constant =
          foldToSplat(getType(), getSplatElement(adaptor.getOperand())))
    return constant;

  ConstantElements elements(adaptor.getOperand());
  if (!elements || !getType().hasStaticShape())
    return {};
  SmallVector<int64_t> starts;
  for (auto [dim, mixed] : llvm::enumerate(getMixedOffsets())) {
    std::optional<int64_t> offset = getConstantIntValue(mixed);
    if (!offset)
      return {};
    int64_t last = getTensor(getOperand()).getDimSize(dim) -
                   getSpan(getType().getDimSize(dim), getStrides()[dim]);
    starts.push_back(std::clamp<int64_t>(*offset, 0, last));
  }
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    for (auto [start, i, stride] : llvm::zip(starts, index, getStrides()))
      source.push_back(start + i * stride);
    return elements[source];
  });
}

namespace {
/// Offsets and sizes that are constants become static, and the stride between
/// no two elements is 1. A constant that does not fit stays: an offset is
/// clamped, a size is for the check at run time.
struct StaticSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    SmallVector<int64_t> strides(op.getStrides());
    ArrayRef<int64_t> shape = getTensor(op.getOperand()).getShape();
    bool changed = false;
    auto set = [&](OpFoldResult &mixed, int64_t value) {
      changed |= isa<Value>(mixed);
      mixed = rewriter.getIndexAttr(value);
    };
    for (auto [dim, operandSize] : llvm::enumerate(shape)) {
      int64_t &stride = strides[dim];
      bool known = !ShapedType::isDynamic(operandSize);
      int64_t given = op.getStaticOffsets()[dim];
      int64_t begin = ShapedType::isDynamic(given) ? 0 : given;
      if (auto size = getConstantIntValue(sizes[dim]);
          size && *size >= 0 &&
          (!known || begin + getSpan(*size, stride) <= operandSize))
        set(sizes[dim], *size);
      if (auto size = dyn_cast<Attribute>(sizes[dim]);
          size && stride != 1 && *getConstantIntValue(size) <= 1) {
        stride = 1;
        changed = true;
      }

      auto offset = getConstantIntValue(offsets[dim]);
      if (!offset || isa<Attribute>(offsets[dim]))
        continue;
      auto size = dyn_cast<Attribute>(sizes[dim]);
      if (auto start = clampConstantOffset(
              *offset, size ? *getConstantIntValue(size) : ShapedType::kDynamic,
              stride, operandSize))
        set(offsets[dim], *start);
    }
    if (!changed)
      return failure();
    SmallVector<Value> dynamicOffsets, dynamicSizes;
    SmallVector<int64_t> staticOffsets, staticSizes;
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    rewriter.modifyOpInPlace(op, [&] {
      op.getOffsetsMutable().assign(dynamicOffsets);
      op.getSizesMutable().assign(dynamicSizes);
      op.setStaticOffsets(staticOffsets);
      op.setStaticSizes(staticSizes);
      op.setStrides(strides);
    });
    return success();
  }
};

/// A slice of a slice, both static, is one.
struct ComposeSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<SliceOp>();
    if (!inner || !isStatic(inner) || !isStatic(op))
      return failure();
    SmallVector<int64_t> offsets, strides;
    for (int64_t dim : llvm::seq(op.getType().getRank())) {
      int64_t stride = inner.getStrides()[dim];
      offsets.push_back(inner.getStaticOffsets()[dim] +
                        op.getStaticOffsets()[dim] * stride);
      strides.push_back(op.getStrides()[dim] * stride);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(),
                                         ValueRange(), ValueRange(), offsets,
                                         op.getStaticSizes(), strides);
    return success();
  }

  /// Everything is static, so that there is nothing to check at run time. An
  /// empty slice may start anywhere, and would not stay in range.
  static bool isStatic(SliceOp op) {
    return op.getOffsets().empty() && op.getSizes().empty() &&
           getTensor(op.getOperand()).hasStaticShape() &&
           !llvm::is_contained(op.getStaticSizes(), 0);
  }
};
} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                          MLIRContext *context) {
  results.add<StaticSlice, ComposeSlices>(context);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  if (Attribute constant =
          foldToSplat(getType(), getSplatElement(adaptor.getOperand())))
    return constant;
  ConstantElements elements(adaptor.getOperand());
  SmallVector<ConstantElements> indices;
  for (Attribute index : adaptor.getIndices())
    indices.emplace_back(index);
  if (!elements || !llvm::all_of(indices, [](const ConstantElements &index) {
        return bool(index);
      }))
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    unsigned next = 0;
    for (auto [dim, resultDim] : llvm::enumerate(getOperandDims())) {
      if (resultDim != -1) {
        source.push_back(index[resultDim]);
        continue;
      }
      SmallVector<int64_t> at = llvm::map_to_vector(
          getDimsOfIndex(next), [&](int64_t dim) { return index[dim]; });
      int64_t position =
          cast<IntegerAttr>(indices[next++][at]).getValue().getSExtValue();
      source.push_back(std::clamp<int64_t>(
          position, 0, getTensor(getOperand()).getDimSize(dim) - 1));
    }
    return elements[source];
  });
}

namespace {
/// A gather without indices is a permute.
struct GatherNothing : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices().empty())
      return failure();
    SmallVector<int64_t> permutation(op.getOperandDims().size());
    for (auto [dim, resultDim] : llvm::enumerate(op.getOperandDims()))
      permutation[resultDim] = dim;
    rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getType(), op.getOperand(),
                                           permutation);
    return success();
  }
};
} // namespace

void GatherOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<GatherNothing>(context);
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

namespace {
/// Sizes that are constants become static.
struct StaticIota : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IotaOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape(op.getType().getShape());
    SmallVector<Value> sizes;
    ValueRange given = op.getSizes();
    for (int64_t &size : shape) {
      if (!ShapedType::isDynamic(size))
        continue;
      std::optional<int64_t> constant = getConstantIntValue(given.front());
      if (constant && *constant >= 0)
        size = *constant;
      else
        sizes.push_back(given.front());
      given = given.drop_front();
    }
    if (sizes.size() == op.getSizes().size())
      return failure();
    Value made = IotaOp::create(rewriter, op.getLoc(),
                                op.getType().clone(shape), sizes, op.getDim());
    rewriter.replaceOp(op, rewriter.createOrFold<tensor::CastOp>(
                               op.getLoc(), op.getType(), made));
    return success();
  }
};

/// Counting to one is zero.
struct CountToOne : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IotaOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape() ||
        op.getType().getDimSize(op.getDim()) > 1)
      return failure();
    auto zero = DenseElementsAttr::get(
        op.getType(), rewriter.getZeroAttr(op.getType().getElementType()));
    rewriter.replaceOpWithNewOp<ConstantOp>(op, zero);
    return success();
  }
};
} // namespace

void IotaOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<StaticIota, CountToOne>(context);
}
