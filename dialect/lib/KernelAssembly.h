//===- KernelAssembly.h - How kernels are written ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An operation with a kernel is written
//
//   wax.map math.exp(%0) : …                     when the kernel has a name,
//   wax.map (%x = %0) : … { … wax.yield %y }     otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_KERNELASSEMBLY_H
#define WAX_DIALECT_LIB_KERNELASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::wax {

/// What is known of a kernel before its types and its body are read.
struct KernelHeader {
  SMLoc location;
  /// The operation that the kernel is, if it is written by name.
  std::optional<OperationName> operation;
  SmallVector<OpAsmParser::Argument> arguments;
};

/// Reads the operation's name, if there is one.
ParseResult parseKernelName(OpAsmParser &parser, KernelHeader &header);

/// Reads `(%a = %x, %b = %y)`, or `(%x, %y)` when the kernel has a name;
/// `parseSuffix`, if given, reads what follows each operand.
ParseResult
parseBoundOperands(OpAsmParser &parser, KernelHeader &header,
                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                   llvm::function_ref<ParseResult()> parseSuffix = nullptr);
void printBoundOperands(
    OpAsmPrinter &printer, ValueRange operands,
    ArrayRef<BlockArgument> arguments,
    llvm::function_ref<void(unsigned)> printSuffix = nullptr);

/// Reads the kernel's body over scalars of `arguments`, or makes the one that
/// its name stands for.
ParseResult parseKernelBody(OpAsmParser &parser, KernelHeader &header,
                            ArrayRef<Type> arguments, Type result,
                            Region &region);
void printKernelBody(OpAsmPrinter &printer, Region &region);

/// Makes the kernel that an operation's name stands for.
ParseResult buildNamedKernel(OpAsmParser &parser, SMLoc loc, OperationName name,
                             ArrayRef<Type> arguments, Type result,
                             Region &region);

/// The element types of tensor types; an error if they are something else.
ParseResult getElementTypes(OpAsmParser &parser, SMLoc loc, TypeRange types,
                            SmallVectorImpl<Type> &elements);

/// Names a kernel's arguments: a, b, c … and, from `accumulators` on, acc.
void nameKernelArguments(Region &region, unsigned accumulators,
                         OpAsmSetValueNameFn setName);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_KERNELASSEMBLY_H
