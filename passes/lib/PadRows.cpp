//===- PadRows.cpp - Rows with a number around, by vectors ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPUContext.h"

#include "../lowering/CopyRows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

namespace mlir::wax {
#define GEN_PASS_DEF_PADROWS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Elements below which a dispatch takes longer than what it copies.
static constexpr int64_t fewestElements = 4096;

/// How rows are padded, if more than one is, by a number, and by how much is
/// known.
static std::optional<RowPadding> getRowPadding(tensor::PadOp pad,
                                               bool isAlone) {
  Value number = pad.getConstantPaddingValue();
  RankedTensorType type = pad.getResultType();
  auto isOpen = [](ArrayRef<int64_t> amounts) {
    return llvm::any_of(amounts, ShapedType::isDynamic);
  };
  if (!number || pad.getRegion().isAncestor(number.getParentRegion()) ||
      isOpen(pad.getStaticLow()) || isOpen(pad.getStaticHigh()))
    return std::nullopt;
  RowPadding padding{number, llvm::to_vector(pad.getStaticLow()),
                     llvm::to_vector(pad.getStaticHigh()), type.getRank()};
  // What follows the last dim that is padded is of its rows.
  int64_t &along = padding.along;
  for (int64_t dim : llvm::seq(type.getRank()))
    if (padding.low[dim] != 0 || padding.high[dim] != 0)
      along = type.getRank() - dim;
  bool isOneRow = llvm::all_of(type.getShape().drop_back(along),
                               [](int64_t size) { return size == 1; });
  bool isFew = type.hasStaticShape() && type.getNumElements() < fewestElements;
  if (!isStoredLaneType(type.getElementType()) ||
      (isAlone ? isOneRow && !isFew : isOneRow || isFew))
    return std::nullopt;
  return padding;
}

namespace {
struct PadRows : wax::impl::PadRowsBase<PadRows> {
  using PadRowsBase::PadRowsBase;

  void runOnOperation() override {
    CPUContext context;
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp pad) {
      if (!pad->getParentOfType<iree::DispatchRegionOp>() &&
          !pad->getParentOfType<LoopLikeOpInterface>())
        pads.push_back(pad);
    });
    for (tensor::PadOp pad : pads) {
      std::optional<RowPadding> padding = getRowPadding(pad, alone);
      if (!padding)
        continue;
      rewriter.setInsertionPoint(pad);
      rewriter.replaceOp(pad, padRows(rewriter, pad.getLoc(), context, *padding,
                                      pad.getResultType(), pad.getSource()));
    }
  }
};
} // namespace
