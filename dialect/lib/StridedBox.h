//===- StridedBox.h - The boxes of slice and insert -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_STRIDEDBOX_H
#define WAX_DIALECT_LIB_STRIDEDBOX_H

#include "SizeRule.h"

namespace mlir::wax {

/// A strided box in an operand; offsets that are dynamic are SSA values, which
/// are clamped.
struct StridedBox {
  Value operand;
  ArrayRef<int64_t> staticOffsets;
  ArrayRef<int64_t> strides;
};

/// Whether there is an entry per dim, and an SSA offset per dynamic one;
/// reports the fault under `label` otherwise.
LogicalResult checkEntries(const StridedBox &box, size_t offsets, Fault fault,
                           StringRef label);

/// The labels of what a box must be: strides that are at least 1, offsets that
/// are not negative, a span that fits.
struct BoxLabels {
  StringRef strides, offsets, fit;
};

/// Requires that a box of these sizes lies in its operand, wherever its SSA
/// offsets are clamped to.
LogicalResult requireInside(RelationBuilder &builder, const StridedBox &box,
                            ArrayRef<AffineExpr> boxSizes,
                            const BoxLabels &labels);

/// How many elements lie between a box's first and its last along a dim, both
/// counted.
int64_t getSpan(int64_t size, int64_t stride);

/// The static offset that stands for a constant SSA one along a dim, if the
/// clamp can be done here: `boxSize` and `operandSize` may be dynamic.
std::optional<int64_t> clampConstantOffset(int64_t offset, int64_t boxSize,
                                           int64_t stride, int64_t operandSize);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_STRIDEDBOX_H
