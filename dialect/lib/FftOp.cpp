//===- FftOp.cpp - fft ----------------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

static LogicalResult checkDims(FftOp::Adaptor op, const SizeSources &sizes,
                               Fault fault) {
  RankedTensorType type = getTensor(op.getOperand());
  if (op.getDims().empty())
    return fault("fft_c1", "no dims are listed");
  llvm::SmallBitVector seen(type.getRank());
  for (int64_t dim : op.getDims()) {
    if (failed(checkDim(dim, type.getRank(), "fft_c1", "operand's", fault)))
      return failure();
    if (seen.test(dim))
      return fault("fft_c1", "dim ", dim, " is listed twice");
    seen.set(dim);
    int64_t size = getStaticSize(sizes.dim(op.getOperand(), dim));
    if (ShapedType::isDynamic(size))
      return fault("fft_c3", "dim ", dim, " of ", type,
                   " is transformed, so its size must be static");
    if (size > std::numeric_limits<int32_t>::max())
      return fault("fft_c3", "dim ", dim, " has size ", size,
                   ", but must be below 2^31");
  }
  return success();
}

static FailureOr<ShapeRelation> relate(FftOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (failed(checkDims(op, sizes, fault)))
    return failure();
  RankedTensorType type = getTensor(op.getOperand());
  bool isReal = !isa<ComplexType>(type.getElementType());
  SmallVector<AffineExpr> dims;
  for (int64_t dim : llvm::seq(type.getRank()))
    dims.push_back(sizes.dim(op.getOperand(), dim));
  int64_t last = op.getDims().back(), size = getStaticSize(dims[last]);
  if (std::optional<uint64_t> attribute = op.getLength()) {
    int64_t length = *attribute;
    if (isReal)
      return fault("fft_c2", "a real result of length ", length,
                   " is made of complex elements, not of ",
                   type.getElementType());
    if (length < 0)
      return fault("fft_c2", "length ", length, " is negative");
    if (length > std::numeric_limits<int32_t>::max())
      return fault("fft_c3", "length ", length, " must be below 2^31");
    if (size != length / 2 + 1)
      return fault("fft_c4", "length ", length, " takes ", length / 2 + 1,
                   " elements along dim ", last, ", but there are ", size);
    dims[last] = sizes.constant(length);
  } else if (isReal) {
    dims[last] = sizes.constant(size / 2 + 1);
  }
  RelationBuilder builder(sizes, fault);
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(FftOp)

LogicalResult FftOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> location,
                                      Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()),
             Fault(location, getOperationName()));
  if (failed(relation))
    return failure();
  Type element = getElement(op.getOperand());
  if (!isa<ComplexType>(element))
    element = ComplexType::get(element);
  else if (op.getLength())
    element = cast<ComplexType>(element).getElementType();
  types.push_back(getTensorType(relation->results.front(), element));
  return success();
}

//===----------------------------------------------------------------------===//
// Simpler transforms
//===----------------------------------------------------------------------===//

/// Whether the transform along the dim at this place of the list changes
/// nothing: it sums one complex element.
static bool isIdentityAlong(FftOp op, size_t place) {
  bool isLast = place + 1 == op.getDims().size();
  if (isLast && (op.hasRealOperand() || op.hasRealResult()))
    return false;
  return getTensor(op.getOperand()).getDimSize(op.getDims()[place]) == 1;
}

OpFoldResult FftOp::fold(FoldAdaptor) {
  for (size_t place : llvm::seq(getDims().size()))
    if (!isIdentityAlong(*this, place))
      return {};
  return getOperand().getType() == getType() ? getOperand() : Value();
}

namespace {
/// Dims of size 1 need no transform.
struct DropUnitDims : OpRewritePattern<FftOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FftOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> dims;
    for (auto [place, dim] : llvm::enumerate(op.getDims()))
      if (!isIdentityAlong(op, place))
        dims.push_back(dim);
    if (dims.empty() || dims.size() == op.getDims().size())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setDims(dims); });
    return success();
  }
};

/// A transform along some dims of a transform along others, in one direction,
/// is one transform along all of them. A real operand is transformed first, a
/// real result is made last, so at most one of the two has a half dim.
struct JoinTransforms : OpRewritePattern<FftOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FftOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<FftOp>();
    if (!inner || !inner->hasOneUse() ||
        inner.getInverse() != op.getInverse() ||
        (inner.hasRealOperand() && op.hasRealResult()) || inner.hasRealResult())
      return failure();
    if (llvm::any_of(op.getDims(), [&](int64_t dim) {
          return llvm::is_contained(inner.getDims(), dim);
        }))
      return failure();
    FftOp first = inner.hasRealOperand() ? op : inner;
    FftOp last = inner.hasRealOperand() ? inner : op;
    SmallVector<int64_t> dims(first.getDims());
    llvm::append_range(dims, last.getDims());
    rewriter.replaceOpWithNewOp<FftOp>(op, op.getType(), inner.getOperand(),
                                       rewriter.getDenseI64ArrayAttr(dims),
                                       op.getLengthAttr(), op.getInverseAttr());
    return success();
  }
};
} // namespace

void FftOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                        MLIRContext *context) {
  results.add<DropUnitDims, JoinTransforms>(context);
}
