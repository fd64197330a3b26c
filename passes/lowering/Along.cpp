//===- Along.cpp - Tensors seen along one dim -----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Along.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

Along::Along(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
             int64_t dim)
    : outer(multiply(builder, loc, sizes.take_front(dim))), along(sizes[dim]),
      inner(multiply(builder, loc, sizes.drop_front(dim + 1))),
      hasOuter(getConstantIntValue(outer) != 1),
      hasInner(getConstantIntValue(inner) != 1), sizes(sizes) {
  int64_t rank = sizes.size();
  int64_t alongFrom = hasOuter ? dim : 0, alongTo = hasInner ? dim + 1 : rank;
  for (auto [from, to] : {std::pair<int64_t, int64_t>{0, alongFrom},
                          {alongFrom, alongTo},
                          {alongTo, rank}})
    if (from != to)
      groups.emplace_back(llvm::to_vector<2>(llvm::seq(from, to)));
}

Value Along::merge(OpBuilder &builder, Location loc, Value tensor) const {
  Type element = getElementTypeOrSelf(tensor.getType());
  tensor = castTo(builder, loc, getTensorType(sizes, element), tensor);
  if (groups.size() == sizes.size())
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
}

Value Along::split(OpBuilder &builder, Location loc, LoweringTarget target,
                   Value merged, RankedTensorType type) const {
  SmallVector<ReassociationIndices> unmerged;
  for (int64_t dim : llvm::seq<int64_t>(groups.size()))
    unmerged.push_back({dim});
  return castTo(
      builder, loc, type,
      createReshape(builder, loc, target, merged, unmerged, groups, sizes));
}
