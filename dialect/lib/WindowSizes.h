//===- WindowSizes.h - How many windows a dim has ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_WINDOWSIZES_H
#define WAX_DIALECT_LIB_WINDOWSIZES_H

#include "SizeRule.h"

namespace mlir::wax {

/// `size` times `factor`. A static product that no dim is as large as is some
/// number that none is.
AffineExpr getMultiple(AffineExpr size, int64_t factor);

/// From the first to the last of `count` elements that are `dilation` apart.
/// What is static and more than any dim holds is some number that none holds.
AffineExpr getSpan(AffineExpr count, int64_t dilation);

/// How many windows of `span` elements begin every `stride` elements of `size`:
/// `max(0, floor((size - span) / stride) + 1)`. That is affine where the size
/// is at least `span - stride`, which is required under `label` of a dim, so
/// called in words, that is not static.
FailureOr<AffineExpr> countWindows(RelationBuilder &builder, AffineExpr size,
                                   AffineExpr span, int64_t stride,
                                   StringRef label, int64_t dim);

/// Whether there is one entry for each of `dims`.
LogicalResult checkOneEntryPerDim(ArrayRef<int64_t> entries, int64_t dims,
                                  StringRef label, StringRef what, Fault fault);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_WINDOWSIZES_H
