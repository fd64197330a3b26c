//===- Carries.h - What loops carry ---------------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BUILDING_CARRIES_H
#define WAX_PASSES_BUILDING_CARRIES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// Patterns by which a `scf.for` passes on as it is what nothing reads once it
/// was changed; upstream's patterns carry it no longer then.
void populateCarryPatterns(RewritePatternSet &patterns);

} // namespace mlir::wax

#endif // WAX_PASSES_BUILDING_CARRIES_H
