//===- Kernel.h - The regions of pointwise and reducing ops -----*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A kernel is a region of one block over scalars that captures nothing and
// ends in `wax.yield`.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_KERNEL_H
#define WAX_DIALECT_KERNEL_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"

namespace mlir::wax {

/// Whether tensors of the dialect may have this element type.
bool isElementType(Type type);

/// Whether kernels may hold operations of this name: those of `arith`, `math`
/// and `complex`, and the special functions of wax.
bool isScalarOperation(OperationName name);

/// The types that a kernel yields.
TypeRange getYieldedTypes(Region &kernel);

/// The argument that a kernel with one result yields unchanged, if it does.
std::optional<unsigned> getForwardedArgument(Region &kernel);

/// The one operation that a kernel is, if it is one operation over all of the
/// arguments in their order with none but default attributes. Such a kernel is
/// written by the operation's name.
Operation *getNamedOperation(Region &kernel);

/// Whether two kernels are the same text, locations aside.
bool areKernelsEqual(Region &lhs, Region &rhs);

/// Computes a kernel's results from its arguments.
using KernelBody =
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// Fills an empty region with a kernel; leaves the builder where it was.
void buildKernel(OpBuilder &builder, Location loc, Region &region,
                 TypeRange arguments, KernelBody body);

} // namespace mlir::wax

#endif // WAX_DIALECT_KERNEL_H
