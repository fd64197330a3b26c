//===- ReverseLoops.cpp - Loops, from the last turn to the first ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop remembers what goes into each turn, and the way back computes each
// turn again, from the last to the first. So it needs room for as many turns as
// there may be: those of a `scf.for`, a constant or a size, or `wax.max_steps`,
// which is then checked.
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

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

/// The type of the tensor that holds what a loop carries: a tensor, or a
/// scalar.
static RankedTensorType getHeldType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor;
  if (isa<IndexType>(type))
    type = IntegerType::get(type.getContext(), 64);
  return RankedTensorType::get({}, type);
}

/// `stack` with a value in the row that `turn` says.
static Value storeRow(OpBuilder &builder, Location loc, Value stack, Value turn,
                      Value value) {
  Value tensor = isa<RankedTensorType>(value.getType())
                     ? value
                     : createRank0(builder, loc, value);
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
                     Type wanted) {
  RankedTensorType type = getHeldType(wanted);
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, stack);
  sizes[0] = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  offsets[0] = turn;
  Value slice = createSlice(builder, loc, stack, offsets, sizes,
                            SmallVector<int64_t>(sizes.size(), 1));
  auto [element, row] = getRowGroups(builder, type.getRank());
  Value held =
      ReshapeOp::create(builder, loc, type, slice, ValueRange(), row, element);
  return isa<RankedTensorType>(wanted)
             ? held
             : createScalar(builder, loc, held, wanted);
}

/// Room for a value like `value` for each turn, of at most `most`.
static Value createStack(OpBuilder &builder, Location loc, Value value,
                         OpFoldResult most) {
  RankedTensorType type = getHeldType(value.getType());
  SmallVector<OpFoldResult> sizes{most};
  if (type.getRank() > 0)
    llvm::append_range(sizes, getSizes(builder, loc, value));
  Value rows = createFilled(
      builder, loc, createScalarTensor(builder, loc, type.getElementType(), 0),
      sizes);
  int64_t count = getConstantIntValue(most).value_or(ShapedType::kDynamic);
  return castTo(builder, loc, getRowType(type, count), rows);
}

/// Puts values into the rows of stacks that the block is given in turn.
static SmallVector<Value> storeRows(Block &block, Value turn, ValueRange values,
                                    ValueRange stacks) {
  OpBuilder inside = OpBuilder::atBlockBegin(&block);
  SmallVector<Value> stored;
  for (auto [value, stack] : llvm::zip_equal(values, stacks))
    stored.push_back(storeRow(inside, turn.getLoc(), stack, turn, value));
  return stored;
}

SmallVector<Value> Walk::getReadInside(Operation *op) const {
  SmallVector<Value> captured = getReachedCaptures(op);
  // What the loop starts from is no capture, unless its body reads it too.
  llvm::erase_if(captured, [&](Value value) {
    return llvm::none_of(value.getUsers(), [&](Operation *user) {
      return op->isProperAncestor(user);
    });
  });
  return captured;
}

LogicalResult Walk::pullTurns(const Turns &turns) {
  Location loc = turns.loc;
  auto reaches = [](Value value) { return isDifferentiable(value.getType()); };
  SmallVector<Value> moved;
  llvm::copy_if(turns.results, std::back_inserter(moved), reaches);
  if (llvm::none_of(moved, [&](Value value) { return derivatives.get(value); }))
    return success();
  SmallVector<Value> given = getOrZeros(moved);
  size_t carriedCount = given.size();
  // A turn adds to the sums so far.
  llvm::append_range(given, getOrZeros(turns.captured));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = turns.count;
  if (std::optional<int64_t> known = getConstantIntValue(count))
    count = arith::ConstantIndexOp::create(builder, loc, *known);
  Value last = builder.createOrFold<arith::SubIOp>(loc, count, one);
  auto back = scf::ForOp::create(builder, loc, zero, count, one, given);
  if (turns.most)
    back->setDiscardableAttr(getMaxStepsName(), turns.most);
  Block &block = *back.getBody();
  if (block.mightHaveTerminator())
    block.getTerminator()->erase();
  Walk inner(builder.getContext(), rules);
  inner.builder.setInsertionPointToEnd(&block);
  Value turn =
      arith::SubIOp::create(inner.builder, loc, last, back.getInductionVar());
  SmallVector<Value> entered;
  for (auto [stack, result] : llvm::zip_equal(turns.stacks, turns.results)) {
    Value value = loadRow(inner.builder, loc, stack, turn, result.getType());
    entered.push_back(isa<RankedTensorType>(value.getType())
                          ? inner.createAlias(loc, value)
                          : value);
  }
  SmallVector<Value> starts;
  llvm::copy_if(entered, std::back_inserter(starts), reaches);
  inner.reached.insert(starts.begin(), starts.end());
  inner.reached.insert(turns.captured.begin(), turns.captured.end());
  SmallVector<Value> left = turns.emit(inner.builder, turn, entered);
  Operation *end = scf::YieldOp::create(inner.builder, loc, left);
  if (failed(inner.reachBlock(block)))
    return failure();
  inner.builder.setInsertionPoint(end);
  ValueRange arguments = back.getRegionIterArgs();
  for (auto [value, sum] :
       llvm::zip_equal(turns.captured, arguments.drop_front(carriedCount)))
    inner.derivatives.set(value, sum);
  SmallVector<Value> after;
  llvm::copy_if(end->getOperands(), std::back_inserter(after), reaches);
  for (auto [value, cotangent] : llvm::zip(after, arguments))
    if (inner.reached.contains(value))
      inner.derivatives.add(inner.builder, value, cotangent);
  if (failed(inner.pullBack()))
    return failure();
  SmallVector<Value> yielded = inner.getOrZeros(starts);
  llvm::append_range(yielded, inner.derivatives.get(turns.captured));
  end->setOperands(yielded);
  for (auto [value, sum] : llvm::zip_equal(
           turns.captured, back.getResults().drop_front(carriedCount)))
    derivatives.set(value, sum);
  SmallVector<Value> first;
  llvm::copy_if(turns.starts, std::back_inserter(first), reaches);
  for (auto [start, cotangent] : llvm::zip(first, back.getResults()))
    if (reached.contains(start))
      derivatives.add(builder, start, cotangent);
  return success();
}

/// Whether a value follows from sizes of tensors alone.
static bool isSize(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::DimOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(), isSize);
}

LogicalResult Walk::reachFor(scf::ForOp op) {
  Location loc = op.getLoc();
  std::optional<int64_t> low = getConstantIntValue(op.getLowerBound());
  std::optional<int64_t> most = getConstantIntValue(op.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(op.getStep());
  auto stated = op->getAttrOfType<IntegerAttr>(getMaxStepsName());
  if (!most && stated)
    most = stated.getInt();
  if (low != 0 || step != 1 || (!most && !isSize(op.getUpperBound())))
    return op.emitError() << "a loop is differentiable in reverse mode where "
                             "the number of its turns is known or follows "
                             "from sizes; otherwise write it as a while_loop "
                             "with max_steps=";
  if (most && *most <= 0) {
    // Aliased, since what a loop of no turns gives is what it was given.
    for (auto [result, init] : llvm::zip(op.getResults(), op.getInitArgs()))
      result.replaceAllUsesWith(init);
    op->erase();
    return success();
  }

  builder.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInitArgs());
  unsigned count = inits.size();
  OpFoldResult room;
  if (most) {
    room = builder.getIndexAttr(*most);
  } else {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    room = builder.createOrFold<arith::MaxSIOp>(loc, op.getUpperBound(), zero);
  }
  for (Value init : op.getInitArgs())
    inits.push_back(createStack(builder, loc, init, room));
  auto made = scf::ForOp::create(builder, loc, op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  if (stated)
    made->setDiscardableAttr(getMaxStepsName(), stated);
  IRMapping mapping;
  op.getRegion().cloneInto(&made.getRegion(), made.getRegion().end(), mapping);
  if (made.getRegion().getBlocks().size() > 1)
    made.getRegion().front().erase();
  Block &body = made.getRegion().front();
  ValueRange carried(body.getArguments().drop_front());
  SmallVector<Value> entered(carried), rooms;
  for (Value stack : ArrayRef<Value>(inits).drop_front(count))
    rooms.push_back(body.addArgument(stack.getType(), loc));
  Operation *end = body.getTerminator();
  end->insertOperands(end->getNumOperands(),
                      storeRows(body, body.getArgument(0), entered, rooms));

  Turns turns(loc);
  turns.results.assign(made.result_begin(), made.result_begin() + count);
  turns.stacks.assign(made.result_begin() + count, made.result_end());
  turns.starts = SmallVector<Value>(op.getInitArgs());
  turns.count = op.getUpperBound();
  turns.most = stated;
  for (auto [old, value] : llvm::zip(op.getResults(), turns.results)) {
    old.replaceAllUsesWith(value);
    if (isDifferentiable(value.getType()))
      reached.insert(value);
  }
  turns.captured = getReadInside(op);
  // The body that the way back computes again.
  auto original =
      std::make_shared<OwningOpRef<scf::ForOp>>(cast<scf::ForOp>(op->clone()));
  op->erase();
  turns.emit = [original](OpBuilder &builder, Value turn, ValueRange entered) {
    Block &from = *original->get().getBody();
    IRMapping mapping;
    mapping.map(from.getArgument(0), turn);
    mapping.map(from.getArguments().drop_front(), entered);
    return emitBlock(builder, from, mapping);
  };
  steps.push_back([this, turns] { return pullTurns(turns); });
  return success();
}

/// What goes into a turn is what the condition passes on. So the first
/// condition stands before the loop, and each turn ends with one.
LogicalResult Walk::reachWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  auto stated = op->getAttrOfType<IntegerAttr>(getMaxStepsName());
  int64_t most = stated.getInt();
  builder.setInsertionPoint(op);
  Block &test = op.getBefore().front();
  IRMapping mapping;
  for (auto [argument, init] : llvm::zip(test.getArguments(), op.getInits())) {
    bool isTensor = isa<RankedTensorType>(init.getType());
    mapping.map(argument, isTensor ? createAlias(loc, init) : init);
  }
  Operation *before = op->getPrevNode();
  SmallVector<Value> starts = emitBlock(builder, test, mapping);
  starts.erase(starts.begin()); // the condition itself
  // Each of its own.
  for (Value &start : starts)
    if (isa<RankedTensorType>(start.getType()))
      start = createAlias(loc, start);
  for (auto [argument, init] : llvm::zip(test.getArguments(), op.getInits()))
    if (reached.contains(init))
      if (Operation *alias = mapping.lookup(argument).getDefiningOp())
        if (failed(reach(alias)))
          return failure();
  // A call may give way to its rule.
  SmallVector<Operation *> first;
  for (Operation *one = before ? before->getNextNode()
                               : &op->getBlock()->front();
       one != op; one = one->getNextNode())
    first.push_back(one);
  for (Operation *one : first)
    if (failed(reach(one)))
      return failure();

  builder.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInits());
  SmallVector<Type> types(op.getResultTypes());
  unsigned count = types.size();
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  types.push_back(builder.getIndexType());
  for (Value start : starts) {
    inits.push_back(
        createStack(builder, loc, start, builder.getIndexAttr(most)));
    types.push_back(inits.back().getType());
  }
  auto made = scf::WhileOp::create(builder, loc, types, inits);
  made->setDiscardableAttr(getMaxStepsName(), stated);
  SmallVector<Value> rooms;
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    IRMapping cloned;
    from.cloneInto(&to, cloned);
    Block &block = to.front();
    SmallVector<Value> entered(block.getArguments()), more;
    for (Type type : ArrayRef<Type>(types).drop_front(count))
      more.push_back(block.addArgument(type, loc));
    Operation *end = block.getTerminator();
    if (isa<scf::YieldOp>(end)) {
      Value turn = more.front();
      auto stored =
          storeRows(block, turn, entered, ArrayRef<Value>(more).drop_front());
      OpBuilder inside(end);
      Value one = arith::ConstantIndexOp::create(inside, loc, 1);
      more.assign({arith::AddIOp::create(inside, loc, turn, one)});
      llvm::append_range(more, stored);
    }
    end->insertOperands(end->getNumOperands(), more);
  }
  Value taken = made.getResult(count);
  Value limit = arith::ConstantIndexOp::create(builder, loc, most);
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                      taken, limit);
  cf::AssertOp::create(builder, loc, holds,
                       "while_loop: its gradient has room for max_steps=" +
                           std::to_string(most) +
                           " steps, and the loop took more");

  Turns turns(loc);
  turns.results.assign(made.result_begin(), made.result_begin() + count);
  turns.stacks.assign(made.result_begin() + count + 1, made.result_end());
  turns.starts = starts;
  turns.count = taken;
  turns.most = stated;
  for (auto [old, value] : llvm::zip(op.getResults(), turns.results)) {
    old.replaceAllUsesWith(value);
    if (isDifferentiable(value.getType()))
      reached.insert(value);
  }
  turns.captured = getReadInside(op);
  auto original = std::make_shared<OwningOpRef<scf::WhileOp>>(
      cast<scf::WhileOp>(op->clone()));
  op->erase();
  turns.emit = [original](OpBuilder &builder, Value, ValueRange entered) {
    Block &test = original->get().getBefore().front();
    Block &turn = original->get().getAfter().front();
    IRMapping mapping;
    mapping.map(turn.getArguments(), entered);
    SmallVector<Value> carried = emitBlock(builder, turn, mapping);
    mapping.map(test.getArguments(), carried);
    SmallVector<Value> passed = emitBlock(builder, test, mapping);
    passed.erase(passed.begin());
    return passed;
  };
  steps.push_back([this, turns] { return pullTurns(turns); });
  return success();
}
