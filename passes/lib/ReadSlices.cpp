//===- ReadSlices.cpp - Slices that are read where they lie ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::wax {
#define GEN_PASS_DEF_READSLICES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether IREE shows a dispatch the memory of a slice.
static bool isShown(tensor::ExtractSliceOp slice) {
  return slice.getType().hasStaticShape() && iree::isTogether(slice);
}

/// Whether an operation reads a tensor, and may not take its memory.
static bool isRead(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return llvm::all_of(op->getUses(), isRead);
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  return isa<tensor::ExtractSliceOp, tensor::DimOp, tensor::ExtractOp,
             vector::TransferReadOp>(op) ||
         (loops && loops.isDpsInput(&use));
}

/// Reads what the slice has from where it is.
static void readSource(OpBuilder &builder, Operation *op,
                       tensor::ExtractSliceOp slice) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto place = [&](ValueRange indices) {
    SmallVector<Value> places;
    for (auto [index, offset] :
         llvm::zip_equal(indices, slice.getMixedOffsets())) {
      Value begin = getValueOrCreateConstantIndexOp(builder, loc, offset);
      places.push_back(
          isZeroInteger(offset)
              ? index
              : builder.createOrFold<arith::AddIOp>(loc, begin, index));
    }
    return places;
  };
  Value made;
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    made = vector::TransferReadOp::create(
        builder, loc, read.getVectorType(), slice.getSource(),
        place(read.getIndices()), read.getPermutationMapAttr(),
        read.getPadding(), read.getMask(), read.getInBoundsAttr());
  else
    made = tensor::ExtractOp::create(
        builder, loc, slice.getSource(),
        place(cast<tensor::ExtractOp>(op).getIndices()));
  op->getResult(0).replaceAllUsesWith(made);
  op->erase();
}

namespace {
struct ReadSlices : wax::impl::ReadSlicesBase<ReadSlices> {
  void runOnOperation() override {
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp slice) {
      bool isWorth =
          !slice->getParentOfType<iree::DispatchRegionOp>() &&
          slice.getType().getRank() == slice.getSourceType().getRank() &&
          slice.hasUnitStride() && !isShown(slice) &&
          llvm::all_of(slice.getSource().getUses(), isRead);
      if (isWorth)
        slices.push_back(slice);
    });
    OpBuilder builder(&getContext());
    for (tensor::ExtractSliceOp slice : slices) {
      SmallVector<Operation *> reads;
      bool isOnlyRead = llvm::all_of(slice->getUses(), [&](OpOperand &use) {
        Operation *op = use.getOwner();
        if (isa<tensor::DimOp>(op))
          return true;
        reads.push_back(op);
        // What is read beyond its end, without a mask, would be another's.
        auto read = dyn_cast<vector::TransferReadOp>(op);
        bool isInside =
            read ? !read.hasOutOfBoundsDim() : isa<tensor::ExtractOp>(op);
        return isInside && op->getParentOfType<iree::DispatchRegionOp>();
      });
      if (!isOnlyRead)
        continue;
      for (Operation *read : reads)
        readSource(builder, read, slice);
    }
  }
};
} // namespace
