//===- OrderingCanonicalize.cpp - Simpler sorts ---------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// One element is in order.
struct SortOne : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ShapeRelation> relation = op.getShapeRelation();
    if (failed(relation) || !relation->constraints.empty())
      return failure();
    int64_t size = getStaticSize(relation->results.front()[op.getDim()]);
    if ((size != 0 && size != 1) ||
        op.getInputs().getTypes() != op.getResultTypes())
      return failure();
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

/// What is sorted by the same order already stays as it is.
struct SortSorted : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    auto first = op.getInputs().front().getDefiningOp<SortOp>();
    if (!first || first.getDim() != op.getDim() ||
        !llvm::equal(op.getInputs(), first.getResults()) ||
        !areKernelsEqual(op.getComparator(), first.getComparator()))
      return failure();
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

/// An operand given twice is sorted once, and one that the comparator does not
/// look at is not sorted if its result is not used. It stays where its sizes
/// must still be compared with another's.
struct DropSorted : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ShapeRelation> relation = op.getShapeRelation();
    if (failed(relation))
      return failure();
    bool hasSizesToCompare = !relation->constraints.empty();
    Block &comparator = op.getComparator().front();
    for (unsigned i : llvm::seq<unsigned>(0, op.getInputs().size())) {
      auto first = llvm::find(op.getInputs(), op.getInputs()[i]);
      unsigned original = first - op.getInputs().begin();
      bool isUnused = !hasSizesToCompare && op.getInputs().size() > 1 &&
                      op.getResult(i).use_empty() &&
                      comparator.getArgument(2 * i).use_empty() &&
                      comparator.getArgument(2 * i + 1).use_empty();
      bool isRepeated = original != i && op.getResult(original).getType() ==
                                             op.getResult(i).getType();
      if (!isRepeated && !isUnused)
        continue;
      drop(op, i, isRepeated ? original : i, rewriter);
      return success();
    }
    return failure();
  }

  /// Takes operand `i` out, whose place `original` takes.
  static void drop(SortOp op, unsigned i, unsigned original,
                   PatternRewriter &rewriter) {
    auto without = [&](ValueRange values) {
      SmallVector<Value> kept(values);
      kept.erase(kept.begin() + i);
      return kept;
    };
    auto sort = SortOp::create(rewriter, op.getLoc(),
                               TypeRange(without(op.getResults())),
                               without(op.getInputs()), op.getDim());
    sort->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getComparator(), sort.getComparator(),
                                sort.getComparator().end());
    Block &comparator = sort.getComparator().front();
    for (unsigned side : {0, 1})
      if (original != i)
        rewriter.replaceAllUsesWith(
            comparator.getArgument(2 * i + side),
            comparator.getArgument(2 * original + side));
    comparator.eraseArguments(2 * i, 2);
    SmallVector<Value> replacements;
    for (unsigned result : llvm::seq<unsigned>(0, op.getNumResults())) {
      unsigned source = result == i ? original : result;
      // What nothing uses may be replaced by anything of its type.
      replacements.push_back(source == i
                                 ? op.getInputs()[i]
                                 : sort.getResult(source - (source > i)));
    }
    rewriter.replaceOp(op, replacements);
  }
};
} // namespace

void SortOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<SortOne, SortSorted, DropSorted>(context);
}
