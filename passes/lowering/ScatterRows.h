//===- ScatterRows.h - scatter by IREE's own operation ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_SCATTERROWS_H
#define WAX_PASSES_LOWERING_SCATTERROWS_H

#include "Lowering.h"

namespace mlir::wax {

/// True when `iree_linalg_ext.scatter` can say it: one update and one operand,
/// of one element type.
bool isScatterOfRows(ScatterOp scatter);

/// The scatter by that operation, which updates `operand` in place where its
/// value is not needed elsewhere. Where all elements of that are alike vectors
/// fold rows, in loops of ours.
Value scatterRows(RewriterBase &rewriter, LoweringContext &context,
                  ScatterOp scatter, Value operand,
                  ArrayRef<OpFoldResult> updateSizes,
                  ArrayRef<OpFoldResult> operandSizes);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_SCATTERROWS_H
