//===- ReduceCanonicalize.cpp - Simpler reductions ------------------------===//
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
struct DropOperands : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
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

  static bool hasSizesOf(ReduceOp op, unsigned i, unsigned j) {
    SizeSources sizes(op.getContext(), op->getOperands());
    auto rank = cast<RankedTensorType>(op.getInputs()[i].getType()).getRank();
    return llvm::all_of(llvm::seq(rank), [&](int64_t dim) {
      return sizes.dim(op.getInputs()[i], dim) ==
             sizes.dim(op.getInputs()[j], dim);
    });
  }
};

/// A reduction over no dims folds each element once, with `init`.
struct FoldOnce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDims().empty())
      return failure();
    SmallVector<Attribute> dims(
        op.getInputs().size(),
        rewriter.getDenseI64ArrayAttr(llvm::to_vector(
            llvm::seq(cast<RankedTensorType>(op.getInputs().front().getType())
                          .getRank()))));
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
      rewriter.modifyOpInPlace(
          yield, [&] { yield->setOperands(yield->getOperand(i)); });
      replacements.push_back(broadcast);
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// A reduction over a dim of size 0 is `init` everywhere.
struct FoldNothing : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ShapeRelation> relation = op.getShapeRelation();
    auto operand = cast<RankedTensorType>(op.getInputs().front().getType());
    if (failed(relation) || !relation->constraints.empty() ||
        llvm::none_of(op.getDims(), [&](int64_t dim) {
          return operand.getDimSize(dim) == 0;
        }))
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
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<DropOperands, FoldOnce, FoldNothing>(context);
}
