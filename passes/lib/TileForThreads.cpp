//===- TileForThreads.cpp - Products of matrices that GPUs tile -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_TILEFORTHREADS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// How far a workgroup goes along rows and columns at a time, how far along
/// what is summed up, and how many rows and columns of it a thread has.
static constexpr int64_t workgroupTile = 64, summedTile = 16, threadTile = 8;

/// True when the loops in `dims` are some, of sizes whose product is known and
/// a multiple of `tile`.
static bool areMultiple(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes,
                        int64_t tile) {
  int64_t total = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(sizes[dim]))
      return false;
    total *= sizes[dim];
  }
  return !dims.empty() && total > 0 && total % tile == 0;
}

/// The loops of `op`, which become one for rows, one for columns and one for
/// what is summed up: those that follow each other everywhere are one.
static FailureOr<linalg::GenericOp> mergeLoops(linalg::GenericOp op,
                                               RewriterBase &rewriter) {
  auto dims = linalg::inferContractionDims(cast<linalg::LinalgOp>(*op));
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (failed(dims) || !areMultiple(dims->m, sizes, workgroupTile) ||
      !areMultiple(dims->n, sizes, workgroupTile) ||
      !areMultiple(dims->k, sizes, summedTile))
    return failure();
  SmallVector<ReassociationIndices> merged;
  for (ArrayRef<unsigned> group :
       {ArrayRef<unsigned>(dims->m), ArrayRef<unsigned>(dims->n),
        ArrayRef<unsigned>(dims->k)})
    if (group.size() > 1)
      merged.push_back(ReassociationIndices(group.begin(), group.end()));
  if (merged.empty())
    return op;
  if (!linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), merged))
    return failure();
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, merged, rewriter);
  if (failed(collapsed))
    return failure();
  rewriter.replaceOp(op, collapsed->results);
  return dyn_cast<linalg::GenericOp>(collapsed->collapsedOp.getOperation());
}

/// Marks a product that has one loop of each kind, and any number of those that
/// both factors share.
static void mark(linalg::GenericOp op) {
  auto dims = linalg::inferContractionDims(cast<linalg::LinalgOp>(*op));
  SmallVector<int64_t> workgroup(op.getNumLoops(), 1), thread(workgroup),
      summed(op.getNumLoops(), 0);
  for (unsigned dim : {dims->m[0], dims->n[0]}) {
    workgroup[dim] = workgroupTile;
    thread[dim] = threadTile;
  }
  workgroup[dims->k[0]] = thread[dims->k[0]] = 0;
  summed[dims->k[0]] = summedTile;
  Builder builder(op.getContext());
  op->setAttr("thread_tiles",
              builder.getArrayAttr({builder.getDenseI64ArrayAttr(workgroup),
                                    builder.getDenseI64ArrayAttr(thread),
                                    builder.getDenseI64ArrayAttr(summed)}));
}

namespace {

struct TileForThreads : wax::impl::TileForThreadsBase<TileForThreads> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (linalg::isaContractionOpInterface(cast<linalg::LinalgOp>(*op)) &&
          llvm::all_of(op->getOperandTypes(), [](Type type) {
            return getElementTypeOrSelf(type).isF32();
          }))
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : products)
      if (FailureOr<linalg::GenericOp> merged = mergeLoops(op, rewriter);
          succeeded(merged))
        mark(*merged);
  }
};

} // namespace
