//===- ReduceVectors.h - Folds by vectors ----------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_REDUCEVECTORS_H
#define WAX_PASSES_LOWERING_REDUCEVECTORS_H

#include "Lowering.h"

namespace mlir::wax {

/// A reduction by vectors in one dispatch of IREE's. Nothing where the order
/// counts, where elements are none of a vector's, and where IREE's own code is
/// as good.
std::optional<SmallVector<Value>> reduceByVectors(ReduceOp reduce,
                                                  RewriterBase &rewriter,
                                                  LoweringContext &context);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_REDUCEVECTORS_H
