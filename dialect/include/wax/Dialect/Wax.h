//===- Wax.h - The wax dialect ----------------------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAX_H
#define WAX_DIALECT_WAX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "wax/Dialect/Kernel.h"
#include "wax/Dialect/LoweringTarget.h"
#include "wax/Dialect/ShapeRelation.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::OpTrait::wax {
/// Marks the operations of the basis.
template <typename ConcreteType>
class Basis : public TraitBase<ConcreteType, Basis> {};

/// Marks the functions of scalars that kernels may hold beside the operations
/// of upstream dialects.
template <typename ConcreteType>
class ScalarFunction : public TraitBase<ConcreteType, ScalarFunction> {};
} // namespace mlir::OpTrait::wax

namespace mlir::wax {
/// Whether a recognised operation's region takes its operands, gives its
/// results, and holds what it may.
LogicalResult verifyDecomposition(Operation *op);
} // namespace mlir::wax

#include "wax/Dialect/WaxDialect.h.inc"
#include "wax/Dialect/WaxInterfaces.h.inc"

#define GET_OP_CLASSES
#include "wax/Dialect/WaxOps.h.inc"

#endif // WAX_DIALECT_WAX_H
