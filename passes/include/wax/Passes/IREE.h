//===- IREE.h - What is written of IREE's dialects -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_IREE_H
#define WAX_PASSES_IREE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "wax/Passes/IREEABIDialect.h.inc"
#include "wax/Passes/IREEFlowDialect.h.inc"
#include "wax/Passes/IREELinalgExtDialect.h.inc"
#include "wax/Passes/IREETensorExtDialect.h.inc"
#include "wax/Passes/IREEUtilDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "wax/Passes/IREEAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "wax/Passes/IREETypes.h.inc"

#define GET_OP_CLASSES
#include "wax/Passes/IREEOps.h.inc"

namespace mlir::wax::iree {

/// How many tensors an executable may be given, those that it writes included:
/// more than any dispatch of ours takes, and few enough for all of IREE's
/// drivers.
inline constexpr size_t mostTensors = 16;

/// Whether a module has nothing that IREE would make loops of: its functions
/// call executables, and look at memory in other ways (placement.py).
bool isAlone(ModuleOp module);

/// Whether it might have nothing of that, were it lowered so: what is left are
/// loops of known sizes, and what moves elements.
bool mayBeAlone(ModuleOp module);

/// Whether an operation shows the elements of its first operand as another
/// tensor.
bool isView(Operation *op);

/// What `tensor` is a view of, or a view of a view.
Value getViewed(Value tensor);

/// Whether the elements of `slice` lie side by side: all of each dim after the
/// first that has more than one of them.
bool isTogether(tensor::ExtractSliceOp slice);

/// Whether an operation gives the elements of its operand in another layout.
bool isRelaid(Operation *op);

/// Whether `tensor` is made of constants alone, by loops in whatever layout.
/// Such is made once, when a program is loaded, unless what reads it makes it.
bool isMadeOfConstants(Value tensor);

/// Whether `tensor` is made of no other, in whatever layout. IREE computes such
/// inside the dispatch that reads it, and deals that to workgroups, so
/// that 3.13 refuses what else is dealt to them, or written.
bool isMadeOfNone(Value tensor);

/// Whether the host goes through an operation's regions, outside of dispatches:
/// a loop or a branch. IREE gives a device nothing in one piece across them.
bool isControlFlow(Operation *op);

/// Visits what `root` has in it, each operation before what that has in it, but
/// for what is in dispatches and kernels.
void walkHost(Operation *root, llvm::function_ref<void(Operation *)> visit);

/// What the host does in a module that depends on constants only, through
/// whatever is computed of those, but for what reads a dispatch that `isApart`.
DenseSet<Operation *>
findMadeOfConstants(ModuleOp module,
                    llvm::function_ref<bool(DispatchRegionOp)> isApart);

/// Whether values of a type are tensors that are known to have no elements,
/// whatever their open sizes are.
bool hasNoElements(Type type);

/// Whether values of a type are tensors of one element.
bool hasOneElement(Type type);

/// `tensor`, of these sizes, as something that IREE computes before what reads
/// it, and not in the same dispatch.
Value createApart(OpBuilder &builder, Location loc, Value tensor,
                  ArrayRef<OpFoldResult> sizes);

/// Sets what makes a tensor apart from all that reads it, other barriers too:
/// of what is updated behind one IREE does not know that another keeps it. The
/// sizes are `sizes`, or its own.
void setApart(Value tensor,
              std::optional<ArrayRef<OpFoldResult>> sizes = std::nullopt);

/// The memory of `tensor` as one of these sizes and elements.
Value createBitcast(OpBuilder &builder, Location loc, Value tensor,
                    ArrayRef<OpFoldResult> sizes, Type element);

/// The memory of `tensor` as elements of another type, of as many bytes.
Value createBitcast(OpBuilder &builder, Location loc, Value tensor,
                    Type element);

/// A tensor of the same elements, which no compiler sees to be the same one:
/// each element is chosen by a condition that always holds.
Value createCopy(OpBuilder &builder, Location loc, Value tensor);

/// Has an operand read such a copy.
void setCopy(OpOperand &operand);

} // namespace mlir::wax::iree

#endif // WAX_PASSES_IREE_H
