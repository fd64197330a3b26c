//===- FuseCounters.cpp - Counters where they are read --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask of attention compares the places of queries and keys, which are
// counted in tensors. The vectors of a product know their places: what is
// counted is computed there, in place of dispatches that write it, in each turn
// of a loop.
//
//===----------------------------------------------------------------------===//

#include "ProductAnalysis.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FUSECOUNTERS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Maps between a product and one that counts, at most.
static constexpr unsigned mostMaps = 8;

/// Counters that one is computed of, itself among them, at most: each may be
/// computed again for each time that it is read.
static constexpr size_t mostCounters = 4;

/// Adds a counter, and those that it is computed of, to `counters`: each
/// element is computed of its place and of single numbers, by a few operations
/// on integers. False for other tensors, and where there are too many.
static bool addCounters(Value tensor,
                        llvm::SmallPtrSetImpl<Operation *> &counters) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (op && counters.contains(op))
    return true;
  if (!op || !getPointwise(op) || type.getRank() == 0 ||
      !type.getElementType().isInteger() || counters.size() == mostCounters)
    return false;
  counters.insert(op);
  auto isOfIntegers = [](Operation &inner) {
    return isa<linalg::IndexOp>(inner) ||
           (isa<arith::ArithDialect>(inner.getDialect()) &&
            llvm::all_of(inner.getResultTypes(),
                         [](Type made) { return made.isIntOrIndex(); }));
  };
  return llvm::all_of(op.getBody()->without_terminator(), isOfIntegers) &&
         isCheap(op, [](Value) { return false; }) &&
         llvm::all_of(op.getInputs(), [&](Value input) {
           auto ofInput = dyn_cast<RankedTensorType>(input.getType());
           return !ofInput || ofInput.getRank() == 0 ||
                  addCounters(input, counters);
         });
}

static bool isCounter(Value tensor) {
  llvm::SmallPtrSet<Operation *, mostCounters> counters;
  return isa<RankedTensorType>(tensor.getType()) &&
         addCounters(tensor, counters);
}

/// Whether a tensor is a product, or what maps make of one.
static bool isMadeOfProduct(Value tensor, unsigned most = mostMaps) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || most == 0)
    return false;
  if (addsProducts(op) && hasVectors(op))
    return true;
  return getPointwise(op) &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).isIdentity() &&
                  isMadeOfProduct(input->get(), most - 1);
         });
}

/// Has a map count itself what it reads of counters.
static void countWithin(linalg::GenericOp op, RewriterBase &rewriter) {
  auto findCounter = [&]() -> OpOperand * {
    for (OpOperand *input : op.getDpsInputOperands())
      if (isCounter(input->get()) &&
          op.getMatchingIndexingMap(input).isProjectedPermutation() &&
          linalg::areElementwiseOpsFusable(input))
        return input;
    return nullptr;
  };
  while (OpOperand *counter = findCounter()) {
    // Upstream would keep what others read as one more result.
    Operation *counting = counter->get().getDefiningOp();
    rewriter.setInsertionPoint(op);
    Operation *copy = rewriter.clone(*counting);
    rewriter.modifyOpInPlace(op, [&] { counter->set(copy->getResult(0)); });
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, counter);
    if (failed(fused))
      return;
    rewriter.replaceOp(op, fused->replacements.lookup(op.getResult(0)));
    op = cast<linalg::GenericOp>(fused->fusedOp);
    rewriter.eraseOp(copy);
    if (counting->use_empty())
      rewriter.eraseOp(counting);
  }
}

namespace {
struct FuseCounters : wax::impl::FuseCountersBase<FuseCounters> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> maps;
    getOperation().walk([&](linalg::GenericOp op) {
      if (getPointwise(op) && isMadeOfProduct(op.getResult(0)))
        maps.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp map : maps)
      countWithin(map, rewriter);
  }
};
} // namespace
