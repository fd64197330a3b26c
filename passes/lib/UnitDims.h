//===- UnitDims.h - Reshapes that add dims of one element -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_UNITDIMS_H
#define WAX_PASSES_LIB_UNITDIMS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// What is computed of tensors to which dims of one element were added, all of
/// them the same, is computed without, and has them added: a mean that keeps
/// its dims is what one is that does not.
void populateUnitDimPatterns(RewritePatternSet &patterns);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_UNITDIMS_H
