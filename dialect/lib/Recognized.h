//===- Recognized.h - What recognised operations have in common -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A recognised operation is written
//
//   wax.contract (%a = %0, %b = %1) {attributes} : (types) -> types { … }
//
// where the names in front are the arguments of its decomposition.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_RECOGNIZED_H
#define WAX_DIALECT_LIB_RECOGNIZED_H

#include "SizeRule.h"
#include "wax/Dialect/Recognized.h"

namespace mlir::wax {

ParseResult parseRecognized(OpAsmParser &parser, OperationState &result);
void printRecognized(OpAsmPrinter &printer, Operation *op,
                     Region &decomposition);

/// Whether `dims`, of what is called `whose`, are as many as its rank, and
/// distinct indices.
LogicalResult checkIndices(ArrayRef<int64_t> dims, Value value, StringRef whose,
                           StringRef label, Fault fault);

/// Whether values of `from` are exactly values of `to`: the same type, or a
/// wider one of its kind.
bool isWidening(Type from, Type to);

/// Whether `accumulator` is a float type that holds all elements of operands.
LogicalResult checkAccumulator(ValueRange operands, Type accumulator,
                               StringRef label, Fault fault);

/// Whether results may be rounded from `accumulator`: of the same type, or of a
/// narrower float.
LogicalResult checkRounded(Type result, Type accumulator, StringRef label,
                           Fault fault);

/// Whether no static size of two shapes differs.
LogicalResult checkSameShape(Value operand, Value result, StringRef label,
                             Fault fault);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_RECOGNIZED_H
