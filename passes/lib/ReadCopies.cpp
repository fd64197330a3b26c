//===- ReadCopies.cpp - Copies along open dims are read through -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonicalization of a broadcast reads through copies where the sizes that
// these make up are known beside it. Here sizes are followed through the
// function: a derivative copies along a dim as long as another tensor's, and
// what it copies is multiplied with one of these.
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"
#include "wax/Passes/SymbolicSizes.h"

#include "wax/Dialect/Copies.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_READCOPIES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

static void readCopies(FunctionOpInterface function, IRRewriter &rewriter) {
  SymbolicSizes sizes(function);
  auto isSizeOf = [&](OpFoldResult size, Value tensor, int64_t dim) {
    AffineExpr other = sizes.getSize(tensor, dim);
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return other == getAffineConstantExpr(*constant, rewriter.getContext());
    return other == sizes.getIndex(cast<Value>(size));
  };
  // Sizes are asked for in program order, before anything takes their place.
  SmallVector<BroadcastOp> broadcasts;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        for (int64_t dim : llvm::seq(type.getRank()))
          (void)sizes.getSize(result, dim);
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      broadcasts.push_back(broadcast);
    // Kernels see scalars only.
    return isa<ShapeRelationOpInterface>(op) ? WalkResult::skip()
                                             : WalkResult::advance();
  });
  for (BroadcastOp op : broadcasts)
    while (op) {
      Value before = op.getResult();
      rewriter.setInsertionPoint(op);
      op = readThroughCopy(op, rewriter, isSizeOf);
      if (op)
        sizes.replace(before, op.getResult());
    }
}

namespace {
struct ReadCopies : wax::impl::ReadCopiesBase<ReadCopies> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        readCopies(function, rewriter);
    });
  }
};
} // namespace
