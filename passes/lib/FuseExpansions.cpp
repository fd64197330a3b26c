//===- FuseExpansions.cpp - Outer products into reductions ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FUSEEXPANSIONS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// True when the result is larger than all that is read: the operation is
/// parallel, and none of its operands has all of its dims.
static bool isExpansion(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op->getNumResults() != 1)
    return false;
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
  return !inputs.empty() && llvm::all_of(inputs, [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.isProjectedPermutation() &&
           map.getNumResults() < op.getNumLoops();
  });
}

/// True when the consumer reads each element of the operand once.
static bool readsOnce(linalg::GenericOp consumer, OpOperand *operand) {
  return consumer.isDpsInput(operand) &&
         consumer.getMatchingIndexingMap(operand).isPermutation();
}

namespace {
struct FuseExpansions : wax::impl::FuseExpansionsBase<FuseExpansions> {
  void runOnOperation() override {
    // In program order, so that what an outer product was fused into is itself
    // seen as one by its own consumer.
    SmallVector<linalg::GenericOp> consumers;
    getOperation().walk([&](linalg::GenericOp op) { consumers.push_back(op); });

    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp consumer : consumers)
      fuseInto(consumer, rewriter);
  }

  void fuseInto(linalg::GenericOp consumer, RewriterBase &rewriter) {
    for (bool changed = true; changed;) {
      changed = false;
      for (OpOperand *operand : consumer.getDpsInputOperands()) {
        auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
        if (!producer || !operand->get().hasOneUse() ||
            !isExpansion(producer) || !readsOnce(consumer, operand) ||
            !linalg::areElementwiseOpsFusable(operand))
          continue;
        rewriter.setInsertionPoint(consumer);
        FailureOr<linalg::ElementwiseOpFusionResult> fused =
            linalg::fuseElementwiseOps(rewriter, operand);
        if (failed(fused))
          continue;
        SmallVector<Value> results =
            llvm::map_to_vector(consumer->getResults(), [&](Value result) {
              return fused->replacements.lookup(result);
            });
        rewriter.replaceOp(consumer, results);
        rewriter.eraseOp(producer);
        consumer = cast<linalg::GenericOp>(fused->fusedOp);
        changed = true;
        break;
      }
    }
  }
};
} // namespace
