//===- Rules.h - What the rules of batching share ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BATCHING_RULES_H
#define WAX_PASSES_BATCHING_RULES_H

#include "../building/Tensors.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::wax {

using Rows = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Families: each attaches `BatchableOpInterface` to its operations.
//===----------------------------------------------------------------------===//

void attachPointwiseBatching(MLIRContext *context);
void attachReduceBatching(MLIRContext *context);
void attachLayoutBatching(MLIRContext *context);
void attachBoxBatching(MLIRContext *context);
void attachIndexingBatching(MLIRContext *context);
void attachWindowBatching(MLIRContext *context);
void attachConvolveBatching(MLIRContext *context);
void attachFftBatching(MLIRContext *context);
void attachSortBatching(MLIRContext *context);
void attachGlueBatching(MLIRContext *context);
void attachCollectiveBatching(MLIRContext *context);
void attachCheckpointBatching(MLIRContext *context);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The type of a batch of values of a type.
RankedTensorType getBatchedType(Type type, int64_t size);

/// The size of the batch that batched operands have.
OpFoldResult getBatchSize(OpBuilder &builder, Location loc,
                          ArrayRef<Value> operands,
                          const llvm::SmallBitVector &batched);

/// A value that is the same for all rows as a batched one.
Value createRepeated(OpBuilder &builder, Location loc, Value value,
                     OpFoldResult size);

/// All operands batched, those that are not by repeating them.
SmallVector<Value> repeatOthers(OpBuilder &builder, Location loc,
                                ArrayRef<Value> operands,
                                const llvm::SmallBitVector &batched);

/// Dims of a row as dims of the batch: one further on.
SmallVector<int64_t> shiftDims(ArrayRef<int64_t> dims);
/// The dims of a batched value whose row has `dims`: the batch, then these.
SmallVector<int64_t> getBatchedDims(ArrayRef<int64_t> dims);
/// The dims of an operand that may be batched.
SmallVector<int64_t> getBatchedDims(ArrayRef<int64_t> dims, bool isBatched);
/// `first`, then what `list` has.
SmallVector<int64_t> prepend(int64_t first, ArrayRef<int64_t> list);

/// For each row, `onTrue` or `onFalse`, of which each may be batched.
Value createRowSelect(OpBuilder &builder, Location loc, Value condition,
                      Value onTrue, bool isTrueBatched, Value onFalse,
                      bool isFalseBatched);

/// The sum of all rows; of half floats, made in f32.
Value sumRows(OpBuilder &builder, Location loc, Value rows);

/// An operation of the same kernels and attributes over other operands, whose
/// results are batched. Attributes that name dims are the caller's to change.
/// Fails after an error where a size depends on the row.
FailureOr<Operation *> cloneBatched(Operation *op, OpBuilder &builder,
                                    ArrayRef<Value> operands,
                                    const llvm::SmallBitVector &batched);
template <typename OpTy>
FailureOr<OpTy> cloneBatched(OpTy op, OpBuilder &builder,
                             ArrayRef<Value> operands,
                             const llvm::SmallBitVector &batched) {
  FailureOr<Operation *> made =
      cloneBatched(op.getOperation(), builder, operands, batched);
  if (failed(made))
    return failure();
  return cast<OpTy>(*made);
}

inline SmallVector<Value> getResults(Operation *op) {
  return SmallVector<Value>(op->getResults());
}

} // namespace mlir::wax

#endif // WAX_PASSES_BATCHING_RULES_H
