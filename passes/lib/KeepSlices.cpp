//===- KeepSlices.cpp - Slices that are read element by element -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPSLICES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

/// Whether the elements of `slice` lie side by side: all of each dim after the
/// first that has more than one of them. Of what is computed a slice may be
/// computed from another, in another layout.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (Operation *op = source.getDefiningOp()) {
    if (isa<linalg::LinalgOp, tensor::ExtractSliceOp>(op))
      return false;
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            op))
      break;
    source = op->getOperand(0);
  }
  bool isBox = false;
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    int64_t whole = slice.getSourceType().getDimSize(dim);
    bool isWhole = isZeroInteger(offset) && isOneInteger(stride) &&
                   getConstantIntValue(size) == whole;
    if (isBox && !isWhole)
      return false;
    if (!isOneInteger(stride))
      return false;
    isBox |= !isOneInteger(size);
  }
  return true;
}

/// Collects the slices that IREE may come to where it computes an element of
/// `tensor` as it is read.
static void collectSlices(Value tensor,
                          SetVector<tensor::ExtractSliceOp> &slices,
                          llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isContiguous(slice))
      slices.insert(slice);
    return;
  }
  auto computed = dyn_cast<linalg::LinalgOp>(op);
  if (computed && computed.getNumParallelLoops() == computed.getNumLoops()) {
    for (Value input : computed.getDpsInputs())
      collectSlices(input, slices, seen);
  } else if (isa<tensor::CastOp, tensor::CollapseShapeOp,
                 tensor::ExpandShapeOp>(op)) {
    collectSlices(op->getOperand(0), slices, seen);
  }
}

/// The slice that a tensor is, or is a view of; null for others.
static tensor::ExtractSliceOp getSlice(Value tensor) {
  while (Operation *view = tensor.getDefiningOp()) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view))
      return slice;
    if (!wax::iree::isView(view))
      break;
    tensor = view->getOperand(0);
  }
  return nullptr;
}

static bool isElement(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

/// Collects the slices that are one element of `op`, which has more dims: IREE
/// 3.13 makes an expansion of it, moves that before the slice, and slices a
/// scalar. An expansion whose sizes nobody forgets it leaves where it is.
static void collectElements(Operation *op,
                            SetVector<tensor::ExtractSliceOp> &slices) {
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto expand = cast.getSource().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !isElement(expand))
      return;
    if (tensor::ExtractSliceOp slice = getSlice(expand.getSrc()))
      slices.insert(slice);
    return;
  }
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  if (!nest || nest.getNumParallelLoops() != nest.getNumLoops() ||
      op->getNumResults() == 0 || !isElement(op->getResult(0)))
    return;
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  for (OpOperand *input : nest.getDpsInputOperands()) {
    tensor::ExtractSliceOp slice = getSlice(input->get());
    if (slice && slice.getType().getRank() < rank)
      slices.insert(slice);
  }
}

namespace {
struct KeepSlices : wax::impl::KeepSlicesBase<KeepSlices> {
  void runOnOperation() override {
    SetVector<tensor::ExtractSliceOp> slices;
    llvm::SmallPtrSet<Operation *, 16> seen;
    getOperation().walk([&](tensor::ExtractOp op) {
      if (op->getParentOfType<linalg::GenericOp>())
        collectSlices(op.getTensor(), slices, seen);
    });
    getOperation().walk([&](Operation *op) { collectElements(op, slices); });
    for (tensor::ExtractSliceOp slice : slices) {
      OpBuilder builder(slice->getContext());
      builder.setInsertionPointAfter(slice);
      Location loc = slice.getLoc();
      // Its sizes stand before it, so that only tensors lie behind the barrier.
      SmallVector<OpFoldResult> sizes;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
        if (!dropped[dim])
          sizes.push_back(size);
      Value apart = wax::iree::createApart(builder, loc, slice, sizes);
      slice.getResult().replaceUsesWithIf(apart, [&](OpOperand &use) {
        return use.getOwner() != apart.getDefiningOp() &&
               !isa<wax::iree::OptimizationBarrierOp, tensor::DimOp>(
                   use.getOwner());
      });
    }
  }
};
} // namespace
