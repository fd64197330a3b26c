//===- Walk.h - A walk over operations and back ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_WALK_H
#define WAX_PASSES_DIFFERENTIATION_WALK_H

#include "Rules.h"
#include "wax/Dialect/MaxSteps.h"
#include "wax/Passes/Differentiate.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace mlir::wax {

/// Emits a function's body, and gives what it returns.
SmallVector<Value> emitBody(OpBuilder &builder, func::FuncOp function,
                            ValueRange arguments);
/// Emits a block's operations, and gives what its terminator reads.
SmallVector<Value> emitBlock(OpBuilder &builder, Block &block,
                             IRMapping &mapping);

/// The sum of cotangents, one of them where the other is null. A term that is
/// zero but for a box, or for elements that are scattered, is added there.
Value accumulate(OpBuilder &builder, Location loc, Value sum, Value term);

/// Values and their tangents or cotangents.
class DerivativeMap {
public:
  Value get(Value value) const { return map.lookup(value); }

  void set(Value value, Value derivative) { map[value] = derivative; }

  void add(OpBuilder &builder, Value value, Value derivative) {
    Location loc = derivative.getLoc();
    derivative = castTo(builder, loc, value.getType(), derivative);
    Value &sum = map[value];
    sum = castTo(builder, loc, value.getType(),
                 accumulate(builder, loc, sum, derivative));
  }

  SmallVector<Value> get(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value value) { return get(value); });
  }

private:
  llvm::DenseMap<Value, Value> map;
};

/// A walk over the operations of a block that appends their derivatives.
/// Forward, tangents are emitted beside the operations. In reverse it goes over
/// the operations once, to see what is reached, and puts those of rules in the
/// place of calls; then, at the builder's insertion point, back.
class Walk {
public:
  Walk(MLIRContext *context, CallRules rules)
      : builder(context), rules(rules) {}

  OpBuilder builder;
  DerivativeMap derivatives;
  /// What that is differentiated by reaches, in reverse mode.
  llvm::DenseSet<Value> reached;

  /// The tangents of what a block's operations give, beside them.
  LogicalResult pushBlock(Block &block);
  /// What a block's operations give of what is reached is reached.
  LogicalResult reachBlock(Block &block);
  /// The cotangents of what reaches that which has some.
  LogicalResult pullBack();

  /// A derivative, zeros for null.
  Value getOrZeros(Value value);
  SmallVector<Value> getOrZeros(ValueRange values);

private:
  /// What the way back undoes, the last one first.
  using Step = std::function<LogicalResult()>;

  LogicalResult pushOperation(Operation *op);
  LogicalResult pushCall(func::CallOp call, const CallRule &rule);
  LogicalResult reach(Operation *op);
  LogicalResult reachCall(func::CallOp call, const CallRule &rule);
  LogicalResult pullOperation(Operation *op);

  // ControlFlow.cpp: an operation with regions reads what these capture.
  LogicalResult pushIf(scf::IfOp op);
  LogicalResult pushFor(scf::ForOp op);
  LogicalResult pushWhile(scf::WhileOp op);
  LogicalResult reachIf(scf::IfOp op);
  LogicalResult pullIf(scf::IfOp op);

  // ReverseLoops.cpp
  /// What the way back through a loop needs to know.
  struct Turns {
    explicit Turns(Location loc) : loc(loc) {}

    Location loc;
    /// What the loop gives, what went into each turn, and what it gives if it
    /// takes none.
    SmallVector<Value> results, stacks, starts;
    /// Values of outside that a turn reads, and that are reached.
    SmallVector<Value> captured;
    /// How many turns it took; the attribute that says the most.
    Value count;
    IntegerAttr most;
    /// Emits a turn, and gives what goes into the next one.
    std::function<SmallVector<Value>(OpBuilder &, Value turn, ValueRange)> emit;
  };
  LogicalResult reachFor(scf::ForOp op);
  LogicalResult reachWhile(scf::WhileOp op);
  LogicalResult pullTurns(const Turns &turns);
  SmallVector<Value> getReadInside(Operation *op) const;

  /// Puts in an operation's place one that gives the tangents after the
  /// results.
  void replaceByPushed(Operation *op, Operation *made);

  // Checkpoint.cpp
  LogicalResult pushCheckpoint(CheckpointOp op);
  LogicalResult reachCheckpoint(CheckpointOp op);
  LogicalResult pullCheckpoint(CheckpointOp op);

  /// Values of outside that an operation's regions read, and that are reached.
  SmallVector<Value> getReachedCaptures(Operation *op) const;

  /// A value of its own that is another: what reaches the one does not reach
  /// the other. Canonicalization drops it.
  Value createAlias(Location loc, Value value) {
    return tensor::CastOp::create(builder, loc, value.getType(), value);
  }

  CallRules rules;
  std::vector<Step> steps;
};

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_WALK_H
