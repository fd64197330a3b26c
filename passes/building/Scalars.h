//===- Scalars.h - Scalar operations, built ---------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BUILDING_SCALARS_H
#define WAX_PASSES_BUILDING_SCALARS_H

#include "mlir/IR/Builders.h"

namespace mlir::wax {

/// Arithmetic on floats and complex numbers alike.
namespace scalar {
Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs);
Value sub(OpBuilder &builder, Location loc, Value lhs, Value rhs);
Value mul(OpBuilder &builder, Location loc, Value lhs, Value rhs);
Value div(OpBuilder &builder, Location loc, Value lhs, Value rhs);
Value neg(OpBuilder &builder, Location loc, Value x);
/// A number; of a complex type, with no imaginary part.
Value constant(OpBuilder &builder, Location loc, Type type, double value);
/// A float in another format.
Value convert(OpBuilder &builder, Location loc, Value x, Type type);
} // namespace scalar

/// Emits a kernel's operations on `arguments`, as they are, and returns what it
/// yields.
SmallVector<Value> inlineKernel(OpBuilder &body, Region &kernel,
                                ValueRange arguments);

} // namespace mlir::wax

#endif // WAX_PASSES_BUILDING_SCALARS_H
