//===- ScalarRules.h - Derivatives of scalar operations ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a scalar operation by one of its operands is a linear map.
// Applied to the operand's tangent it gives the result's; its transpose takes
// the result's cotangent to the operand's. One table, in ScalarRules.cpp, has
// the maps, and both modes read it.
//
// Complex numbers: transposes are not conjugated. That of `re` makes
// `ct + 0i` of a real cotangent, that of `im` makes `−ct·i`, and that of
// `create` takes the parts `re ct` and `−im ct`. A function of one complex
// number that has a complex derivative is multiplied by it in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_SCALARRULES_H
#define WAX_PASSES_DIFFERENTIATION_SCALARRULES_H

#include "../building/Scalars.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::wax {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// What a kernel yields, and the tangents of that. Null is zero.
struct Pushed {
  SmallVector<Value> values;
  SmallVector<Value> tangents;
};

/// Emits a kernel on `arguments`, with the tangents of what it yields.
FailureOr<Pushed> pushKernel(OpBuilder &builder, Region &kernel,
                             ValueRange arguments, ArrayRef<Value> tangents);

/// Emits, on a kernel's `arguments`, the cotangents of those that are wanted
/// from those of what it yields. Null is zero.
FailureOr<SmallVector<Value>> pullKernel(OpBuilder &builder, Region &kernel,
                                         ValueRange arguments,
                                         ArrayRef<Value> cotangents,
                                         const llvm::SmallBitVector &wanted);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_SCALARRULES_H
