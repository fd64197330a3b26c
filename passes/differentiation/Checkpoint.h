//===- Checkpoint.h - What derivatives compute again ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_CHECKPOINT_H
#define WAX_PASSES_DIFFERENTIATION_CHECKPOINT_H

#include "Rules.h"

namespace mlir::wax {

/// The values of a checkpoint's body that its rules keep, in order.
SmallVector<Value> getSaved(CheckpointOp op);

/// Makes two of a checkpoint whose operands are partly `isLater`: one that
/// gives what does not depend on these, and what is kept of it, and one that
/// gives the rest, and computes the first one again. Gives the second, which
/// may be it.
CheckpointOp separate(CheckpointOp op, function_ref<bool(Value)> isLater);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_CHECKPOINT_H
