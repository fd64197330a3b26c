//===- Fold.h - What operations that fold have in common --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `reduce` and `scan` have inputs of one shape and accumulators of rank 0. They
// are written
//
//   wax.reduce arith.addf(%0) over [1] init(%zero) : …
//   wax.reduce (%x = %0) over [1] init(%acc = %zero) : … { … } combine (…) { …
//   }
//
// where `over [1]` is the operation's own.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_FOLD_H
#define WAX_DIALECT_LIB_FOLD_H

#include "FoldKernels.h"

namespace mlir::wax {

/// The dims that the inputs share; faults are reported under the label of there
/// being some, and of their shapes being equal.
FailureOr<SmallVector<AffineExpr>>
joinFoldedInputs(RelationBuilder &builder, ValueRange inputs, ValueRange inits,
                 StringRef presenceLabel, StringRef shapeLabel);

/// Whether the kernels take and yield what they must.
LogicalResult checkFoldKernels(ValueRange inputs, ValueRange inits,
                               Region &fold, Region &combine, Fault fault,
                               StringRef foldLabel, StringRef combineLabel);

/// Reads an operation that folds, with `parseExtent` for the part of its own.
ParseResult parseFold(OpAsmParser &parser, OperationState &result,
                      MutableArrayRef<int32_t> operandSegmentSizes,
                      llvm::function_ref<ParseResult()> parseExtent);
void printFold(OpAsmPrinter &printer, Operation *op, ValueRange inputs,
               ValueRange inits, Region &fold, Region &combine,
               llvm::function_ref<void()> printExtent);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_FOLD_H
