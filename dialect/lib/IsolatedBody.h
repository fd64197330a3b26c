//===- IsolatedBody.h - Bodies that see operands only -----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_ISOLATEDBODY_H
#define WAX_DIALECT_LIB_ISOLATEDBODY_H

#include "KernelAssembly.h"
#include "SizeRule.h"

namespace mlir::wax {

/// Whether a body takes the operands, and ends in `wax.return` of the results.
/// Messages call it `name`.
LogicalResult checkIsolatedBody(Operation *op, Region &body, StringRef name,
                                StringRef takesLabel, StringRef givesLabel,
                                Fault fault);

/// Reads an operation's type, and its body over the operands that `header` has
/// arguments for.
ParseResult parseIsolatedBody(OpAsmParser &parser, KernelHeader &header,
                              ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                              OperationState &result);
void printIsolatedBody(OpAsmPrinter &printer, Operation *op, Region &body);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_ISOLATEDBODY_H
