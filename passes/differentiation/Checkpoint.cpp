//===- Checkpoint.cpp - Derivatives of checkpoints ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forward, a checkpoint computes the tangents beside the values. In reverse,
// another one computes the values again, of the operands and of what is kept,
// and then the cotangents.
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "Walk.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

/// A checkpoint with the body and the rules of another, and other operands and
/// results, at the builder.
static CheckpointOp take(OpBuilder &builder, CheckpointOp op, TypeRange types,
                         ValueRange inputs,
                         std::optional<ArrayRef<int64_t>> recomputed) {
  auto made = CheckpointOp::create(
      builder, op.getLoc(), types, inputs, op.getSavingAttr(),
      recomputed ? builder.getDenseI64ArrayAttr(*recomputed)
                 : DenseI64ArrayAttr(),
      op.getMergeableAttr());
  made.getBody().takeBody(op.getBody());
  return made;
}

/// Puts in a checkpoint's place one that gives some values of its body too.
static CheckpointOp giveAlso(CheckpointOp op, ArrayRef<Value> values) {
  Operation *end = op.getBody().front().getTerminator();
  end->insertOperands(end->getNumOperands(), values);
  OpBuilder builder(op);
  CheckpointOp made = take(builder, op, end->getOperandTypes(), op.getInputs(),
                           op.getRecomputed());
  op->replaceAllUsesWith(made->getResults().take_front(op->getNumResults()));
  op->erase();
  return made;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

LogicalResult Walk::pushCheckpoint(CheckpointOp op) {
  Block &block = op.getBody().front();
  SmallVector<Value> inputs(op.getInputs());
  std::optional<SmallVector<int64_t>> recomputed;
  if (std::optional<ArrayRef<int64_t>> places = op.getRecomputed())
    recomputed.emplace(*places);
  for (unsigned i = 0, e = inputs.size(); i < e; ++i) {
    Value tangent = derivatives.get(inputs[i]);
    if (!tangent)
      continue;
    if (recomputed && llvm::is_contained(*op.getRecomputed(), i))
      recomputed->push_back(inputs.size());
    inputs.push_back(tangent);
    derivatives.set(block.getArgument(i),
                    block.addArgument(tangent.getType(), tangent.getLoc()));
  }
  if (failed(pushBlock(block)))
    return failure();
  Operation *end = block.getTerminator();
  SmallVector<unsigned> moved;
  unsigned count = op->getNumResults();
  for (unsigned i = 0; i < count; ++i)
    if (Value tangent = derivatives.get(end->getOperand(i))) {
      moved.push_back(i);
      end->insertOperands(end->getNumOperands(), tangent);
    }
  builder.setInsertionPointAfter(op);
  std::optional<ArrayRef<int64_t>> places;
  if (recomputed)
    places = *recomputed;
  CheckpointOp made = take(builder, op, end->getOperandTypes(), inputs, places);
  for (auto [place, tangent] :
       llvm::zip_equal(moved, made->getResults().drop_front(count)))
    derivatives.set(made->getResult(place), tangent);
  op->replaceAllUsesWith(made->getResults().take_front(count));
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

LogicalResult Walk::reachCheckpoint(CheckpointOp op) {
  for (Value result : op->getResults())
    if (isDifferentiable(result.getType()))
      reached.insert(result);
  steps.push_back([this, op] { return pullCheckpoint(op); });
  return success();
}

namespace {
/// A checkpoint in the making: an operand for each argument of its body.
struct Draft {
  CheckpointOp op;
  Block &block;
  SmallVector<Value> inputs;

  Draft(OpBuilder &builder, CheckpointOp like)
      : op(CheckpointOp::create(builder, like.getLoc(), TypeRange(),
                                ValueRange(), like.getSavingAttr(),
                                DenseI64ArrayAttr(), like.getMergeableAttr())),
        block(op.getBody().emplaceBlock()) {}

  BlockArgument add(Value input) {
    inputs.push_back(input);
    return block.addArgument(input.getType(), input.getLoc());
  }

  /// The checkpoint, which computes again of its first operands.
  CheckpointOp finish(OpBuilder &builder, int64_t recomputed) {
    CheckpointOp made =
        take(builder, op, block.getTerminator()->getOperandTypes(), inputs,
             ArrayRef(llvm::to_vector(llvm::seq<int64_t>(recomputed))));
    op->erase();
    return made;
  }
};
} // namespace

LogicalResult Walk::pullCheckpoint(CheckpointOp op) {
  SmallVector<Value> given = derivatives.get(op->getResults());
  if (llvm::none_of(given, [](Value cotangent) { return cotangent; }))
    return success();
  unsigned resultCount = op->getNumResults();
  SmallVector<Value> saved = getSaved(op);
  if (!saved.empty())
    op = giveAlso(op, saved);

  Draft draft(builder, op);
  Block &from = op.getBody().front(), &block = draft.block;
  Walk inner(op.getContext(), rules);
  inner.builder.setInsertionPointToEnd(&block);
  IRMapping mapping;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    BlockArgument argument = draft.add(input);
    mapping.map(from.getArgument(i), argument);
    if (reached.contains(input))
      inner.reached.insert(argument);
  }
  SmallVector<Value> kept;
  for (Value result : op->getResults().drop_front(resultCount))
    kept.push_back(draft.add(result));
  int64_t recomputed = draft.inputs.size();

  // Derivatives go through what is computed again, whose value is the kept one.
  SmallVector<Value> aliases;
  for (Operation &one : from.without_terminator()) {
    inner.builder.clone(one, mapping);
    for (Value result : one.getResults())
      if (llvm::is_contained(saved, result)) {
        aliases.push_back(
            inner.createAlias(one.getLoc(), mapping.lookup(result)));
        mapping.map(result, aliases.back());
      }
  }
  Operation *end = ReturnOp::create(
      inner.builder, op.getLoc(),
      llvm::map_to_vector(
          from.getTerminator()->getOperands().take_front(resultCount),
          [&](Value value) { return mapping.lookup(value); }));
  if (failed(inner.reachBlock(block)))
    return failure();
  inner.builder.setInsertionPoint(end);

  // It adds to the sums so far.
  SmallVector<unsigned> wanted;
  llvm::DenseSet<Value> summed;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (!reached.contains(input))
      continue;
    wanted.push_back(i);
    if (Value sum = derivatives.get(input); sum && summed.insert(input).second)
      inner.derivatives.set(block.getArgument(i), draft.add(sum));
  }
  for (auto [value, cotangent] : llvm::zip_equal(end->getOperands(), given))
    if (cotangent && inner.reached.contains(value))
      inner.derivatives.add(inner.builder, value, draft.add(cotangent));
  if (failed(inner.pullBack()))
    return failure();
  for (auto [alias, value] : llvm::zip_equal(aliases, kept))
    alias.replaceAllUsesWith(value);

  llvm::erase_if(wanted, [&](unsigned i) {
    return !inner.derivatives.get(block.getArgument(i));
  });
  end->setOperands(llvm::map_to_vector(wanted, [&](unsigned i) {
    return inner.derivatives.get(block.getArgument(i));
  }));
  CheckpointOp made = draft.finish(builder, recomputed);
  llvm::DenseSet<Value> replaced;
  for (auto [i, cotangent] : llvm::zip_equal(wanted, made->getResults())) {
    Value input = op.getInputs()[i];
    // The sum so far is in it.
    if (summed.contains(input) && replaced.insert(input).second)
      derivatives.set(input, cotangent);
    else
      derivatives.add(builder, input, cotangent);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// In two parts
//===----------------------------------------------------------------------===//

CheckpointOp mlir::wax::separate(CheckpointOp op,
                                 function_ref<bool(Value)> isLater) {
  Block &block = op.getBody().front();
  llvm::DenseSet<Value> later;
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), op.getInputs()))
    if (isLater(input))
      later.insert(argument);
  for (Operation &one : block.without_terminator())
    if (readsAny(&one, [&](Value operand) { return later.contains(operand); }))
      later.insert(one.result_begin(), one.result_end());
  auto isEarly = [&](Value value) { return !later.contains(value); };
  SmallVector<Value> values(block.getTerminator()->getOperands());
  if (later.empty() || llvm::none_of(values, isEarly))
    return op;

  SmallVector<Value> early;
  llvm::copy_if(values, std::back_inserter(early), isEarly);
  SmallVector<Value> saved;
  if (!op.getRecomputed())
    llvm::copy_if(getSaved(op), std::back_inserter(saved), isEarly);
  llvm::append_range(early, saved);

  OpBuilder builder(op);
  Draft first(builder, op);
  auto inside = OpBuilder::atBlockEnd(&first.block);
  IRMapping mapping;
  // Among the operands of both, and of the first one.
  SmallVector<int64_t> recomputed, again;
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), op.getInputs())) {
    if (!isEarly(argument))
      continue;
    int64_t place = argument.getArgNumber();
    recomputed.push_back(place);
    if (op.getRecomputed() && llvm::is_contained(*op.getRecomputed(), place))
      again.push_back(first.inputs.size());
    mapping.map(argument, first.add(input));
  }
  for (Operation &one : block.without_terminator())
    if (llvm::all_of(one.getResults(), isEarly))
      inside.clone(one, mapping);
  ReturnOp::create(inside, op.getLoc(),
                   llvm::map_to_vector(early, [&](Value value) {
                     return mapping.lookup(value);
                   }));
  CheckpointOp made =
      take(builder, first.op, ValueRange(early).getTypes(), first.inputs,
           op.getRecomputed() ? std::optional<ArrayRef<int64_t>>(again)
                              : std::nullopt);
  first.op->erase();

  SmallVector<Value> inputs(op.getInputs()), rest;
  unsigned next = 0;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    if (isEarly(value))
      result.replaceAllUsesWith(made->getResult(next++));
    else
      rest.push_back(value);
  }
  block.getTerminator()->setOperands(rest);
  for (auto [value, result] :
       llvm::zip_equal(saved, made->getResults().drop_front(next))) {
    recomputed.push_back(inputs.size());
    inputs.push_back(result);
    value.replaceAllUsesWith(block.addArgument(value.getType(), op.getLoc()));
  }
  SmallVector<Value> old;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    if (!isEarly(value))
      old.push_back(result);
  CheckpointOp second = take(builder, op, ValueRange(rest).getTypes(), inputs,
                             ArrayRef<int64_t>(recomputed));
  for (auto [result, value] : llvm::zip_equal(old, second->getResults()))
    result.replaceAllUsesWith(value);
  op->erase();
  return second;
}

namespace {
/// A name is that of a value, not of what is linear in it.
struct DifferentiateName
    : DifferentiableOpInterface::ExternalModel<DifferentiateName, NameOp> {
  Derivatives jvp(Operation *, OpBuilder &, ArrayRef<Value> tangents) const {
    return SmallVector<Value>(tangents);
  }

  Derivatives vjp(Operation *, OpBuilder &, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    return SmallVector<Value>(cotangents);
  }
};
} // namespace

void mlir::wax::attachCheckpointDerivatives(MLIRContext *context) {
  NameOp::attachInterface<DifferentiateName>(*context);
}
