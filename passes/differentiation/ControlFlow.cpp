//===- ControlFlow.cpp - Derivatives of branches and loops --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Regions capture what they read. Forward, the tangents of what they give are
// given beside it. In reverse, a branch is computed again, from what it
// captured; a loop of a known number of turns remembers what it carried into
// each, and computes each turn again, from the last to the first.
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

/// The groups of a reshape between a shape and the same with a dim of size 1
/// before it.
static std::pair<ArrayAttr, ArrayAttr> getRowGroups(OpBuilder &builder,
                                                    int64_t rank) {
  SmallVector<Attribute> element{builder.getDenseI64ArrayAttr({})};
  SmallVector<Attribute> row{builder.getDenseI64ArrayAttr({0})};
  for (int64_t dim = 0; dim < rank; ++dim) {
    element.push_back(builder.getDenseI64ArrayAttr({dim}));
    row.push_back(builder.getDenseI64ArrayAttr({dim + 1}));
  }
  return {builder.getArrayAttr(element), builder.getArrayAttr(row)};
}

static RankedTensorType getRowType(RankedTensorType type, int64_t count) {
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// `stack` with a tensor in the row that `turn` says.
static Value storeRow(OpBuilder &builder, Location loc, Value stack, Value turn,
                      Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto [element, row] = getRowGroups(builder, type.getRank());
  Value update = ReshapeOp::create(builder, loc, getRowType(type, 1), tensor,
                                   ValueRange(), element, row);
  SmallVector<int64_t> offsets(type.getRank() + 1, 0);
  offsets[0] = ShapedType::kDynamic;
  return InsertOp::create(builder, loc, update, stack, turn, offsets,
                          SmallVector<int64_t>(offsets.size(), 1));
}

/// What `storeRow` has put there.
static Value loadRow(OpBuilder &builder, Location loc, Value stack, Value turn,
                     RankedTensorType type) {
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, stack);
  sizes[0] = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  offsets[0] = turn;
  Value slice = createSlice(builder, loc, stack, offsets, sizes,
                            SmallVector<int64_t>(sizes.size(), 1));
  auto [element, row] = getRowGroups(builder, type.getRank());
  return ReshapeOp::create(builder, loc, type, slice, ValueRange(), row,
                           element);
}

LogicalResult Walk::reachFor(scf::ForOp op) {
  Location loc = op.getLoc();
  std::optional<int64_t> low = getConstantIntValue(op.getLowerBound());
  std::optional<int64_t> high = getConstantIntValue(op.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(op.getStep());
  if (!low || !high || low != 0 || step != 1)
    return op.emitError() << "a loop is differentiable in reverse mode where "
                             "the number of its turns is known";
  if (*high <= 0) {
    // Aliased, since what a loop of no turns gives is what it was given.
    for (auto [result, init] : llvm::zip(op.getResults(), op.getInitArgs()))
      result.replaceAllUsesWith(init);
    op->erase();
    return success();
  }

  // The loop remembers what it carries into each turn.
  builder.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInitArgs());
  unsigned count = inits.size();
  for (Value init : op.getInitArgs()) {
    auto type = dyn_cast<RankedTensorType>(init.getType());
    if (!type)
      return op.emitError() << "a loop is differentiable in reverse mode where "
                               "it carries tensors";
    SmallVector<OpFoldResult> sizes{builder.getIndexAttr(*high)};
    llvm::append_range(sizes, getSizes(builder, loc, init));
    Value rows = createFilled(
        builder, loc,
        createScalarTensor(builder, loc, type.getElementType(), 0), sizes);
    inits.push_back(castTo(builder, loc, getRowType(type, *high), rows));
  }
  auto made = scf::ForOp::create(builder, loc, op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  IRMapping mapping;
  op.getRegion().cloneInto(&made.getRegion(), made.getRegion().end(), mapping);
  if (made.getRegion().getBlocks().size() > 1)
    made.getRegion().front().erase();
  Block &body = made.getRegion().front();
  OpBuilder inside = OpBuilder::atBlockBegin(&body);
  SmallVector<Value> stored;
  for (unsigned i = 0; i < count; ++i) {
    Value stack = body.addArgument(inits[count + i].getType(), loc);
    stored.push_back(storeRow(inside, loc, stack, body.getArgument(0),
                              body.getArgument(1 + i)));
  }
  append(body.getTerminator(), stored);
  SmallVector<Value> results(made.getResults().take_front(count));
  SmallVector<Value> stacks(made.getResults().drop_front(count));
  for (auto [old, value] : llvm::zip(op.getResults(), results)) {
    old.replaceAllUsesWith(value);
    if (isDifferentiable(value.getType()))
      reached.insert(value);
  }
  SmallVector<Value> captured = getReachedCaptures(op);
  llvm::erase_if(captured, [&](Value value) {
    // What the loop starts from is no capture, unless its body reads it too.
    return llvm::none_of(value.getUsers(), [&](Operation *user) {
      return op->isProperAncestor(user);
    });
  });
  SmallVector<Value> starts(op.getInitArgs());
  // The body that the way back computes again.
  auto original =
      std::make_shared<OwningOpRef<scf::ForOp>>(cast<scf::ForOp>(op->clone()));
  op->erase();

  steps.push_back([=, this]() -> LogicalResult {
    SmallVector<Value> given, carried;
    for (Value result : results)
      if (isDifferentiable(result.getType()))
        given.push_back(derivatives.get(result));
    if (llvm::none_of(given, [](Value cotangent) { return cotangent; }))
      return success();
    given = getOrZeros(getDifferentiable(results));
    size_t carriedCount = given.size();
    // A turn adds to the sums so far.
    llvm::append_range(given, getOrZeros(captured));
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value last = index(*high - 1);
    auto back = scf::ForOp::create(builder, loc, index(0), index(*high),
                                   index(1), given);
    Block &block = *back.getBody();
    if (block.mightHaveTerminator())
      block.getTerminator()->erase();
    Walk inner(builder.getContext(), rules);
    inner.builder.setInsertionPointToEnd(&block);
    Value turn =
        arith::SubIOp::create(inner.builder, loc, last, back.getInductionVar());
    Block &from = *original->get().getBody();
    IRMapping mapping;
    mapping.map(from.getArgument(0), turn);
    SmallVector<Value> entered;
    for (auto [i, stack] : llvm::enumerate(stacks)) {
      Value argument = from.getArgument(1 + i);
      Value value = loadRow(inner.builder, loc, stack, turn,
                            cast<RankedTensorType>(argument.getType()));
      value = inner.createAlias(loc, value);
      mapping.map(argument, value);
      if (isDifferentiable(value.getType())) {
        entered.push_back(value);
        inner.reached.insert(value);
      }
    }
    inner.reached.insert(captured.begin(), captured.end());
    for (Operation &one : from)
      inner.builder.clone(one, mapping);
    Operation *end = block.getTerminator();
    if (failed(inner.reachBlock(block)))
      return failure();
    inner.builder.setInsertionPoint(end);
    ValueRange arguments = back.getRegionIterArgs();
    for (auto [value, sum] :
         llvm::zip_equal(captured, arguments.drop_front(carriedCount)))
      inner.derivatives.set(value, sum);
    for (auto [value, cotangent] :
         llvm::zip(getDifferentiable(end->getOperands()), arguments))
      if (inner.reached.contains(value))
        inner.derivatives.add(inner.builder, value, cotangent);
    if (failed(inner.pullBack()))
      return failure();
    SmallVector<Value> yielded = inner.getOrZeros(entered);
    llvm::append_range(yielded, inner.derivatives.get(captured));
    end->setOperands(yielded);
    for (auto [value, sum] :
         llvm::zip_equal(captured, back.getResults().drop_front(carriedCount)))
      derivatives.set(value, sum);
    for (auto [start, cotangent] :
         llvm::zip(getDifferentiable(starts), back.getResults()))
      if (reached.contains(start))
        derivatives.add(builder, start, cotangent);
    return success();
  });
  return success();
}
