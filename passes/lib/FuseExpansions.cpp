//===- FuseExpansions.cpp - Outer products into reductions ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseContractions.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FUSEEXPANSIONS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// True when each loop moves along one dim of the operand at most. Several may
/// move along the same, as those of windows and of their elements do.
static bool readsAlongLoops(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  bool isOnce = map.getNumSymbols() == 0;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      auto loop = dyn_cast<AffineDimExpr>(part);
      if (!loop)
        return;
      isOnce &= !seen.test(loop.getPosition());
      seen.set(loop.getPosition());
    });
  return isOnce;
}

/// True when the result is larger than all that is read: the operation is
/// parallel, and none of its operands has all of its dims.
static bool isExpansion(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op->getNumResults() != 1)
    return false;
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
  return !inputs.empty() && llvm::all_of(inputs, [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return readsAlongLoops(map) && map.getNumResults() < op.getNumLoops();
  });
}

/// True when the consumer reads each element of the operand once.
static bool readsOnce(linalg::GenericOp consumer, OpOperand *operand) {
  return consumer.isDpsInput(operand) &&
         consumer.getMatchingIndexingMap(operand).isPermutation();
}

/// True when a matrix is multiplied with a vector to be summed up along other
/// dims than its last one: as a contraction it is read along memory. Small ones
/// are no slower in other ways.
static bool isVectorTimesMatrix(linalg::GenericOp producer,
                                linalg::GenericOp consumer,
                                OpOperand *operand) {
  constexpr int64_t fewElements = 65536;
  auto type = cast<RankedTensorType>(operand->get().getType());
  if (producer.getNumDpsInputs() != 2 || producer->getNumResults() != 1 ||
      producer.getNumParallelLoops() != producer.getNumLoops() ||
      !llvm::hasNItems(*producer.getBody(), 2) ||
      !isa<arith::MulFOp>(producer.getBody()->front()) ||
      producer.getRegionInputArgs()[0].use_empty() ||
      producer.getRegionInputArgs()[1].use_empty() ||
      (type.hasStaticShape() && type.getNumElements() < fewElements))
    return false;
  SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
  unsigned matrix = maps[0].isPermutation() ? 0 : 1;
  if (!maps[matrix].isPermutation() || maps[1 - matrix].isPermutation() ||
      !maps[1 - matrix].isProjectedPermutation() ||
      maps[1 - matrix].getNumResults() == 0 || !maps[2].isPermutation())
    return false;
  // The consumer's loop along the matrix's last dim.
  unsigned dim = *maps[2].getResultPosition(
      maps[matrix].getResult(maps[matrix].getNumResults() - 1));
  unsigned loop = consumer.getMatchingIndexingMap(operand).getDimPosition(dim);
  return consumer.getNumReductionLoops() != 0 &&
         linalg::isParallelIterator(consumer.getIteratorTypesArray()[loop]);
}

/// The consumer's loops whose sizes only this operand tells, once what makes it
/// is fused: no other operand has a dim for them, and the producer reads along
/// them together with other loops.
static SmallVector<unsigned> getLoopsToLose(linalg::GenericOp consumer,
                                            OpOperand *operand,
                                            linalg::GenericOp producer) {
  llvm::SmallBitVector kept(consumer.getNumLoops());
  auto keep = [&](AffineMap map) {
    for (AffineExpr expr : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        kept.set(loop.getPosition());
  };
  for (OpOperand &other : consumer->getOpOperands())
    if (other.get() != operand->get())
      keep(consumer.getMatchingIndexingMap(&other));
  AffineMap fromProducer =
      inversePermutation(
          producer.getMatchingIndexingMap(producer.getDpsInitOperand(0)))
          .compose(consumer.getMatchingIndexingMap(operand));
  for (OpOperand *input : producer.getDpsInputOperands())
    keep(producer.getMatchingIndexingMap(input).compose(fromProducer));
  SmallVector<unsigned> lost;
  for (unsigned loop : kept.flip().set_bits())
    lost.push_back(loop);
  return lost;
}

/// Gives the consumer an operand that it does not read, and that tells the
/// sizes of `loops`, which are dims of what `producer` makes.
static linalg::GenericOp addShapeOperand(RewriterBase &rewriter,
                                         linalg::GenericOp consumer,
                                         OpOperand *operand,
                                         linalg::GenericOp producer,
                                         ArrayRef<unsigned> loops) {
  Location loc = consumer.getLoc();
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(rewriter, loc, producer.getOutputs().front());
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : loops) {
    exprs.push_back(rewriter.getAffineDimExpr(loop));
    sizes.push_back(all[*map.getResultPosition(exprs.back())]);
  }
  Value shape = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(operand->get()));
  SmallVector<Value> inputs(consumer.getInputs());
  SmallVector<AffineMap> maps = consumer.getIndexingMapsArray();
  maps.insert(maps.begin() + inputs.size(),
              AffineMap::get(map.getNumDims(), 0, exprs, map.getContext()));
  inputs.push_back(shape);
  auto widened = linalg::GenericOp::create(
      rewriter, loc, consumer.getResultTypes(), inputs, consumer.getOutputs(),
      maps, consumer.getIteratorTypesArray());
  rewriter.inlineRegionBefore(consumer.getRegion(), widened.getRegion(),
                              widened.getRegion().end());
  widened.getBody()->insertArgument(inputs.size() - 1,
                                    getElementTypeOrSelf(shape), loc);
  rewriter.replaceOp(consumer, widened.getResults());
  return widened;
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

    SmallVector<linalg::GenericOp> sums;
    getOperation().walk([&](linalg::GenericOp op) { sums.push_back(op); });
    for (linalg::GenericOp sum : sums)
      raiseContraction(rewriter, sum);
  }

  void fuseInto(linalg::GenericOp consumer, RewriterBase &rewriter) {
    for (bool changed = true; changed;) {
      changed = false;
      for (OpOperand *operand : consumer.getDpsInputOperands()) {
        auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
        // In a loop it would be computed again in each turn.
        if (!producer || !operand->get().hasOneUse() ||
            producer->getBlock() != consumer->getBlock() ||
            !readsOnce(consumer, operand) ||
            (!isExpansion(producer) &&
             !isVectorTimesMatrix(producer, consumer, operand)) ||
            !producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
                 .isPermutation())
          continue;
        rewriter.setInsertionPoint(consumer);
        SmallVector<unsigned> lost =
            getLoopsToLose(consumer, operand, producer);
        // Fused in the next turn.
        if (!lost.empty()) {
          consumer =
              addShapeOperand(rewriter, consumer, operand, producer, lost);
          changed = true;
          break;
        }
        if (!linalg::areElementwiseOpsFusable(operand))
          continue;
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
