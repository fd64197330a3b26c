//===- Box.cpp - Boxes in tensors, and reads through them -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

OpFoldResult mlir::wax::clampOffset(OpBuilder &builder, Location loc,
                                    OpFoldResult offset, OpFoldResult boxSize,
                                    int64_t stride, OpFoldResult size) {
  // A static offset fits, by slice_c4 and insert_c4; one that is a constant
  // value need not. Only a box of nothing may start at the end, where upstream
  // lets none begin: it may as well start at 0.
  if (isa<Attribute>(offset)) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    bool isEnd = constant && *getConstantIntValue(offset) >= *constant;
    return isEnd ? builder.getIndexAttr(0) : offset;
  }
  // Where it begins at 0 it does so whatever its size is.
  if (isZeroInteger(offset))
    return builder.getIndexAttr(0);
  auto value = [&](OpFoldResult mixed) {
    return getValueOrCreateConstantIndexOp(builder, loc, mixed);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value span;
  if (std::optional<int64_t> constant = getConstantIntValue(boxSize)) {
    int64_t known = *constant == 0 ? 0 : (*constant - 1) * stride + 1;
    span = arith::ConstantIndexOp::create(builder, loc, known);
  } else {
    span = value(boxSize);
    if (stride != 1) {
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      Value steps = arith::SubIOp::create(builder, loc, span, one);
      Value factor = arith::ConstantIndexOp::create(builder, loc, stride);
      Value reach = arith::MulIOp::create(builder, loc, steps, factor);
      Value full = arith::AddIOp::create(builder, loc, reach, one);
      // An empty box spans nothing, and the formula gives less than that.
      span = arith::MaxSIOp::create(builder, loc, full, zero);
    }
  }
  Value last = arith::SubIOp::create(builder, loc, value(size), span);
  Value low = arith::MinSIOp::create(builder, loc, value(offset), last);
  return arith::MaxSIOp::create(builder, loc, low, zero).getResult();
}

Value mlir::wax::extractElement(OpBuilder &builder, Location loc, Value tensor,
                                ValueRange position) {
  SmallVector<Value> at(position);
  auto value = [&](OpFoldResult mixed) {
    return getValueOrCreateConstantIndexOp(builder, loc, mixed);
  };
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      tensor = cast.getSource();
      continue;
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      // Of each group all dims but one are 1: nothing is merged.
      SmallVector<int64_t> kept;
      auto sizes = collapse.getSrcType().getShape();
      for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
        auto longer = llvm::make_filter_range(
            group, [&](int64_t dim) { return sizes[dim] != 1; });
        if (llvm::range_size(longer) > 1)
          break;
        kept.push_back(longer.empty() ? group.front() : *longer.begin());
      }
      if (kept.size() != at.size())
        break;
      SmallVector<Value> places(sizes.size(), value(builder.getIndexAttr(0)));
      for (auto [dim, place] : llvm::zip_equal(kept, at))
        places[dim] = place;
      at = places;
      tensor = collapse.getSrc();
      continue;
    }
    auto box = dyn_cast<tensor::ExtractSliceOp>(op);
    if (!box || box.getSourceType().getRank() != box.getType().getRank())
      break;
    for (auto [place, offset, stride] :
         llvm::zip(at, box.getMixedOffsets(), box.getMixedStrides())) {
      if (!isOneInteger(stride))
        place = arith::MulIOp::create(builder, loc, place, value(stride));
      if (!isZeroInteger(offset))
        place = arith::AddIOp::create(builder, loc, place, value(offset));
    }
    tensor = box.getSource();
  }
  return tensor::ExtractOp::create(builder, loc, tensor, at);
}
