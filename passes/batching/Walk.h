//===- Walk.h - A walk that batches what it meets -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BATCHING_WALK_H
#define WAX_PASSES_BATCHING_WALK_H

#include "Rules.h"
#include "wax/Dialect/MaxSteps.h"
#include "wax/Passes/Batch.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {

/// What stands for a value in the batched function.
struct Row {
  Value value;
  bool isBatched = false;
};

/// A walk over the operations of blocks that emits at the builder what does the
/// same for a whole batch. What no operand makes depend on the row is copied.
class BatchWalk {
public:
  BatchWalk(MLIRContext *context, OpFoldResult size, StringRef axis,
            BatchedCallees callees)
      : builder(context), size(size), axis(axis), callees(callees) {}

  OpBuilder builder;

  LogicalResult batchBlock(Block &block);

  Row get(Value value) const { return rows.lookup(value); }
  SmallVector<Row> get(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value value) { return get(value); });
  }
  void set(Value value, Value row, bool isBatched) {
    rows[value] = {row, isBatched};
  }

  /// A value's row as a batched one, of the batched type.
  Value getBatched(Value value);
  Value toBatched(Row row, Type type);

private:
  LogicalResult batch(Operation *op);
  LogicalResult batchScalar(Operation *op, ArrayRef<Row> operands);
  LogicalResult batchCall(func::CallOp call);
  void clone(Operation *op);
  // Collectives.cpp
  bool isOverThisBatch(Operation *op) const;
  LogicalResult batchCollective(Operation *op);
  int64_t getStaticSize() const {
    return getConstantIntValue(size).value_or(ShapedType::kDynamic);
  }

  // Checkpoint.cpp
  LogicalResult batchCheckpoint(CheckpointOp op);

  // ControlFlow.cpp
  LogicalResult batchIf(scf::IfOp op);
  LogicalResult chooseByRow(scf::IfOp op, Value condition);
  LogicalResult batchFor(scf::ForOp op);
  LogicalResult batchWhile(scf::WhileOp op);
  LogicalResult batchAssert(cf::AssertOp op);

  /// A condition, where rows that do not get here are false.
  Value maskRows(Value condition);
  /// Whether any row's condition holds, as a scalar.
  Value createAny(Location loc, Value condition);
  SmallVector<Type> getTypes(TypeRange types,
                             const llvm::SmallBitVector &batched) const;
  /// What is carried on: as it is, or, with an `active` row's condition, as it
  /// was in rows that are not.
  SmallVector<Value> carry(Operation *end, ValueRange yielded,
                           ArrayRef<Value> carried,
                           llvm::SmallBitVector &batched, Value active);

  OpFoldResult size;
  StringRef axis;
  BatchedCallees callees;
  llvm::DenseMap<Value, Row> rows;
  /// Which rows get here, if not all do: in a branch that some rows take, and
  /// in a loop that some have left. Loops look at it, so that they end.
  Value mask;
};

} // namespace mlir::wax

#endif // WAX_PASSES_BATCHING_WALK_H
