//===- PlaceMemory.h - What a dispatch is given, as memory ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MACHINE_PLACEMEMORY_H
#define WAX_PASSES_MACHINE_PLACEMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::wax {

/// Makes of a function of tensors of a dispatch and of words one of a
/// workgroup's number, of where each tensor begins in memory, and of the words.
/// What it reads are tensors in that memory, and the loops that make what it
/// writes begin with tensors there.
LogicalResult placeInMemory(func::FuncOp function);

} // namespace mlir::wax

#endif // WAX_PASSES_MACHINE_PLACEMEMORY_H
