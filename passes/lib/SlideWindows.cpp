//===- SlideWindows.cpp - Sums of windows by vectors ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the sums of windows, and has what they read be read where it lies.
//
//===----------------------------------------------------------------------===//

#include "WindowSums.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SLIDEWINDOWS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Has a copy that turns the dims of what is padded turn those of what is not
/// yet, and pads its result, of which windows then read what is there.
static void padLater(linalg::GenericOp copy, RewriterBase &rewriter) {
  SmallVector<AffineMap> maps = copy.getIndexingMapsArray();
  if (!linalg::isaTransposeOpInterface(copy))
    return;
  Value read = copy.getInputs().front();
  SmallVector<int64_t> dims = getSourceDims(read);
  auto expand = read.getDefiningOp<tensor::ExpandShapeOp>();
  if (dims.empty()) {
    expand = nullptr;
    dims = llvm::to_vector(llvm::seq<int64_t>(maps[0].getNumResults()));
  }
  tensor::PadOp pad = getKnownPad(expand ? expand.getSrc() : read);
  if (!pad)
    return;
  Location loc = copy.getLoc();
  rewriter.setInsertionPoint(copy);
  Value source = pad.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> sizes(maps[0].getNumResults(), 1), turned(sizes);
  SmallVector<OpFoldResult> low(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> high(low);
  for (auto [dim, from] : llvm::enumerate(dims)) {
    sizes[from] = type.getDimSize(dim);
    unsigned to = maps[0].getDimPosition(from);
    low[to] = pad.getMixedLowPad()[dim];
    high[to] = pad.getMixedHighPad()[dim];
  }
  for (auto [from, size] : llvm::enumerate(sizes))
    turned[maps[0].getDimPosition(from)] = size;
  if (expand)
    source =
        tensor::ExpandShapeOp::create(rewriter, loc, type.clone(sizes), source,
                                      expand.getReassociationIndices());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, turned, type.getElementType());
  auto made = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), source, empty, maps,
      copy.getIteratorTypesArray(),
      [](OpBuilder &builder, Location loc, ValueRange elements) {
        linalg::YieldOp::create(builder, loc, elements.front());
      });
  rewriter.replaceOpWithNewOp<tensor::PadOp>(copy, copy.getResult(0).getType(),
                                             made.getResult(0), low, high,
                                             pad.getConstantPaddingValue());
}

/// What makes the result of a dispatch of IREE's, if it has one.
static linalg::GenericOp getOnly(iree::DispatchRegionOp dispatch) {
  if (!dispatch || dispatch->getNumResults() != 1)
    return nullptr;
  Operation *end = dispatch->getRegion(0).front().getTerminator();
  return end->getOperand(0).getDefiningOp<linalg::GenericOp>();
}

/// Takes loops out of a dispatch of IREE's that is made for them, if they are
/// in one. False where that has more.
static bool takeOut(linalg::GenericOp op, RewriterBase &rewriter) {
  auto dispatch = op->getParentOfType<iree::DispatchRegionOp>();
  if (!dispatch)
    return true;
  Block &body = dispatch->getRegion(0).front();
  if (op->getBlock() != &body || getOnly(dispatch) != op)
    return false;
  for (Operation &inside :
       llvm::make_early_inc_range(body.without_terminator()))
    rewriter.moveOpBefore(&inside, dispatch);
  rewriter.replaceOp(dispatch, op.getResults());
  return true;
}

namespace {
struct SlideWindows : wax::impl::SlideWindowsBase<SlideWindows> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (!op->getParentOfType<LoopLikeOpInterface>())
        found.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : found) {
      std::optional<WindowSums> windows = WindowSums::of(op);
      if (!windows || !takeOut(op, rewriter))
        continue;
      // Copies that turn dims are made by squares where they are for no loops
      // of IREE's.
      for (Value input : llvm::to_vector(op.getInputs()))
        if (auto copy = getOnly(input.getDefiningOp<iree::DispatchRegionOp>()))
          if (takeOut(copy, rewriter))
            padLater(copy, rewriter);
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, windows->emit(rewriter));
    }
  }
};
} // namespace
