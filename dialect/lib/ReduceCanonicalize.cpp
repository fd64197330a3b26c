//===- ReduceCanonicalize.cpp - Simpler reductions and scans --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// Operands that the fold does not use go, and one given twice is read once.
/// An operand stays where its sizes must still be compared with another's.
template <typename OpTy> struct DropOperands : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Block &fold = op.getFold().front();
    for (unsigned i : llvm::seq<unsigned>(0, op.getInputs().size())) {
      Value input = op.getInputs()[i];
      SmallVector<Value> inputs(op.getInputs());
      auto first = llvm::find(inputs, input);
      bool isRepeated = first != inputs.begin() + i;
      bool isUnused = fold.getArgument(i).use_empty() && inputs.size() > 1 &&
                      hasSizesOf(op, i, i == 0 ? 1 : 0);
      if (!isRepeated && !isUnused)
        continue;
      if (isRepeated)
        rewriter.replaceAllUsesWith(fold.getArgument(i),
                                    fold.getArgument(first - inputs.begin()));
      rewriter.modifyOpInPlace(op, [&] {
        fold.eraseArgument(i);
        op.getInputsMutable().erase(i);
      });
      return success();
    }
    return failure();
  }

  static bool hasSizesOf(OpTy op, unsigned i, unsigned j) {
    SizeSources sizes(op.getContext(), op->getOperands());
    auto rank = cast<RankedTensorType>(op.getInputs()[i].getType()).getRank();
    return llvm::all_of(llvm::seq(rank), [&](int64_t dim) {
      return sizes.dim(op.getInputs()[i], dim) ==
             sizes.dim(op.getInputs()[j], dim);
    });
  }
};

/// One broadcast for each result of an operation that folds each element once.
template <typename OpTy>
void replaceByFoldOfEach(OpTy op, PatternRewriter &rewriter) {
  auto operandType = cast<RankedTensorType>(op.getInputs().front().getType());
  SmallVector<Attribute> dims(op.getInputs().size(),
                              rewriter.getDenseI64ArrayAttr(llvm::to_vector(
                                  llvm::seq(operandType.getRank()))));
  dims.append(op.getInits().size(), rewriter.getDenseI64ArrayAttr({}));
  SmallVector<Value> replacements;
  for (auto [i, result] : llvm::enumerate(op.getOutputs())) {
    auto broadcast = BroadcastOp::create(
        rewriter, op.getLoc(), result.getType(), op.getOperands(),
        /*sizes=*/ValueRange(), rewriter.getArrayAttr(dims),
        rewriter.getDenseI64ArrayAttr({}));
    rewriter.cloneRegionBefore(op.getFold(), broadcast.getKernel(),
                               broadcast.getKernel().end());
    Operation *yield = broadcast.getKernel().front().getTerminator();
    rewriter.modifyOpInPlace(yield,
                             [&] { yield->setOperands(yield->getOperand(i)); });
    replacements.push_back(broadcast);
  }
  rewriter.replaceOp(op, replacements);
}

/// `init` everywhere, for an operation that folds nothing.
template <typename OpTy>
LogicalResult replaceByInits(OpTy op, PatternRewriter &rewriter) {
  FailureOr<ShapeRelation> relation = op.getShapeRelation();
  if (failed(relation) || !relation->constraints.empty())
    return failure();
  SizeSources sizes(op.getContext(), op->getOperands());
  SmallVector<OpFoldResult> shape =
      llvm::map_to_vector(relation->results.front(), [&](AffineExpr dim) {
        return materializeSize(rewriter, op.getLoc(), dim, sizes);
      });
  SmallVector<Value> replacements;
  for (Value init : op.getInits())
    replacements.push_back(BroadcastOp::create(
        rewriter, op.getLoc(), init, SmallVector<int64_t>(), shape,
        [](OpBuilder &, Location, ValueRange arguments) {
          return SmallVector<Value>(arguments);
        }));
  rewriter.replaceOp(op, replacements);
  return success();
}

/// A reduction over no dims folds each element once, with `init`.
struct FoldOnce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDims().empty())
      return failure();
    replaceByFoldOfEach(op, rewriter);
    return success();
  }
};

/// A reduction over a dim of size 0 is `init` everywhere.
struct FoldNothing : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto operand = cast<RankedTensorType>(op.getInputs().front().getType());
    if (llvm::none_of(op.getDims(), [&](int64_t dim) {
          return operand.getDimSize(dim) == 0;
        }))
      return failure();
    return replaceByInits(op, rewriter);
  }
};

/// A scan along a dim of size 1 folds each element once, or not at all.
struct ScanOnce : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    auto operand = cast<RankedTensorType>(op.getInputs().front().getType());
    if (operand.getDimSize(op.getDim()) != 1)
      return failure();
    if (op.getExclusive())
      return replaceByInits(op, rewriter);
    replaceByFoldOfEach(op, rewriter);
    return success();
  }
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<DropOperands<ReduceOp>, FoldOnce, FoldNothing>(context);
}

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<DropOperands<ScanOp>, ScanOnce>(context);
}
