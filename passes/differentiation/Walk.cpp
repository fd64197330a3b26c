//===- Walk.cpp - A walk over operations and back -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

using namespace mlir;
using namespace mlir::wax;

static LogicalResult refuse(Operation *op) {
  InFlightDiagnostic error = op->emitError() << "'" << op->getName()
                                             << "' is not differentiable";
  if (isa<scf::WhileOp>(op))
    error
        << " in reverse mode, unless it says how many steps it takes at most: "
           "give while_loop a max_steps=";
  return error;
}

SmallVector<Value> mlir::wax::emitBlock(OpBuilder &builder, Block &block,
                                        IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value> mlir::wax::emitBody(OpBuilder &builder,
                                       func::FuncOp function,
                                       ValueRange arguments) {
  IRMapping mapping;
  mapping.map(function.front().getArguments(), arguments);
  return emitBlock(builder, function.front(), mapping);
}

Value Walk::getOrZeros(Value value) {
  Value known = derivatives.get(value);
  return known ? known : createZerosLike(builder, value.getLoc(), value);
}

SmallVector<Value> Walk::getOrZeros(ValueRange values) {
  return llvm::map_to_vector(values,
                             [&](Value value) { return getOrZeros(value); });
}

bool mlir::wax::readsAny(Operation *op, function_ref<bool(Value)> holds) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), holds)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

LogicalResult Walk::pushBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(pushOperation(&op)))
      return failure();
  return success();
}

LogicalResult Walk::pushOperation(Operation *op) {
  auto moves = [&](Value value) { return bool(derivatives.get(value)); };
  if (llvm::none_of(op->getResultTypes(), isDifferentiable) ||
      !readsAny(op, moves))
    return success();
  builder.setInsertionPointAfter(op);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return pushIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return pushFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return pushWhile(loop);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return pushCheckpoint(checkpoint);
  SmallVector<Value> given = derivatives.get(op->getOperands());
  if (auto call = dyn_cast<func::CallOp>(op))
    if (const CallRule *rule = rules(call))
      return pushCall(call, *rule);
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return refuse(op);
  // A rule may put another operation in the place of this one: the tangents are
  // those of what is read then.
  SmallVector<Value> outs;
  for (Value result : op->getResults()) {
    outs.push_back(createAlias(op->getLoc(), result));
    result.replaceAllUsesExcept(outs.back(), outs.back().getDefiningOp());
  }
  builder.setInsertionPointAfter(op);
  Derivatives pushed = differentiable.jvp(builder, given);
  if (failed(pushed))
    return failure();
  for (auto [out, tangent] : llvm::zip_equal(outs, *pushed))
    if (tangent)
      derivatives.set(out,
                      castTo(builder, op->getLoc(), out.getType(), tangent));
  return success();
}

LogicalResult Walk::pushCall(func::CallOp call, const CallRule &rule) {
  if (rule.kind == CallRule::Kind::Zero)
    return success();
  func::FuncOp pushed =
      rule.kind == CallRule::Kind::Forward ? rule.forward : rule.jvp;
  if (!pushed)
    return call.emitError()
           << "'" << call.getCallee() << "' has a rule for reverse mode only";
  SmallVector<Value> operands(call.getOperands());
  for (Value operand : call.getOperands())
    if (isDifferentiable(operand.getType())) {
      Value tangent = derivatives.get(operand);
      operands.push_back(
          tangent ? tangent : createZerosLike(builder, call.getLoc(), operand));
    }
  SmallVector<Value> made = emitBody(builder, pushed, operands);
  auto tangent = made.begin() + call.getNumResults();
  for (auto [result, value] : llvm::zip(call.getResults(), made)) {
    result.replaceAllUsesWith(value);
    if (isDifferentiable(value.getType()))
      derivatives.set(value, *tangent++);
  }
  call.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

LogicalResult Walk::reachBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(reach(&op)))
      return failure();
  return success();
}

LogicalResult Walk::pullBack() {
  for (const Step &undo : llvm::reverse(steps))
    if (failed(undo()))
      return failure();
  return success();
}

LogicalResult Walk::reach(Operation *op) {
  if (!readsAny(op, [&](Value value) { return reached.contains(value); }))
    return success();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return reachIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return reachFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op);
      loop && loop->hasAttr(getMaxStepsName()))
    return reachWhile(loop);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return reachCheckpoint(checkpoint);
  if (auto call = dyn_cast<func::CallOp>(op))
    if (const CallRule *rule = rules(call))
      return reachCall(call, *rule);
  bool isNew = false;
  for (Value result : op->getResults())
    if (isDifferentiable(result.getType()))
      isNew |= reached.insert(result).second;
  if (isNew)
    steps.push_back([this, op] { return pullOperation(op); });
  return success();
}

LogicalResult Walk::pullOperation(Operation *op) {
  SmallVector<Value> given = derivatives.get(op->getResults());
  if (llvm::none_of(given, [](Value cotangent) { return cotangent; }))
    return success();
  llvm::SmallBitVector wanted(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands())
    if (reached.contains(operand.get()))
      wanted.set(operand.getOperandNumber());
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return refuse(op);
  Derivatives pulled = differentiable.vjp(builder, given, wanted);
  if (failed(pulled))
    return failure();
  for (unsigned i : wanted.set_bits())
    if (Value cotangent = (*pulled)[i])
      derivatives.add(builder, op->getOperand(i), cotangent);
  return success();
}

/// A rule's forward part takes the call's place; what it gives is reached
/// through the rule alone, not through what it computes.
LogicalResult Walk::reachCall(func::CallOp call, const CallRule &rule) {
  if (rule.kind == CallRule::Kind::Zero)
    return success();
  Location loc = call.getLoc();
  builder.setInsertionPoint(call);
  SmallVector<Value> given(call.getOperands()), aliases, differentiable;
  for (Value operand : given) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    aliases.push_back(isTensor ? createAlias(loc, operand) : operand);
    if (isDifferentiable(operand.getType()))
      differentiable.push_back(operand);
  }

  // A linear function of tangents is differentiated by them, at zeros: that is
  // its transpose.
  SmallVector<Value> tangents;
  if (rule.kind == CallRule::Kind::Forward)
    for (Value operand : differentiable) {
      tangents.push_back(createZerosLike(builder, loc, operand));
      if (reached.contains(operand))
        reached.insert(tangents.back());
    }
  if (!tangents.empty())
    steps.push_back([=, this] {
      for (auto [operand, tangent] : llvm::zip(differentiable, tangents))
        if (Value cotangent = derivatives.get(tangent);
            cotangent && reached.contains(operand))
          derivatives.add(builder, operand, cotangent);
      return success();
    });
  SmallVector<Value> operands(aliases);
  llvm::append_range(operands, tangents);
  Operation *before = call->getPrevNode();
  SmallVector<Value> made = emitBody(builder, rule.forward, operands);
  if (rule.kind == CallRule::Kind::Forward) {
    SmallVector<Operation *> body;
    for (Operation *op = before ? before->getNextNode()
                                : &call->getBlock()->front();
         op != call; op = op->getNextNode())
      body.push_back(op);
    for (Operation *op : body)
      if (failed(reach(op)))
        return failure();
    builder.setInsertionPoint(call);
  }

  SmallVector<Value> outs;
  unsigned count = call.getNumResults();
  for (auto [result, value] :
       llvm::zip(call.getResults(), ArrayRef(made).take_front(count))) {
    if (!isDifferentiable(value.getType())) {
      result.replaceAllUsesWith(value);
      continue;
    }
    outs.push_back(createAlias(loc, value));
    reached.insert(outs.back());
    result.replaceAllUsesWith(outs.back());
  }
  auto rest = llvm::to_vector(ArrayRef<Value>(made).drop_front(count));
  if (rule.kind == CallRule::Kind::Forward)
    steps.push_back([=, this] {
      for (auto [out, tangent] : llvm::zip_equal(outs, rest))
        if (Value cotangent = derivatives.get(out);
            cotangent && reached.contains(tangent))
          derivatives.add(builder, tangent, cotangent);
      return success();
    });
  else
    steps.push_back([=, this, backward = rule.backward] {
      if (llvm::none_of(outs, [&](Value out) { return derivatives.get(out); }))
        return success();
      SmallVector<Value> operands(rest);
      for (Value out : outs)
        operands.push_back(getOrZeros(out));
      llvm::append_range(operands, aliases);
      SmallVector<Value> pulled = emitBody(builder, backward, operands);
      for (auto [operand, cotangent] : llvm::zip_equal(differentiable, pulled))
        if (reached.contains(operand))
          derivatives.add(builder, operand, cotangent);
      return success();
    });
  call.erase();
  return success();
}
