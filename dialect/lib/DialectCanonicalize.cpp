//===- DialectCanonicalize.cpp - What simplifies every operation ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

/// A type that knows each size that `lhs` or `rhs` knows; null where they
/// contradict each other.
static RankedTensorType joinTypes(RankedTensorType lhs, RankedTensorType rhs) {
  SmallVector<int64_t> shape(lhs.getShape());
  for (auto [size, other] : llvm::zip(shape, rhs.getShape())) {
    if (ShapedType::isDynamic(size))
      size = other;
    else if (!ShapedType::isDynamic(other) && size != other)
      return nullptr;
  }
  return lhs.clone(shape);
}

namespace {
/// Lets static sizes flow: operands are taken from before a `tensor.cast` that
/// forgets sizes, and results get the sizes that inference finds.
struct RefineTypes : OpInterfaceRewritePattern<ShapeRelationOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ShapeRelationOpInterface relation,
                                PatternRewriter &rewriter) const override {
    Operation *op = relation;
    auto inference = dyn_cast<InferTypeOpInterface>(op);
    if (!inference)
      return failure();
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands)
      if (auto cast = operand.getDefiningOp<tensor::CastOp>();
          cast && tensor::canFoldIntoConsumerOp(cast))
        operand = cast.getSource();

    SmallVector<Type> types;
    if (failed(inference.inferReturnTypes(
            op->getContext(), std::nullopt, operands,
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return failure();
    for (auto [type, result] : llvm::zip(types, op->getResults())) {
      type = joinTypes(cast<RankedTensorType>(type),
                       cast<RankedTensorType>(result.getType()));
      if (!type)
        return failure();
    }

    bool sameOperands = llvm::equal(operands, op->getOperands());
    if (TypeRange(types) == op->getResultTypes()) {
      if (sameOperands)
        return failure();
      rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
      return success();
    }
    Operation *refined = rewriter.clone(*op);
    rewriter.modifyOpInPlace(refined, [&] {
      refined->setOperands(operands);
      for (auto [type, result] : llvm::zip(types, refined->getResults()))
        result.setType(type);
    });
    SmallVector<Value> replacements;
    for (auto [result, old] :
         llvm::zip(refined->getResults(), op->getResults()))
      replacements.push_back(rewriter.createOrFold<tensor::CastOp>(
          op->getLoc(), old.getType(), result));
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// Replaces a dim of a result by what the operation's relation says of it.
struct ResolveDim : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getSource());
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!result || !dim)
      return failure();
    auto relating = dyn_cast<ShapeRelationOpInterface>(result.getOwner());
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!relating || !type || *dim < 0 || *dim >= type.getRank())
      return failure();
    FailureOr<ShapeRelation> relation = relating.getShapeRelation();
    if (failed(relation))
      return failure();
    SizeSources sizes(op.getContext(), result.getOwner()->getOperands());
    OpFoldResult size = materializeSize(
        rewriter, op.getLoc(),
        relation->results[result.getResultNumber()][*dim], sizes);
    rewriter.replaceOp(
        op, getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    return success();
  }
};

/// Comparisons that always or never hold, before upstream comes to them: MLIR
/// 22 crashes where one operand is converted from an integer.
struct FoldCertainComparison : OpRewritePattern<arith::CmpFOp> {
  explicit FoldCertainComparison(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    bool holds = op.getPredicate() == arith::CmpFPredicate::AlwaysTrue;
    if (!holds && op.getPredicate() != arith::CmpFPredicate::AlwaysFalse)
      return failure();
    if (!op.getType().isInteger())
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getBoolAttr(holds));
    return success();
  }
};

/// The angle of two zeros, of which MLIR 22 makes NaN: 0 or π, with the sign of
/// the first, as the second has its sign.
struct FoldAngleOfZeros : OpRewritePattern<math::Atan2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Atan2Op op,
                                PatternRewriter &rewriter) const override {
    FloatAttr y, x;
    if (!matchPattern(op.getLhs(), m_Constant(&y)) ||
        !matchPattern(op.getRhs(), m_Constant(&x)) || !y.getValue().isZero() ||
        !x.getValue().isZero())
      return failure();
    FloatAttr size = FloatAttr::get(
        y.getType(), x.getValue().isNegative() ? llvm::numbers::pi : 0.0);
    APFloat angle = APFloat::copySign(size.getValue(), y.getValue());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, FloatAttr::get(y.getType(), angle));
    return success();
  }
};

/// Workgroups that give no elements: MLIR 22 finds a size to be 0, and then its
/// offset, 0, to be out of bounds.
struct EraseEmptyInsert : OpRewritePattern<tensor::ParallelInsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ParallelInsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(op.getSourceType().getShape(), 0))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void WaxDialect::getCanonicalizationPatterns(RewritePatternSet &results) const {
  results.add<EraseEmptyInsert, FoldAngleOfZeros, FoldCertainComparison,
              RefineTypes, ResolveDim>(getContext());
}
