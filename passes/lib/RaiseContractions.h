//===- RaiseContractions.h - Contractions of computed factors --*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_RAISECONTRACTIONS_H
#define WAX_PASSES_LIB_RAISECONTRACTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// Replaces a sum of products, whose two factors are computed in its body of
/// operands that lack some of the loops, by a contraction of the factors.
void raiseContraction(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_RAISECONTRACTIONS_H
