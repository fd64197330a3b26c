//===- UpdateCanonicalize.cpp - Simpler inserts and scatters --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "StridedBox.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

/// Nothing about the operation's sizes has to be checked when the program runs.
static bool isChecked(Operation *op) {
  FailureOr<ShapeRelation> relation =
      cast<ShapeRelationOpInterface>(op).getShapeRelation();
  return succeeded(relation) && relation->constraints.empty();
}

//===----------------------------------------------------------------------===//
// insert
//===----------------------------------------------------------------------===//

/// Whether both start at the same element, and step alike.
template <typename BoxOp> static bool isSameBox(InsertOp insert, BoxOp other) {
  return insert.getMixedOffsets() == other.getMixedOffsets() &&
         insert.getStrides() == other.getStrides();
}

OpFoldResult InsertOp::fold(FoldAdaptor adaptor) {
  if (!isChecked(*this))
    return {};
  RankedTensorType operand = getTensor(getOperand());
  RankedTensorType update = getTensor(getUpdate());
  if (llvm::is_contained(update.getShape(), 0) &&
      getOperand().getType() == getType())
    return getOperand();
  // An update of the operand's static size replaces all of it, wherever it is
  // put, since its place is clamped.
  if (update.hasStaticShape() && update == getType() && update == operand)
    return getUpdate();
  if (auto slice = getUpdate().getDefiningOp<SliceOp>();
      slice && slice.getOperand() == getOperand() && isSameBox(*this, slice) &&
      getOperand().getType() == getType())
    return getOperand();

  Attribute splat = getSplatElement(adaptor.getOperand());
  if (splat && splat == getSplatElement(adaptor.getUpdate()))
    return foldToSplat(getType(), splat);
  ConstantElements from(adaptor.getOperand()), into(adaptor.getUpdate());
  if (!from || !into || !getOffsets().empty())
    return {};
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    for (auto [i, offset, stride, size] :
         llvm::zip(index, getStaticOffsets(), getStrides(), update.getShape()))
      if (i >= offset && (i - offset) % stride == 0 &&
          (i - offset) / stride < size)
        source.push_back((i - offset) / stride);
    bool isInside = static_cast<int64_t>(source.size()) == operand.getRank();
    return isInside ? into[source] : from[index];
  });
}

namespace {
/// Offsets that are constants become static; those that are clamped where the
/// sizes are not known stay.
struct StaticInsert : OpRewritePattern<InsertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InsertOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    bool changed = false;
    for (auto [dim, mixed] : llvm::enumerate(offsets)) {
      auto offset = getConstantIntValue(mixed);
      if (!offset || isa<Attribute>(mixed))
        continue;
      auto start = clampConstantOffset(
          *offset, getTensor(op.getUpdate()).getDimSize(dim),
          op.getStrides()[dim], getTensor(op.getOperand()).getDimSize(dim));
      if (!start)
        continue;
      mixed = rewriter.getIndexAttr(*start);
      changed = true;
    }
    if (!changed)
      return failure();
    SmallVector<Value> dynamicOffsets;
    SmallVector<int64_t> staticOffsets;
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    rewriter.modifyOpInPlace(op, [&] {
      op.getOffsetsMutable().assign(dynamicOffsets);
      op.setStaticOffsets(staticOffsets);
    });
    return success();
  }
};

/// What is replaced at once by another box of the same size is not written.
struct ReplaceTwice : OpRewritePattern<InsertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InsertOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<InsertOp>();
    if (!inner || !isSameBox(op, inner) || !isChecked(inner) ||
        !getTensor(op.getUpdate()).hasStaticShape() ||
        op.getUpdate().getType() != inner.getUpdate().getType() ||
        inner.getOperand().getType() != inner.getType())
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op.getOperandMutable().assign(inner.getOperand()); });
    return success();
  }
};

/// A slice of what an insert has just put there.
struct SliceInserted : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto insert = op.getOperand().getDefiningOp<InsertOp>();
    if (!insert || !isSameBox(insert, op) || !isChecked(insert) ||
        !getTensor(insert.getUpdate()).hasStaticShape() ||
        insert.getUpdate().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, insert.getUpdate());
    return success();
  }
};
} // namespace

void InsertOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<StaticInsert, ReplaceTwice, SliceInserted>(context);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

namespace {
/// Without updates everything stays as it is.
struct ScatterNothing : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getTensor(op.getUpdates().front()).getShape();
    if (!llvm::is_contained(shape, 0) || !isChecked(op) ||
        op.getInits().getTypes() != op.getResultTypes())
      return failure();
    rewriter.replaceOp(op, op.getInits());
    return success();
  }
};

/// Without indices each element is updated once: that is a broadcast.
struct ScatterEverywhere : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices().empty())
      return failure();
    SmallVector<int64_t> operandDimOf(op.getOperandDims().size());
    for (auto [dim, loop] : llvm::enumerate(op.getOperandDims()))
      operandDimOf[loop] = dim;
    SmallVector<Attribute> dims(op.getUpdates().size(),
                                rewriter.getDenseI64ArrayAttr(operandDimOf));
    dims.append(op.getInits().size(),
                rewriter.getDenseI64ArrayAttr(llvm::to_vector(
                    llvm::seq<int64_t>(0, operandDimOf.size()))));
    SmallVector<Value> replacements;
    for (auto [i, result] : llvm::enumerate(op.getOutputs())) {
      auto broadcast = BroadcastOp::create(
          rewriter, op.getLoc(), result.getType(), op.getOperands(),
          /*sizes=*/ValueRange(), rewriter.getArrayAttr(dims),
          rewriter.getDenseI64ArrayAttr({}));
      rewriter.cloneRegionBefore(op.getFold(), broadcast.getKernel(),
                                 broadcast.getKernel().end());
      Operation *yield = broadcast.getKernel().front().getTerminator();
      rewriter.modifyOpInPlace(
          yield, [&] { yield->setOperands(yield->getOperand(i)); });
      replacements.push_back(broadcast);
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};
} // namespace

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ScatterNothing, ScatterEverywhere>(context);
}
