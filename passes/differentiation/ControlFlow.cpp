//===- ControlFlow.cpp - Derivatives of branches and loops --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Regions capture what they read. Forward, the tangents of what they give are
// given beside it. In reverse, a branch is computed again, from what it
// captured. Loops in reverse: ReverseLoops.cpp.
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

/// Those of some values that have derivatives.
static SmallVector<Value> getDifferentiable(ValueRange values) {
  return llvm::to_vector(llvm::make_filter_range(
      values, [](Value value) { return isDifferentiable(value.getType()); }));
}

/// Adds values to what a block's terminator has.
static void append(Operation *terminator, ValueRange values) {
  terminator->insertOperands(terminator->getNumOperands(), values);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void Walk::replaceByPushed(Operation *op, Operation *made) {
  keepMaxSteps(op, made);
  unsigned count = op->getNumResults();
  SmallVector<Value> results(made->getResults().take_front(count));
  for (auto [result, tangent] : llvm::zip_equal(
           getDifferentiable(results), made->getResults().drop_front(count)))
    derivatives.set(result, tangent);
  op->replaceAllUsesWith(results);
  op->erase();
}

LogicalResult Walk::pushIf(scf::IfOp op) {
  SmallVector<Value> moved = getDifferentiable(op.getResults());
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(moved).getTypes());
  auto made = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(),
                                /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    Block &block = to.front();
    if (failed(pushBlock(block)))
      return failure();
    builder.setInsertionPoint(block.getTerminator());
    append(block.getTerminator(),
           getOrZeros(getDifferentiable(block.getTerminator()->getOperands())));
  }
  replaceByPushed(op, made);
  return success();
}

/// Gives a block an argument for the tangent of each that has one.
static void addTangents(Block &block, unsigned first,
                        DerivativeMap &derivatives) {
  for (Value argument :
       getDifferentiable(ValueRange(block.getArguments()).drop_front(first)))
    derivatives.set(argument,
                    block.addArgument(argument.getType(), argument.getLoc()));
}

LogicalResult Walk::pushFor(scf::ForOp op) {
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, getOrZeros(getDifferentiable(op.getInitArgs())));
  auto made = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  made.getRegion().takeBody(op.getRegion());
  Block &body = *made.getBody();
  addTangents(body, /*first=*/1, derivatives);
  if (failed(pushBlock(body)))
    return failure();
  builder.setInsertionPoint(body.getTerminator());
  append(body.getTerminator(),
         getOrZeros(getDifferentiable(body.getTerminator()->getOperands())));
  replaceByPushed(op, made);
  return success();
}

LogicalResult Walk::pushWhile(scf::WhileOp op) {
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, getOrZeros(getDifferentiable(op.getInits())));
  SmallVector<Type> types(op.getResultTypes());
  for (Value result : getDifferentiable(op.getResults()))
    types.push_back(result.getType());
  auto made = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    Block &block = to.front();
    addTangents(block, /*first=*/0, derivatives);
    if (failed(pushBlock(block)))
      return failure();
    Operation *end = block.getTerminator();
    builder.setInsertionPoint(end);
    // The condition itself stands before what is carried on.
    ValueRange carried = end->getOperands();
    if (isa<scf::ConditionOp>(end))
      carried = carried.drop_front();
    append(end, getOrZeros(getDifferentiable(carried)));
  }
  replaceByPushed(op, made);
  return success();
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

SmallVector<Value> Walk::getReachedCaptures(Operation *op) const {
  llvm::SetVector<Value> captured;
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (reached.contains(value) && isDifferentiable(value.getType()) &&
          !op->isAncestor(value.getParentBlock()->getParentOp()))
        captured.insert(value);
  });
  return captured.takeVector();
}

LogicalResult Walk::reachIf(scf::IfOp op) {
  for (Value result : getDifferentiable(op.getResults()))
    reached.insert(result);
  steps.push_back([this, op] { return pullIf(op); });
  return success();
}

LogicalResult Walk::pullIf(scf::IfOp op) {
  SmallVector<Value> given = derivatives.get(op->getResults());
  if (llvm::none_of(given, [](Value cotangent) { return cotangent; }))
    return success();
  SmallVector<Value> captured = getReachedCaptures(op);
  // A branch adds to the sums so far.
  SmallVector<Value> sums = getOrZeros(captured);
  auto made =
      scf::IfOp::create(builder, op.getLoc(), ValueRange(captured).getTypes(),
                        op.getCondition(), /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    Walk inner(op.getContext(), rules);
    inner.reached.insert(captured.begin(), captured.end());
    Block &block = to.empty() ? to.emplaceBlock() : to.front();
    if (block.mightHaveTerminator())
      block.getTerminator()->erase();
    IRMapping mapping;
    inner.builder.setInsertionPointToEnd(&block);
    for (Operation &one : from.front())
      inner.builder.clone(one, mapping);
    Operation *end = block.getTerminator();
    if (failed(inner.reachBlock(block)))
      return failure();
    inner.builder.setInsertionPoint(end);
    for (auto [value, sum] : llvm::zip_equal(captured, sums))
      inner.derivatives.set(value, sum);
    for (auto [value, cotangent] : llvm::zip(end->getOperands(), given))
      if (cotangent && inner.reached.contains(value))
        inner.derivatives.add(inner.builder, value, cotangent);
    if (failed(inner.pullBack()))
      return failure();
    end->setOperands(inner.derivatives.get(captured));
  }
  for (auto [value, sum] : llvm::zip_equal(captured, made->getResults()))
    derivatives.set(value, sum);
  return success();
}
