//===- TileForThreads.cpp - Products of matrices that GPUs tile -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

/// Marks `op`, a product, if it has as many elements as tiles do: loops of a
/// kind that follow each other everywhere become one, and each kind but what
/// both factors share has to be one.
static void tile(linalg::GenericOp op, RewriterBase &rewriter) {
  auto dims = linalg::inferContractionDims(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (failed(dims) || !areMultiple(dims->m, sizes, workgroupTile) ||
      !areMultiple(dims->n, sizes, workgroupTile) ||
      !areMultiple(dims->k, sizes, summedTile))
    return;
  std::array<ArrayRef<unsigned>, 4> kinds = {dims->m, dims->n, dims->k,
                                             dims->batch};
  auto getKind = [&](int64_t loop) {
    return llvm::find_if(kinds,
                         [&](ArrayRef<unsigned> kind) {
                           return llvm::is_contained(kind, loop);
                         }) -
           kinds.begin();
  };
  SmallVector<ReassociationIndices> runs =
      getRuns(op.getIndexingMapsArray(), [&](int64_t one, int64_t next) {
        return getKind(one) == getKind(next);
      });
  // Rows, columns, what is summed up, and what both factors share.
  static constexpr int64_t workgroups[] = {workgroupTile, workgroupTile, 0, 1};
  static constexpr int64_t threads[] = {threadTile, threadTile, 0, 1};
  static constexpr int64_t summeds[] = {0, 0, summedTile, 0};
  std::array<int64_t, 4> counts = {};
  SmallVector<int64_t> workgroup, thread, summed;
  for (const ReassociationIndices &run : runs) {
    int64_t kind = getKind(run.front());
    ++counts[kind];
    workgroup.push_back(workgroups[kind]);
    thread.push_back(threads[kind]);
    summed.push_back(summeds[kind]);
  }
  if (counts[0] != 1 || counts[1] != 1 || counts[2] != 1)
    return;
  linalg::GenericOp merged = mergeRuns(op, runs, rewriter);
  if (!merged)
    return;
  merged->setAttr("thread_tiles", rewriter.getArrayAttr(
                                      {rewriter.getDenseI64ArrayAttr(workgroup),
                                       rewriter.getDenseI64ArrayAttr(thread),
                                       rewriter.getDenseI64ArrayAttr(summed)}));
}

namespace {

struct TileForThreads : wax::impl::TileForThreadsBase<TileForThreads> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (linalg::isaContractionOpInterface(op) &&
          llvm::all_of(op->getOperandTypes(), [](Type type) {
            return getElementTypeOrSelf(type).isF32();
          }))
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : products)
      tile(op, rewriter);
  }
};

} // namespace
