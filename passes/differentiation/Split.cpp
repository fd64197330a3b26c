//===- Split.cpp - A function in two parts ------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Differentiate.h"

#include "Checkpoint.h"

#include "mlir/IR/IRMapping.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::wax;

/// Whether a value costs nothing to compute: a constant, or one of these
/// everywhere, or counting.
static bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  // Glue between tensors: a size, a condition.
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<IotaOp>(op))
    return llvm::all_of(op->getOperands(), isCheap);
  return isa<BroadcastOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isCheap(operand) &&
                  (!isa<RankedTensorType>(operand.getType()) ||
                   cast<RankedTensorType>(operand.getType()).getRank() == 0);
         });
}

/// Tensors are kept from one part to the other, so a scalar that control flow
/// gives, as how many turns a loop took, goes through one of rank 0.
static void holdScalars(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions() == 0)
      continue;
    OpBuilder builder(&block, std::next(op.getIterator()));
    for (Value scalar : op.getResults()) {
      if (isa<RankedTensorType>(scalar.getType()))
        continue;
      auto uses = llvm::map_to_vector(scalar.getUses(),
                                      [](OpOperand &use) { return &use; });
      Value held = createRank0(builder, op.getLoc(), scalar);
      Value read = createScalar(builder, op.getLoc(), held, scalar.getType());
      for (OpOperand *use : uses)
        use->set(read);
    }
  }
}

SplitFunction mlir::wax::split(func::FuncOp function, unsigned argumentCount,
                               unsigned resultCount) {
  Block &block = function.front();
  holdScalars(block);
  llvm::SetVector<Operation *> later;
  llvm::DenseSet<Value> dependent;
  for (BlockArgument argument : block.getArguments().drop_front(argumentCount))
    dependent.insert(argument);
  auto isDependent = [&](Value value) { return dependent.contains(value); };
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (!readsAny(&op, isDependent))
      continue;
    Operation *rest = &op;
    if (auto checkpoint = dyn_cast<CheckpointOp>(op))
      rest = separate(checkpoint, isDependent);
    later.insert(rest);
    dependent.insert(rest->result_begin(), rest->result_end());
  }

  // What the second part reads of the first, once each.
  llvm::SetVector<Value> crossing;
  llvm::SetVector<Operation *> again;
  std::function<void(Value)> cross = [&](Value value) {
    if (dependent.contains(value))
      return;
    if (!isCheap(value)) {
      crossing.insert(value);
      return;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      cross(operand);
    again.insert(value.getDefiningOp());
  };
  ValueRange returned = block.getTerminator()->getOperands();
  for (Operation *op : later)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == &block)
          cross(operand);
    });
  for (Value value : returned.drop_front(resultCount))
    cross(value);

  SplitFunction parts;
  SmallVector<Value> firstResults(returned.take_front(resultCount));
  for (Value value : crossing) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      parts.residuals.push_back(argument.getArgNumber());
      continue;
    }
    auto found = llvm::find(firstResults, value);
    parts.residuals.push_back(argumentCount + (found - firstResults.begin()));
    if (found == firstResults.end())
      firstResults.push_back(value);
  }

  auto build = [&](StringRef suffix, ArrayRef<Value> arguments,
                   ArrayRef<Operation *> ops, ArrayRef<Value> results,
                   ValueRange zeros = {}) {
    auto made = func::FuncOp::create(
        function.getLoc(), (function.getSymName() + suffix).str(),
        FunctionType::get(function.getContext(),
                          ValueRange(arguments).getTypes(),
                          ValueRange(results).getTypes()));
    Block *entry = made.addEntryBlock();
    OpBuilder builder = OpBuilder::atBlockEnd(entry);
    IRMapping mapping;
    mapping.map(arguments, entry->getArguments());
    for (Value argument : zeros)
      mapping.map(argument,
                  createZerosLike(builder, argument.getLoc(), argument));
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    func::ReturnOp::create(builder, function.getLoc(),
                           llvm::map_to_vector(results, [&](Value value) {
                             return mapping.lookup(value);
                           }));
    return OwningOpRef<func::FuncOp>(made);
  };
  SmallVector<Operation *> firstOps, secondOps(again.getArrayRef());
  // A fold that carries tangents gives the results too: whatever they are.
  llvm::DenseSet<Value> mixed;
  for (Value value : firstResults)
    if (dependent.contains(value))
      mixed.insert(value);
  bool isMixed = !mixed.empty();
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    bool isNeeded = llvm::any_of(
        op.getResults(), [&](Value result) { return mixed.contains(result); });
    if (later.contains(&op) && !isNeeded)
      continue;
    firstOps.push_back(&op);
    if (isNeeded)
      op.walk([&](Operation *inner) {
        mixed.insert(inner->operand_begin(), inner->operand_end());
      });
  }
  std::reverse(firstOps.begin(), firstOps.end());
  llvm::append_range(secondOps, later);
  SmallVector<Value> leading(block.getArguments().take_front(argumentCount));
  SmallVector<Value> residuals(crossing.getArrayRef());
  llvm::append_range(residuals, block.getArguments().drop_front(argumentCount));
  parts.first =
      build("_forward", leading, firstOps, firstResults,
            isMixed ? ValueRange(block.getArguments()).drop_front(argumentCount)
                    : ValueRange());
  parts.second = build("_backward", residuals, secondOps,
                       SmallVector<Value>(returned.drop_front(resultCount)));
  return parts;
}
