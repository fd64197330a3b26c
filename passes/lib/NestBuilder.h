//===- NestBuilder.h - What loops of a nest are made of ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_NESTBUILDER_H
#define WAX_PASSES_LIB_NESTBUILDER_H

#include "../lowering/Dispatch.h"
#include "../lowering/LoopBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {

/// The index of each loop that a tensor's position is made of.
using LoopIndices = SmallVector<Value>;

/// Runs of loops that are one loop of tensors with fewer dims, where
/// `areAlike` says so of two that follow each other.
SmallVector<ReassociationIndices>
getRuns(ArrayRef<AffineMap> maps,
        llvm::function_ref<bool(int64_t, int64_t)> areAlike);

/// `op` with a loop for each run, in its place, or nothing where that fails.
linalg::GenericOp mergeRuns(linalg::GenericOp op,
                            ArrayRef<ReassociationIndices> runs,
                            RewriterBase &rewriter);

/// Emits what takes the place of a nest of loops over tensors.
class NestBuilder : protected LoopBuilder {
public:
  NestBuilder(ImplicitLocOpBuilder &builder, linalg::GenericOp nest)
      : LoopBuilder(builder), nest(nest) {}

protected:
  /// Whether a size is known to be a multiple of a number.
  static bool isMultiple(Value size, int64_t of);
  /// The turns of a loop.
  Value getSize(unsigned loop);
  /// From the loops to the dims of an operand, of which the result is the last.
  AffineMap getMap(unsigned number) {
    return nest.getIndexingMapsArray()[number];
  }
  /// The place in a tensor that loops' indices tell.
  Values getPosition(AffineMap map, ArrayRef<Value> indices);
  /// One dispatch that makes the nest's result, of `type`: its workgroups,
  /// `count` of them, each fill the part that `place` tells by their number.
  Value emitParts(RankedTensorType type, ValueRange openSizes, Value count,
                  llvm::function_ref<TensorPart(Value number)> place,
                  llvm::function_ref<Value(Value part)> fill);

  linalg::GenericOp nest;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_NESTBUILDER_H
