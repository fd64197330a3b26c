//===- FoldKernels.h - The kernels of operations that fold ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An operation that folds has a kernel `fold (element…, acc…) → acc…`, and
// perhaps a second one, `combine (acc…, acc…) → acc…`. It is written
//
//   wax.reduce arith.addf(%0) …          when both are the same operation,
//   wax.reduce ordered arith.addf(%0) …  when there is no combine,
//   wax.reduce (%x = %0) … { … } combine (%l, %r) { … }     otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_FOLDKERNELS_H
#define WAX_DIALECT_LIB_FOLDKERNELS_H

#include "KernelAssembly.h"
#include "SizeRule.h"

namespace mlir::wax {

/// Whether the kernels have the arguments and results that elements and
/// accumulators of these types ask for; `combine` may be empty.
LogicalResult checkFoldKernels(Region &fold, Region &combine,
                               ArrayRef<Type> elements,
                               ArrayRef<Type> accumulators, Fault fault,
                               StringRef foldLabel, StringRef combineLabel);

/// Whether both kernels hold nothing but what kernels may.
LogicalResult checkFoldBodies(Region &fold, Region &combine, Fault fault,
                              StringRef label);

/// Reads what stands before the operands.
ParseResult parseFoldHeader(OpAsmParser &parser, KernelHeader &header,
                            bool &isOrdered);

/// Reads what stands after the types, and adds the two regions to `result`.
ParseResult parseFoldKernels(OpAsmParser &parser, KernelHeader &header,
                             bool isOrdered, ArrayRef<Type> elements,
                             ArrayRef<Type> accumulators,
                             OperationState &result);

/// The operation by whose name the kernels are written, if they are one.
Operation *getNamedFold(Region &fold, Region &combine);
void printFoldHeader(OpAsmPrinter &printer, Operation *named, bool isOrdered);
void printFoldKernels(OpAsmPrinter &printer, Region &fold, Region &combine);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_FOLDKERNELS_H
