//===- Views.cpp - permute, reshape, slice ------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "Stored.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

//===----------------------------------------------------------------------===//
// permute
//===----------------------------------------------------------------------===//

struct LowerPermute
    : LowerableOpInterface::ExternalModel<LowerPermute, PermuteOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto permute = cast<PermuteOp>(op);
    Value empty =
        createEmptyLike(rewriter, op->getLoc(), permute.getResult(), context);
    auto transpose = linalg::TransposeOp::create(rewriter, op->getLoc(),
                                                 permute.getOperand(), empty,
                                                 permute.getPermutation());
    return SmallVector<Value>(transpose->getResults());
  }
};

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// Spreads the dims of groups with nothing on the other side, all of size 1,
/// over their neighbours: what is left are the groups that both sides have.
SmallVector<ReassociationIndices>
getReassociation(ArrayAttr groups, ArrayRef<bool> isShared, int64_t rank) {
  SmallVector<ReassociationIndices> shared;
  ReassociationIndices leading;
  for (auto [attr, keep] : llvm::zip_equal(groups, isShared)) {
    ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    if (keep) {
      shared.emplace_back(leading);
      leading.clear();
      shared.back().append(dims.begin(), dims.end());
    } else if (!shared.empty()) {
      shared.back().append(dims.begin(), dims.end());
    } else {
      leading.append(dims.begin(), dims.end());
    }
  }
  return shared;
}

/// The type with the dims of groups that the other side lacks, which are of
/// size 1 by reshape_c2, said to be so.
RankedTensorType withUnitDims(RankedTensorType type, ArrayAttr groups,
                              ArrayRef<bool> isShared) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [attr, keep] : llvm::zip_equal(groups, isShared))
    if (!keep)
      for (int64_t dim : cast<DenseI64ArrayAttr>(attr).asArrayRef())
        shape[dim] = 1;
  return type.clone(shape);
}

/// The type with one dim per group; static where all dims of the group are.
RankedTensorType getMergedType(RankedTensorType type,
                               ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group) {
      if (type.isDynamicDim(dim) || ShapedType::isDynamic(size))
        size = ShapedType::kDynamic;
      else
        size *= type.getDimSize(dim);
    }
    shape.push_back(size);
  }
  return RankedTensorType::get(shape, type.getElementType());
}

bool splitsIntoSeveralUnknown(RankedTensorType type,
                              ArrayRef<ReassociationIndices> groups) {
  return llvm::any_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(
               group, [&](int64_t dim) { return type.isDynamicDim(dim); }) > 1;
  });
}

Value reshapeAtOnce(OpBuilder &builder, Location loc, Value value,
                    RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> values =
      getValueOrCreateConstantIndexOp(builder, loc, sizes);
  Value shape = tensor::FromElementsOp::create(builder, loc, values);
  return tensor::ReshapeOp::create(builder, loc, type, value, shape);
}

} // namespace

Value mlir::wax::createReshape(OpBuilder &builder, Location loc,
                               LoweringTarget target, Value value,
                               ArrayRef<ReassociationIndices> merge,
                               ArrayRef<ReassociationIndices> split,
                               ArrayRef<OpFoldResult> sizes) {
  auto sourceType = cast<RankedTensorType>(value.getType());
  RankedTensorType type = getTensorType(sizes, sourceType.getElementType());
  // Upstream's expand-strided-metadata crashes on such an expand_shape
  // (LLVM 22).
  if (target == LoweringTarget::Upstream &&
      splitsIntoSeveralUnknown(type, split))
    return reshapeAtOnce(builder, loc, value, type, sizes);

  // A dim is static between the steps where either side knows its size.
  RankedTensorType merged = getMergedType(sourceType, merge);
  RankedTensorType unsplit = getMergedType(type, split);
  if (static_cast<int64_t>(merge.size()) != sourceType.getRank())
    value = tensor::CollapseShapeOp::create(builder, loc, merged, value, merge);
  value = castTo(builder, loc, unsplit, value);
  if (static_cast<int64_t>(split.size()) != type.getRank())
    value =
        tensor::ExpandShapeOp::create(builder, loc, type, value, split, sizes);
  return value;
}

Value mlir::wax::splitDims(OpBuilder &builder, Location loc,
                           LoweringTarget target, Value value,
                           RankedTensorType type,
                           ArrayRef<ArrayRef<OpFoldResult>> groups) {
  SmallVector<ReassociationIndices> merged, split;
  SmallVector<OpFoldResult> sizes;
  for (ArrayRef<OpFoldResult> group : groups) {
    if (group.empty())
      continue;
    merged.push_back({static_cast<int64_t>(merged.size())});
    int64_t first = sizes.size();
    llvm::append_range(sizes, group);
    int64_t last = sizes.size();
    split.emplace_back(llvm::to_vector<2>(llvm::seq(first, last)));
  }
  value = convertStored(builder, loc, value, type.getElementType());
  if (split.empty())
    return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                           ArrayRef<ReassociationIndices>());
  return castTo(
      builder, loc, type,
      createReshape(builder, loc, target, value, merged, split, sizes));
}

namespace {

/// Merges the dims of each group, then splits them.
struct LowerReshape
    : LowerableOpInterface::ExternalModel<LowerReshape, ReshapeOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto reshape = cast<ReshapeOp>(op);
    Location loc = op->getLoc();
    Value value = reshape.getOperand();
    auto resultType = cast<RankedTensorType>(reshape.getResult().getType());

    SmallVector<bool> isShared;
    for (auto [source, result] :
         llvm::zip_equal(reshape.getSourceGroups(), reshape.getResultGroups()))
      isShared.push_back(!cast<DenseI64ArrayAttr>(source).empty() &&
                         !cast<DenseI64ArrayAttr>(result).empty());
    RankedTensorType sourceType =
        withUnitDims(cast<RankedTensorType>(value.getType()),
                     reshape.getSourceGroups(), isShared);
    value = castTo(rewriter, loc, sourceType, value);
    SmallVector<ReassociationIndices> merge = getReassociation(
        reshape.getSourceGroups(), isShared, sourceType.getRank());
    SmallVector<ReassociationIndices> split = getReassociation(
        reshape.getResultGroups(), isShared, resultType.getRank());

    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, reshape.getResult());
    value = createReshape(rewriter, loc, context.getTarget(), value, merge,
                          split, sizes);
    return SmallVector<Value>{castTo(rewriter, loc, resultType, value)};
  }
};

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

struct LowerSlice : LowerableOpInterface::ExternalModel<LowerSlice, SliceOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto slice = cast<SliceOp>(op);
    Location loc = op->getLoc();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, slice.getResult());
    SmallVector<OpFoldResult> offsets, strides;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getMixedOffsets(), slice.getStrides())) {
      OpFoldResult size =
          context.getSize(rewriter, loc, slice.getOperand(), dim);
      offsets.push_back(
          clampOffset(rewriter, loc, offset, sizes[dim], stride, size));
      strides.push_back(rewriter.getIndexAttr(stride));
    }
    Value box = tensor::ExtractSliceOp::create(
        rewriter, loc, slice.getOperand(), offsets, sizes, strides);
    return SmallVector<Value>{
        castTo(rewriter, loc, slice.getResult().getType(), box)};
  }
};

} // namespace

void mlir::wax::attachViewLowerings(MLIRContext *context) {
  PermuteOp::attachInterface<LowerPermute>(*context);
  ReshapeOp::attachInterface<LowerReshape>(*context);
  SliceOp::attachInterface<LowerSlice>(*context);
}
