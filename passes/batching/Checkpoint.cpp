//===- Checkpoint.cpp - Batches of what is computed again -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult BatchWalk::batchCheckpoint(CheckpointOp op) {
  Location loc = op.getLoc();
  Block &from = op.getBody().front();
  auto create = [&](TypeRange types, ValueRange inputs) {
    return CheckpointOp::create(builder, loc, types, inputs, op.getSavingAttr(),
                                op.getRecomputedAttr(), op.getMergeableAttr());
  };
  CheckpointOp draft = create({}, {});
  Block &block = draft.getBody().emplaceBlock();
  SmallVector<Value> inputs;
  auto add = [&](Value input) {
    inputs.push_back(input);
    return block.addArgument(input.getType(), loc);
  };
  SmallVector<Value> arguments;
  SmallVector<Row> given = get(op.getInputs());
  for (const Row &row : given)
    arguments.push_back(add(row.value));

  // The body sees nothing of what is around it.
  OpFoldResult ownSize = size;
  if (auto value = dyn_cast<Value>(size))
    ownSize = add(value);
  BatchWalk inner(op.getContext(), ownSize, axis, callees);
  if (mask)
    inner.mask = add(mask);
  inner.builder.setInsertionPointToEnd(&block);
  for (auto [old, argument, row] :
       llvm::zip_equal(from.getArguments(), arguments, given))
    inner.set(old, argument, row.isBatched);
  if (failed(inner.batchBlock(from)))
    return failure();
  SmallVector<Row> results = inner.get(from.getTerminator()->getOperands());
  SmallVector<Value> values =
      llvm::map_to_vector(results, [](const Row &row) { return row.value; });
  ReturnOp::create(inner.builder, loc, values);

  CheckpointOp made = create(ValueRange(values).getTypes(), inputs);
  made.getBody().takeBody(draft.getBody());
  draft->erase();
  for (auto [old, result, row] :
       llvm::zip_equal(op->getResults(), made->getResults(), results))
    set(old, result, row.isBatched);
  return success();
}

namespace {
struct BatchName : BatchableOpInterface::ExternalModel<BatchName, NameOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &) const {
    return SmallVector<Value>{NameOp::create(builder, op->getLoc(), operands[0],
                                             cast<NameOp>(op).getName())};
  }
};
} // namespace

void mlir::wax::attachCheckpointBatching(MLIRContext *context) {
  NameOp::attachInterface<BatchName>(*context);
}
