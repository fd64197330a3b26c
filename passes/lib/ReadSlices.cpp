//===- ReadSlices.cpp - Slices that are read where they lie ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastLoops.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::wax {
#define GEN_PASS_DEF_READSLICES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether IREE shows a dispatch the memory of a slice. Of one that begins
/// anywhere it does not know that it is aligned, and copies it.
static bool isShown(tensor::ExtractSliceOp slice) {
  return slice.getType().hasStaticShape() && iree::isTogether(slice) &&
         llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic);
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

namespace {
/// What reads a slice in a dispatch, perhaps as a tensor of fewer dims: of each
/// of its dims, the slice's that it goes along. All others have one element.
struct Reading {
  Operation *op;
  SmallVector<int64_t> dims;
};
} // namespace

/// The dims that a tensor with `dims` of a slice has when those of one element
/// are taken out of its groups. Nothing where others go together.
static std::optional<SmallVector<int64_t>>
getJoined(tensor::CollapseShapeOp join, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> joined;
  for (ArrayRef<int64_t> group : join.getReassociationIndices()) {
    std::optional<int64_t> found;
    for (int64_t dim : group)
      if (join.getSrcType().getDimSize(dim) != 1) {
        if (found)
          return std::nullopt;
        found = dims[dim];
      }
    joined.push_back(found.value_or(dims[group.back()]));
  }
  return joined;
}

/// Adds all that reads a tensor, or says that some of it needs the slice.
static bool addReadings(Value tensor, ArrayRef<int64_t> dims,
                        SmallVectorImpl<Reading> &readings) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *op) {
    if (isa<tensor::DimOp>(op))
      return true;
    if (auto join = dyn_cast<tensor::CollapseShapeOp>(op)) {
      std::optional<SmallVector<int64_t>> joined = getJoined(join, dims);
      return joined && addReadings(join.getResult(), *joined, readings);
    }
    readings.push_back({op, llvm::to_vector(dims)});
    // What is read beyond its end, without a mask, would be another's.
    auto read = dyn_cast<vector::TransferReadOp>(op);
    bool isInside =
        read ? !read.hasOutOfBoundsDim() : isa<tensor::ExtractOp>(op);
    return isInside && op->getParentOfType<iree::DispatchRegionOp>();
  });
}

/// Whether dispatches read the slice's source as well as the slice: elements
/// behind each other, or one by one.
static bool mayRead(tensor::ExtractSliceOp slice, ArrayRef<Reading> readings) {
  return slice.hasUnitStride() ||
         llvm::all_of(readings, [&](const Reading &reading) {
           auto read = dyn_cast<vector::TransferReadOp>(reading.op);
           return !read ||
                  llvm::all_of(
                      read.getPermutationMap().getResults(),
                      [&](AffineExpr expr) {
                        auto dim = dyn_cast<AffineDimExpr>(expr);
                        return dim &&
                               slice.getStaticStrides()
                                       [reading.dims[dim.getPosition()]] == 1;
                      });
         });
}

/// Reads what the slice has from where it is.
static void readSource(OpBuilder &builder, const Reading &reading,
                       tensor::ExtractSliceOp slice) {
  auto [op, dims] = reading;
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto place = [&](ValueRange indices) {
    SmallVector<Value> places;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
      Value begin = getValueOrCreateConstantIndexOp(builder, loc, offset);
      const auto *along = llvm::find(dims, static_cast<int64_t>(dim));
      if (along == dims.end()) {
        places.push_back(begin);
        continue;
      }
      Value index = indices[along - dims.begin()];
      if (!isOneInteger(stride))
        index = builder.createOrFold<arith::MulIOp>(
            loc, index, getValueOrCreateConstantIndexOp(builder, loc, stride));
      places.push_back(
          isZeroInteger(offset)
              ? index
              : builder.createOrFold<arith::AddIOp>(loc, begin, index));
    }
    return places;
  };
  Value made;
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    SmallVector<AffineExpr> along(dims.size());
    for (auto [expr, dim] : llvm::zip_equal(along, dims))
      expr = builder.getAffineDimExpr(dim);
    AffineMap map = read.getPermutationMap().replaceDimsAndSymbols(
        along, {}, slice.getSourceType().getRank(), 0);
    made = vector::TransferReadOp::create(
        builder, loc, read.getVectorType(), slice.getSource(),
        place(read.getIndices()), AffineMapAttr::get(map), read.getPadding(),
        read.getMask(), read.getInBoundsAttr());
  } else {
    made = tensor::ExtractOp::create(
        builder, loc, slice.getSource(),
        place(cast<tensor::ExtractOp>(op).getIndices()));
  }
  op->getResult(0).replaceAllUsesWith(made);
  op->erase();
}

namespace {
struct ReadSlices : wax::impl::ReadSlicesBase<ReadSlices> {
  using ReadSlicesBase::ReadSlicesBase;

  void runOnOperation() override {
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp slice) {
      bool isWorth = !slice->getParentOfType<iree::DispatchRegionOp>() &&
                     (slice.hasUnitStride() || alone) && !isShown(slice) &&
                     llvm::all_of(slice.getSource().getUses(), isRead);
      if (isWorth)
        slices.push_back(slice);
    });
    OpBuilder builder(&getContext());
    for (tensor::ExtractSliceOp slice : slices) {
      SmallVector<Reading> readings;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      SmallVector<int64_t> dims;
      for (int64_t dim : llvm::seq(slice.getSourceType().getRank()))
        if (!dropped.test(dim))
          dims.push_back(dim);
      if (!addReadings(slice.getResult(), dims, readings) ||
          !mayRead(slice, readings))
        continue;
      for (const Reading &reading : readings)
        readSource(builder, reading, slice);
    }
    if (alone)
      copyOthers();
  }

  /// Copies the slices that others than dispatches read.
  void copyOthers() {
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp slice) {
      if (!slice->getParentOfType<iree::DispatchRegionOp>() &&
          !iree::isTogether(slice))
        slices.push_back(slice);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp slice : slices) {
      rewriter.setInsertionPoint(slice);
      if (slice.use_empty())
        rewriter.eraseOp(slice);
      else if (Value copy = copySlice(slice, rewriter))
        rewriter.replaceOp(slice, copy);
    }
  }
};
} // namespace
