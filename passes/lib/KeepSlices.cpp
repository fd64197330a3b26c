//===- KeepSlices.cpp - Slices that are read element by element -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPSLICES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

/// Whether the elements of `slice` lie side by side. Of what is computed a
/// slice may be computed from another, in another layout.
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
  return wax::iree::isTogether(slice);
}

/// Collects the slices that IREE may come to where it computes an element of
/// `tensor` as it is read.
static void collectSlices(Value tensor, SetVector<Operation *> &slices,
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

/// Whether `op` only looks up one element, at a place that it computes.
static bool isGathered(Operation *op) {
  auto nest = dyn_cast_or_null<linalg::GenericOp>(op);
  return nest && nest.getNumResults() == 1 &&
         wax::iree::hasOneElement(nest.getResult(0).getType()) &&
         nest.getBody()
             ->getTerminator()
             ->getOperand(0)
             .getDefiningOp<tensor::ExtractOp>();
}

/// The slice, or the element that was looked up, that a tensor is, or is a view
/// of; null for others.
static Operation *getSlice(Value tensor) {
  while (Operation *view = tensor.getDefiningOp()) {
    if (isa<tensor::ExtractSliceOp>(view) || isGathered(view))
      return view;
    if (!wax::iree::isView(view))
      break;
    tensor = view->getOperand(0);
  }
  return nullptr;
}

/// Collects the slices that are one element of `op`, which has more dims: IREE
/// 3.13 makes an expansion of it, moves that before the slice, and slices a
/// scalar. An expansion it leaves where it is if only loops read it, or the
/// caller.
static void collectElements(Operation *op, SetVector<Operation *> &slices) {
  if (op->getNumResults() == 0 ||
      !wax::iree::hasOneElement(op->getResult(0).getType()))
    return;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    if (llvm::all_of(expand->getUsers(),
                     llvm::IsaPred<linalg::LinalgOp, func::ReturnOp>))
      return;
    if (Operation *slice = getSlice(expand.getSrc()))
      slices.insert(slice);
    return;
  }
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  if (!nest || nest.getNumParallelLoops() != nest.getNumLoops())
    return;
  auto getRank = [](Operation *made) {
    return cast<RankedTensorType>(made->getResult(0).getType()).getRank();
  };
  for (OpOperand *input : nest.getDpsInputOperands()) {
    Operation *slice = getSlice(input->get());
    if (slice && getRank(slice) < getRank(op))
      slices.insert(slice);
  }
}

/// Whether a map makes wider elements than it reads. IREE computes such inside
/// of the dispatch that reads it, and 3.13 all of it there, on the stack, where
/// every other element is read.
static bool isWidening(Operation *op) {
  auto map = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!map || map.getNumParallelLoops() != map.getNumLoops() ||
      map.getNumDpsInputs() == 0)
    return false;
  auto getWidth = [](Value tensor) -> unsigned {
    Type element = getElementTypeOrSelf(tensor);
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  return llvm::all_of(map.getDpsInputs(), [&](Value input) {
    return getWidth(input) < getWidth(op->getResult(0));
  });
}

namespace {
struct KeepSlices : wax::impl::KeepSlicesBase<KeepSlices> {
  void runOnOperation() override {
    SetVector<Operation *> slices;
    llvm::SmallPtrSet<Operation *, 16> seen;
    getOperation().walk([&](tensor::ExtractOp op) {
      if (op->getParentOfType<linalg::GenericOp>())
        collectSlices(op.getTensor(), slices, seen);
    });
    getOperation().walk([&](Operation *op) { collectElements(op, slices); });
    SetVector<Value> widened;
    getOperation().walk([&](tensor::ExtractSliceOp slice) {
      Value viewed = wax::iree::getViewed(slice.getSource());
      if (!slice.hasUnitStride() && isWidening(viewed.getDefiningOp()))
        widened.insert(viewed);
    });
    for (Value tensor : widened)
      wax::iree::setApart(tensor);
    for (Operation *made : slices) {
      // Its sizes stand before it, so that only tensors lie behind the barrier.
      SmallVector<OpFoldResult> sizes;
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(made)) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped[dim])
            sizes.push_back(size);
      }
      wax::iree::setApart(made->getResult(0), ArrayRef(sizes));
    }
  }
};
} // namespace
