//===- WindowSizes.cpp - How many windows a dim has -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSizes.h"

using namespace mlir;
using namespace mlir::wax;

AffineExpr mlir::wax::getMultiple(AffineExpr size, int64_t factor) {
  if (int64_t known = getStaticSize(size);
      !ShapedType::isDynamic(known) && known > kMostElements / factor)
    return getAffineConstantExpr(kMostElements + 1, size.getContext());
  return size * factor;
}

AffineExpr mlir::wax::getSpan(AffineExpr count, int64_t dilation) {
  return getMultiple(count - 1, dilation) + 1;
}

FailureOr<AffineExpr> mlir::wax::countWindows(RelationBuilder &builder,
                                              AffineExpr size, AffineExpr span,
                                              int64_t stride, StringRef label,
                                              int64_t dim) {
  AffineExpr room = size - span + stride;
  if (auto known = dyn_cast<AffineConstantExpr>(room))
    return builder.sizes.constant(
        known.getValue() < 0 ? 0 : known.getValue() / stride);
  if (failed(builder.requireAtMost(
          span - stride, size, label, "dim ", dim, " of size ",
          getStaticSize(size), " is too small for windows that span ",
          getStaticSize(span), " elements at stride ", stride)))
    return failure();
  return room.floorDiv(stride);
}

LogicalResult mlir::wax::checkOneEntryPerDim(ArrayRef<int64_t> entries,
                                             int64_t dims, StringRef label,
                                             StringRef what, Fault fault) {
  if (static_cast<int64_t>(entries.size()) != dims)
    return fault(label, what, " is ", list(entries), " for ",
                 count(dims, "dim"));
  return success();
}
