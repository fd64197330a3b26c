//===- KeepCarried.cpp - What a `scf.while` carries it passes on ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPCARRIED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether the condition passes on as many values as the loop is given, and of
/// the same types.
static bool isAligned(scf::WhileOp loop) {
  return loop.getConditionOp().getArgs().getTypes() ==
         loop.getInits().getTypes();
}

/// A value that nothing will read; null for a tensor of open sizes.
static Value createUnread(OpBuilder &builder, Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  if (!tensor.hasStaticShape())
    return Value();
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

/// Writes a loop so that it passes on what it is given, in its place; what the
/// condition computes besides is carried too, from the end of one turn to that
/// of the next.
static scf::WhileOp align(scf::WhileOp loop) {
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  Block &before = loop.getBefore().front();
  SmallVector<Value> inits(loop.getInits()), passed(before.getArguments());
  // Where each result is among what the new loop carries.
  SmallVector<size_t> places;
  for (Value value : condition.getArgs()) {
    auto *known = llvm::find(passed, value);
    places.push_back(known - passed.begin());
    if (known != passed.end())
      continue;
    Value unread = createUnread(builder, loc, value.getType());
    if (!unread)
      return loop;
    inits.push_back(unread);
    passed.push_back(value);
  }
  auto made =
      scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits);
  ArrayRef<Value> extra =
      ArrayRef<Value>(inits).drop_front(loop.getInits().size());
  made.getBefore().takeBody(loop.getBefore());
  for (Value value : extra)
    made.getBefore().addArgument(value.getType(), loc);
  builder.modifyOpInPlace(condition,
                          [&] { condition.getArgsMutable().assign(passed); });

  made.getAfter().takeBody(loop.getAfter());
  Block &after = made.getAfter().front();
  unsigned old = after.getNumArguments();
  for (Value value : inits)
    after.addArgument(value.getType(), loc);
  for (auto [argument, place] :
       llvm::zip_equal(after.getArguments().take_front(old), places))
    argument.replaceAllUsesWith(after.getArgument(old + place));
  after.eraseArguments(0, old);
  after.getTerminator()->insertOperands(
      after.getTerminator()->getNumOperands(),
      after.getArguments().take_back(extra.size()));

  SmallVector<Value> results = llvm::map_to_vector(
      places, [&](size_t place) -> Value { return made.getResult(place); });
  builder.replaceOp(loop, results);
  return made;
}

/// Takes tensors without elements from what an aligned loop carries.
static void dropEmpty(scf::WhileOp loop) {
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  llvm::BitVector dropped(loop.getNumResults());
  for (Value result : loop.getResults())
    if (iree::hasNoElements(result.getType()))
      dropped.set(cast<OpResult>(result).getResultNumber());
  if (dropped.none())
    return;
  SmallVector<Value> made, inits;
  for (auto [i, init] : llvm::enumerate(loop.getInits())) {
    if (!dropped[i])
      inits.push_back(init);
    made.push_back(dropped[i] ? createUnread(builder, loc, init.getType())
                              : Value());
  }
  auto smaller =
      scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits);
  for (auto [from, to] : {std::pair(&loop.getBefore(), &smaller.getBefore()),
                          std::pair(&loop.getAfter(), &smaller.getAfter())}) {
    to->takeBody(*from);
    Block &block = to->front();
    for (int i : dropped.set_bits())
      block.getArgument(i).replaceAllUsesWith(made[i]);
    block.eraseArguments(dropped);
  }
  // The condition's own operand comes before what it passes on.
  llvm::BitVector passed(dropped.size() + 1);
  for (int i : dropped.set_bits())
    passed.set(i + 1);
  smaller.getConditionOp()->eraseOperands(passed);
  smaller.getYieldOp()->eraseOperands(dropped);

  unsigned next = 0;
  for (Value &value : made)
    if (!value)
      value = smaller.getResult(next++);
  builder.replaceOp(loop, made);
}

namespace {
struct KeepCarried : wax::impl::KeepCarriedBase<KeepCarried> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) {
      if (!loop->getParentOfType<iree::DispatchRegionOp>() &&
          llvm::any_of(loop.getInits().getTypes(), llvm::IsaPred<TensorType>))
        loops.push_back(loop);
    });
    for (scf::WhileOp loop : loops) {
      if (!isAligned(loop))
        loop = align(loop);
      // Of open sizes it may have stayed as it is.
      if (isAligned(loop))
        dropEmpty(loop);
    }
  }
};
} // namespace
