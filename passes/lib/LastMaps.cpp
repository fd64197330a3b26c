//===- LastMaps.cpp - What is left for IREE, as maps ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastMaps.h"
#include "wax/Passes/IREE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

/// Whether IREE has nothing to make of an operation beside loops.
static bool isLoopless(Operation *op) {
  return iree::isView(op) || matchPattern(op, m_Constant()) ||
         isa<ModuleOp, func::FuncOp, func::ReturnOp, tensor::EmptyOp>(op);
}

/// Whether a map is of one element, which is in no dim, and made of others.
static bool isOfOne(linalg::GenericOp op) {
  return op.getNumLoops() == 0 && op->getNumResults() == 1 &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.getRank() == 0;
         });
}

/// Such a map as one of a row.
static linalg::GenericOp makeRow(linalg::GenericOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto inDim = [](Value tensor) {
    return cast<RankedTensorType>(
        RankedTensorType::get({1}, getElementTypeOrSelf(tensor)));
  };
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    // What such a map made is a row already.
    auto made = input.getDefiningOp<tensor::CollapseShapeOp>();
    bool isRow = made && made.getSrcType() == inDim(input);
    inputs.push_back(isRow ? made.getSrc()
                           : tensor::ExpandShapeOp::create(
                                 rewriter, loc, inDim(input), input,
                                 ArrayRef<ReassociationIndices>()));
  }
  RankedTensorType made = inDim(op->getResult(0));
  Value empty = tensor::EmptyOp::create(rewriter, loc, made.getShape(),
                                        made.getElementType());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              rewriter.getMultiDimIdentityMap(1));
  auto row = linalg::GenericOp::create(rewriter, loc, made, inputs, empty, maps,
                                       utils::IteratorType::parallel);
  rewriter.inlineRegionBefore(op.getRegion(), row.getRegion(),
                              row.getRegion().begin());
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, op->getResult(0).getType(), row->getResult(0),
      ArrayRef<ReassociationIndices>());
  return row;
}

/// Erases what functions make and nobody reads.
static void eraseDead(ModuleOp module, RewriterBase &rewriter) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      for (Operation &op : llvm::make_early_inc_range(
               llvm::reverse(function.getBody().front())))
        if (isOpTriviallyDead(&op))
          rewriter.eraseOp(&op);
}

SmallVector<linalg::GenericOp>
mlir::wax::takeLast(ModuleOp module, Processor processor,
                    RewriterBase &rewriter,
                    llvm::function_ref<bool(linalg::LinalgOp)> isForUs) {
  eraseDead(module, rewriter);
  SmallVector<linalg::LinalgOp> left;
  bool hasMaps = false, hasOthers = false;
  WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<iree::DispatchRegionOp, scf::ForallOp>(op))
      return WalkResult::skip();
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (!loops) {
      hasOthers |= !isLoopless(op);
      return WalkResult::advance();
    }
    auto map = dyn_cast<linalg::GenericOp>(op);
    if (!(map && isOfOne(map)) && !isForUs(loops))
      return WalkResult::interrupt();
    hasMaps |= bool(map);
    left.push_back(loops);
    return WalkResult::skip();
  });
  SmallVector<linalg::GenericOp> maps;
  if (walked.wasInterrupted() ||
      (hasMaps && (processor == Processor::Any || hasOthers)))
    return maps;
  SmallVector<linalg::GenericOp> rows;
  for (linalg::LinalgOp &loops : left)
    if (auto map = dyn_cast<linalg::GenericOp>(*loops); map && isOfOne(map)) {
      rows.push_back(makeRow(map, rewriter));
      loops = rows.back();
    }
  // Rows are read as such.
  eraseDead(module, rewriter);
  if (!llvm::all_of(rows, [&](linalg::GenericOp row) {
        return isForUs(cast<linalg::LinalgOp>(*row));
      }))
    return maps;
  for (linalg::LinalgOp loops : left) {
    rewriter.setInsertionPoint(loops);
    maps.push_back(isa<linalg::GenericOp>(loops)
                       ? cast<linalg::GenericOp>(loops)
                       : *linalg::generalizeNamedOp(rewriter, loops));
  }
  return maps;
}
