//===- InlineCheckpoints.cpp - What checkpoints do, in their place --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_INLINECHECKPOINTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// The elements of a tensor, as far as they are known; most for others.
static int64_t countElements(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() ? type.getNumElements()
                               : std::numeric_limits<int64_t>::max();
}

namespace {
/// Which operands of a checkpoint that computes again are to be kept from being
/// seen as what they are. A barrier costs a copy where what reads it is no
/// elementwise operation: so they are few and small.
class Barriers {
public:
  explicit Barriers(CheckpointOp op) : op(op) {
    places.resize(op.getInputs().size());
    ArrayRef<int64_t> recomputed = *op.getRecomputed();
    for (int64_t place : recomputed)
      if (isa<RankedTensorType>(op.getInputs()[place].getType()))
        places.set(place);
    collect();
  }

  /// Each operation that was computed before depends on one of these.
  llvm::SmallBitVector choose() {
    SmallVector<unsigned> order(places.set_bits());
    llvm::stable_sort(order, [&](unsigned lhs, unsigned rhs) {
      return countElements(op.getInputs()[lhs]) >
             countElements(op.getInputs()[rhs]);
    });
    llvm::SmallBitVector chosen(places);
    for (unsigned place : order) {
      chosen.reset(place);
      if (!llvm::all_of(sources, [&](const llvm::SmallBitVector &one) {
            return one.anyCommon(chosen);
          }))
        chosen.set(place);
    }
    return chosen;
  }

  /// What is there last of what the body reads beside: a cotangent, of which an
  /// element can be read.
  Value findLast() {
    Value last;
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (llvm::is_contained(*op.getRecomputed(), i) || !type ||
          !type.hasStaticShape() || type.getNumElements() == 0)
        continue;
      Operation *maker = input.getDefiningOp();
      if (!maker || maker->getBlock() != op->getBlock())
        continue;
      if (!last || last.getDefiningOp()->isBeforeInBlock(maker))
        last = input;
    }
    return last;
  }

private:
  /// For each operation on tensors that computes again what was computed, the
  /// places that it depends on.
  void collect() {
    Block &block = op.getBody().front();
    llvm::DenseMap<Value, llvm::SmallBitVector> known;
    // What depends on a cotangent is new.
    llvm::DenseSet<Value> later;
    for (BlockArgument argument : block.getArguments()) {
      unsigned place = argument.getArgNumber();
      auto &own = known.try_emplace(argument, places.size()).first->second;
      if (places[place])
        own.set(place);
      else if (!llvm::is_contained(*op.getRecomputed(), place))
        later.insert(argument);
    }
    for (Operation &one : block.without_terminator()) {
      llvm::SmallBitVector all(places.size());
      bool isLater = false;
      one.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          isLater |= later.contains(operand);
          if (auto found = known.find(operand); found != known.end())
            all |= found->second;
        }
      });
      for (Value result : one.getResults()) {
        if (isLater)
          later.insert(result);
        known.try_emplace(result, all);
      }
      bool isTensor =
          llvm::any_of(one.getResultTypes(), llvm::IsaPred<RankedTensorType>);
      if (isTensor && !isLater && all.any())
        sources.push_back(all);
    }
  }

  CheckpointOp op;
  llvm::SmallBitVector places;
  SmallVector<llvm::SmallBitVector> sources;
};

struct InlineCheckpoints : wax::impl::InlineCheckpointsBase<InlineCheckpoints> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Operation *op) {
      if (auto checkpoint = dyn_cast<CheckpointOp>(op))
        inlineBody(checkpoint, rewriter);
      else if (auto name = dyn_cast<NameOp>(op))
        rewriter.replaceOp(name, name.getOperand());
    });
  }

private:
  static void inlineBody(CheckpointOp op, IRRewriter &rewriter) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs(op.getInputs());
    if (op.getRecomputed() && !op.getMergeable()) {
      Barriers barriers(op);
      Value last = barriers.findLast();
      for (unsigned place : barriers.choose().set_bits())
        inputs[place] =
            BarrierOp::create(rewriter, op.getLoc(), inputs[place].getType(),
                              inputs[place], last);
    }
    Block &body = op.getBody().front();
    SmallVector<Value> results(body.getTerminator()->getOperands());
    for (Value &result : results)
      if (auto argument = dyn_cast<BlockArgument>(result);
          argument && argument.getOwner() == &body)
        result = inputs[argument.getArgNumber()];
    rewriter.eraseOp(body.getTerminator());
    rewriter.inlineBlockBefore(&body, op, inputs);
    rewriter.replaceOp(op, results);
  }
};
} // namespace
