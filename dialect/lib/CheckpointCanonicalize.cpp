//===- CheckpointCanonicalize.cpp - Simplification of checkpoints ---------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::wax;

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>() &&
         op->getNumOperands() == 0;
}

namespace {
/// What goes into a checkpoint and comes out of it: each value once, and none
/// that nothing reads or that its body does not compute. Constants are made
/// where they are read.
class Tidy {
public:
  Tidy(CheckpointOp op, PatternRewriter &rewriter)
      : op(op), block(op.getBody().front()), rewriter(rewriter) {}

  LogicalResult run() {
    tidyInputs();
    tidyOutputs();
    if (dropped.none() && replaced.none())
      return failure();
    rebuild();
    return success();
  }

private:
  void tidyInputs() {
    dropped.resize(op.getInputs().size());
    llvm::DenseMap<Value, BlockArgument> seen;
    for (auto [argument, input] :
         llvm::zip(block.getArguments(), op.getInputs())) {
      Value stands;
      if (isConstant(input) && !argument.use_empty()) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(&block);
        stands = rewriter.clone(*input.getDefiningOp())
                     ->getResult(cast<OpResult>(input).getResultNumber());
      } else if (!seen.try_emplace(input, argument).second) {
        stands = seen.lookup(input);
      }
      if (stands)
        rewriter.replaceAllUsesWith(argument, stands);
      if (stands || isReadBySelfOnly(argument))
        dropped.set(argument.getArgNumber());
    }
  }

  /// Whether only a return, of what is then given from outside, reads it.
  bool isReadBySelfOnly(BlockArgument argument) {
    return llvm::all_of(argument.getUsers(), llvm::IsaPred<ReturnOp>);
  }

  void tidyOutputs() {
    Operation *end = block.getTerminator();
    replaced.resize(op->getNumResults());
    llvm::DenseMap<Value, Value> seen;
    for (auto [result, value] :
         llvm::zip(op->getResults(), end->getOperands())) {
      Value stands;
      auto argument = dyn_cast<BlockArgument>(value);
      auto [first, isNew] = seen.try_emplace(value, result);
      if (argument) {
        stands = op.getInputs()[argument.getArgNumber()];
      } else if (isConstant(value)) {
        stands = rewriter.clone(*value.getDefiningOp())
                     ->getResult(cast<OpResult>(value).getResultNumber());
      } else if (!isNew) {
        stands = first->second;
      }
      if (stands)
        rewriter.replaceAllUsesWith(result, stands);
      if (stands || result.use_empty())
        replaced.set(result.getResultNumber());
    }
  }

  void rebuild() {
    SmallVector<Value> inputs, values;
    SmallVector<int64_t> places;
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      if (dropped[i])
        continue;
      if (op.getRecomputed() && llvm::is_contained(*op.getRecomputed(), i))
        places.push_back(inputs.size());
      inputs.push_back(input);
    }
    SmallVector<Value> kept;
    for (auto [result, value] :
         llvm::zip(op->getResults(), block.getTerminator()->getOperands()))
      if (!replaced[result.getResultNumber()]) {
        kept.push_back(result);
        values.push_back(value);
      }
    rewriter.modifyOpInPlace(block.getTerminator(), [&] {
      block.getTerminator()->setOperands(values);
    });
    auto made = CheckpointOp::create(
        rewriter, op.getLoc(), ValueRange(kept).getTypes(), inputs,
        op.getSavingAttr(),
        op.getRecomputed() ? rewriter.getDenseI64ArrayAttr(places)
                           : DenseI64ArrayAttr(),
        op.getMergeableAttr());
    made.getBody().takeBody(op.getBody());
    made.getBody().front().eraseArguments([&](BlockArgument argument) {
      return dropped[argument.getArgNumber()];
    });
    for (auto [old, value] : llvm::zip_equal(kept, made->getResults()))
      rewriter.replaceAllUsesWith(old, value);
    rewriter.eraseOp(op);
  }

  CheckpointOp op;
  Block &block;
  PatternRewriter &rewriter;
  llvm::SmallBitVector dropped, replaced;
};

struct TidyCheckpoint : OpRewritePattern<CheckpointOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CheckpointOp op,
                                PatternRewriter &rewriter) const override {
    return Tidy(op, rewriter).run();
  }
};
} // namespace

void CheckpointOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<TidyCheckpoint>(context);
}
