//===- ProductWindows.h - Windows of a factor of a product ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTWINDOWS_H
#define WAX_PASSES_LIB_PRODUCTWINDOWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// A sum of products with one loop in place of two that are summed up, if these
/// go through one run of memory in both factors: the features of a window's
/// elements, whose windows may overlap. Null otherwise.
linalg::GenericOp mergeWindows(linalg::GenericOp op, RewriterBase &rewriter);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTWINDOWS_H
