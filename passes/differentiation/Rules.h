//===- Rules.h - What the rules of differentiation share --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tangent or a cotangent of a value has its type. A zero one is a null
// `Value`; values that are neither floats nor complex numbers have no other.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_RULES_H
#define WAX_PASSES_DIFFERENTIATION_RULES_H

#include "../building/Tensors.h"

namespace mlir::wax {

using Derivatives = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Families: each attaches `DifferentiableOpInterface` to its operations.
//===----------------------------------------------------------------------===//

void attachPointwiseDerivatives(MLIRContext *context);
void attachReduceDerivatives(MLIRContext *context);
void attachScanDerivatives(MLIRContext *context);
void attachLayoutDerivatives(MLIRContext *context);
void attachAssemblyDerivatives(MLIRContext *context);
void attachIndexingDerivatives(MLIRContext *context);
void attachWindowDerivatives(MLIRContext *context);
void attachConvolveDerivatives(MLIRContext *context);
void attachFftDerivatives(MLIRContext *context);
void attachSortDerivatives(MLIRContext *context);
void attachCollectiveDerivatives(MLIRContext *context);
void attachCheckpointDerivatives(MLIRContext *context);

/// Whether values of a type, or of its elements, have derivatives.
bool isDifferentiable(Type type);
/// Whether an operation, or one within it, reads a value of which `holds` is
/// true.
bool readsAny(Operation *op, llvm::function_ref<bool(Value)> holds);

//===----------------------------------------------------------------------===//
// Operations that are linear in their data
//===----------------------------------------------------------------------===//

/// The tangents of an operation that is linear in its first `dataCount`
/// operands together: what it gives for their tangents.
SmallVector<Value> pushThrough(Operation *op, unsigned dataCount,
                               OpBuilder &builder, ArrayRef<Value> tangents);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_RULES_H
