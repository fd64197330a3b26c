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

/// Whether what is made of the results, row by row, is joined with rows again.
bool isSpread(ReduceOp reduce);

/// A reduction by vectors in one dispatch of IREE's. Nothing where the order
/// counts, where elements are none of a vector's, and where IREE's own code is
/// as good.
std::optional<SmallVector<Value>> reduceByVectors(ReduceOp reduce,
                                                  RewriterBase &rewriter,
                                                  LoweringContext &context);

/// Whether a reduction folds rows that are read again with what they were
/// folded into, as a softmax's and a norm's, or that are made of what others
/// folded: such may be done row by row in one dispatch.
bool isReadAlongRows(ReduceOp reduce, RewriterBase &rewriter,
                     LoweringContext &context);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_REDUCEVECTORS_H
