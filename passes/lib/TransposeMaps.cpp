//===- TransposeMaps.cpp - Transpositions by squares ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the transpositions and maps that read across rows, with the maps that
// are read by these alone, and decides which are worth squares.
//
//===----------------------------------------------------------------------===//

#include "MapSquares.h"
#include "NestBuilder.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::wax {
#define GEN_PASS_DEF_TRANSPOSEMAPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Tensors that are worth a dispatch of their own, and such that IREE need not
/// be asked for.
static constexpr int64_t fewestElements = 16384, fewestAlone = 1024;
/// Operations for each row of a square.
static constexpr int64_t mostOperations = 16;

/// Whether an operation is a transposition, or computes each element of its
/// result.
static bool isMap(Operation *op) {
  if (isa_and_present<linalg::TransposeOp>(op))
    return op->getNumResults() == 1;
  return bool(getPointwise(op));
}

/// The same map as loops, beside it.
static linalg::GenericOp cloneAsGeneric(Operation *op, RewriterBase &rewriter) {
  auto transpose = dyn_cast<linalg::TransposeOp>(op);
  if (!transpose)
    return cast<linalg::GenericOp>(rewriter.clone(*op));
  return linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), transpose.getInput(),
      transpose.getInit(), transpose.getIndexingMapsArray(),
      transpose.getIteratorTypesArray(),
      [](OpBuilder &builder, Location loc, ValueRange elements) {
        linalg::YieldOp::create(builder, loc, elements.front());
      });
}

static int64_t countOperations(Operation *map) {
  int64_t count = 0;
  map->getRegion(0).walk([&](Operation *) { ++count; });
  return count;
}

/// The maps that a map computes in its own loops: those that no other reads,
/// and that are computed as often.
static SmallPtrSet<Operation *, 8> findMerged(Operation *root) {
  SmallPtrSet<Operation *, 8> merged;
  SmallVector<Operation *> seen{root};
  int64_t operations = countOperations(root);
  while (!seen.empty())
    for (Value input :
         cast<linalg::LinalgOp>(seen.pop_back_val()).getDpsInputs()) {
      Operation *op = input.getDefiningOp();
      if (!isMap(op) || !input.hasOneUse() ||
          op->getBlock() != root->getBlock() ||
          operations + countOperations(op) > mostOperations)
        continue;
      operations += countOperations(op);
      merged.insert(op);
      seen.push_back(op);
    }
  return merged;
}

/// One map of a map and those it computes itself, beside it.
static linalg::GenericOp merge(Operation *root, RewriterBase &rewriter) {
  SmallPtrSet<Operation *, 8> merged = findMerged(root);
  linalg::GenericOp op = cloneAsGeneric(root, rewriter);
  auto findNext = [&]() -> OpOperand * {
    for (OpOperand *input : op.getDpsInputOperands())
      if (merged.contains(input->get().getDefiningOp()))
        return input;
    return nullptr;
  };
  while (OpOperand *input = findNext()) {
    linalg::GenericOp producer =
        cloneAsGeneric(input->get().getDefiningOp(), rewriter);
    input->set(producer.getResult(0));
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, input);
    rewriter.eraseOp(op);
    rewriter.eraseOp(producer);
    if (failed(fused))
      return nullptr;
    op = cast<linalg::GenericOp>(fused->fusedOp);
  }
  return op;
}

/// Whether a map's result is for IREE's own loops, or for a map that takes it
/// into its own.
static bool isTaken(Operation *op, bool isAlone) {
  Value result = op->getResult(0);
  if (result.hasOneUse() && isMap(*result.user_begin()))
    return true;
  if (isAlone)
    return false;
  SmallVector<Value> seen{result};
  while (!seen.empty())
    for (Operation *user : seen.pop_back_val().getUsers()) {
      auto loops = dyn_cast<linalg::LinalgOp>(user);
      if (loops && loops.getNumReductionLoops() > 0)
        return true;
      if (iree::isView(user))
        llvm::append_range(seen, user->getResults());
    }
  return false;
}

/// Whether what is read across is worth it: no constants, which IREE computes
/// ahead, nor what IREE sums up, which it may write in any order.
static bool isWorth(SquareMap map, ArrayRef<ReassociationIndices> runs,
                    bool isAlone) {
  SmallVector<int64_t> sizes = map.op.getStaticLoopRanges();
  auto isKnownBelow = [&](ArrayRef<int64_t> loops, int64_t least) {
    int64_t product = 1;
    for (int64_t loop : loops) {
      if (ShapedType::isDynamic(sizes[loop]))
        return false;
      product *= sizes[loop];
    }
    return product < least;
  };
  if (isKnownBelow(llvm::to_vector(llvm::seq<int64_t>(sizes.size())),
                   isAlone ? fewestAlone : fewestElements))
    return false;
  for (unsigned loop : {map.across, map.getLast()})
    for (ArrayRef<int64_t> run : runs)
      if (llvm::is_contained(run, loop) && isKnownBelow(run, map.side))
        return false;
  return llvm::all_of(llvm::enumerate(map.op.getInputs()), [&](auto input) {
    if (!map.isAcross(input.index()))
      return true;
    Value tensor = input.value();
    auto made = iree::getViewed(tensor).getDefiningOp<linalg::LinalgOp>();
    return !(made && made.getNumReductionLoops() > 0) &&
           !matchPattern(tensor, m_Constant()) && !iree::isMadeOfNone(tensor);
  });
}

/// Replaces a map, if squares are worth it.
static void transpose(Operation *root, RewriterBase &rewriter, bool isAlone) {
  if (countOperations(root) > mostOperations)
    return;
  rewriter.setInsertionPoint(root);
  linalg::GenericOp op = merge(root, rewriter);
  if (!op)
    return;
  std::optional<SquareMap> map = SquareMap::of(op);
  SmallVector<ReassociationIndices> runs =
      getRuns(op.getIndexingMapsArray(), [](int64_t, int64_t) { return true; });
  if (!map || !isWorth(*map, runs, isAlone))
    return rewriter.eraseOp(op);
  rewriter.replaceOp(root, op.getResult(0));
  if (linalg::GenericOp merged = mergeRuns(op, runs, rewriter);
      merged && merged != op) {
    op = merged;
    map = SquareMap::of(op);
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, emitSquares(rewriter, *map));
}

namespace {
struct TransposeMaps : wax::impl::TransposeMapsBase<TransposeMaps> {
  using TransposeMapsBase::TransposeMapsBase;

  void runOnOperation() override {
    SmallVector<Operation *> maps;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isMap(op) && !op->getParentOfType<iree::DispatchRegionOp>())
        maps.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // Those that read come before what they read.
    for (Operation *map : llvm::reverse(maps)) {
      if (map->use_empty())
        rewriter.eraseOp(map);
      else if (!isTaken(map, alone))
        transpose(map, rewriter, alone);
    }
  }
};
} // namespace
