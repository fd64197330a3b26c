//===- StridedBox.cpp - The boxes of slice and insert ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedBox.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult mlir::wax::checkEntries(const StridedBox &box, size_t offsets,
                                      Fault fault, StringRef label) {
  int64_t rank = getTensor(box.operand).getRank();
  auto checkRank = [&](ArrayRef<int64_t> values, StringRef name) {
    if (static_cast<int64_t>(values.size()) == rank)
      return success();
    return LogicalResult(fault(label, thereAre(values.size(), "entry"), " of ",
                               name, ", but the operand has rank ", rank));
  };
  if (failed(checkRank(box.staticOffsets, "offsets")) ||
      failed(checkRank(box.strides, "strides")))
    return failure();
  size_t dynamic = llvm::count_if(box.staticOffsets, ShapedType::isDynamic);
  if (dynamic != offsets)
    return fault(label, thereAre(offsets, "SSA offset"), " for ",
                 count(dynamic, "dynamic entry"), " of offsets");
  return success();
}

LogicalResult mlir::wax::requireInside(RelationBuilder &builder,
                                       const StridedBox &box,
                                       ArrayRef<AffineExpr> boxSizes,
                                       const BoxLabels &labels) {
  RankedTensorType operand = getTensor(box.operand);
  auto spell = [](int64_t size) {
    return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
  };
  if (failed(builder.requireWithin(box.strides, 1, kGreatestAmount,
                                   labels.strides, "stride")))
    return failure();
  for (auto [dim, size, stride, offset] :
       llvm::enumerate(boxSizes, box.strides, box.staticOffsets)) {
    bool isStatic = !ShapedType::isDynamic(offset);
    if (isStatic && (offset < 0 || offset > kMostElements))
      return builder.fault(labels.offsets, "offset ", offset, " of dim ", dim,
                           offset < 0 ? " is negative" : " is more than 2^47");
    // For an empty dynamic dim this is less than the span, and holds as well.
    AffineExpr span = getStaticSize(size) == 0 ? size : (size - 1) * stride + 1;
    // No dim holds so much that this overflows.
    if (int64_t known = getStaticSize(size);
        known > 0 && known - 1 > kMostElements / stride)
      span = builder.sizes.constant(kMostElements + 1);
    AffineExpr end = isStatic ? span + offset : span;
    if (failed(builder.requireAtMost(
            end, builder.sizes.dim(box.operand, dim), labels.fit, "dim ", dim,
            " of size ", spell(operand.getDimSize(dim)), " does not hold ",
            spell(getStaticSize(size)), " elements at stride ", stride,
            isStatic ? " from offset " + std::to_string(offset) : "")))
      return failure();
  }
  return success();
}

int64_t mlir::wax::getSpan(int64_t size, int64_t stride) {
  return size == 0 ? 0 : (size - 1) * stride + 1;
}

std::optional<int64_t> mlir::wax::clampConstantOffset(int64_t offset,
                                                      int64_t boxSize,
                                                      int64_t stride,
                                                      int64_t operandSize) {
  if (offset <= 0)
    return 0;
  if (ShapedType::isDynamic(boxSize) || ShapedType::isDynamic(operandSize))
    return std::nullopt;
  return std::min(offset, operandSize - getSpan(boxSize, stride));
}
