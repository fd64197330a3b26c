//===- DispatchLoops.cpp - Loops over small tensors become one dispatch ---===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lowering/Stored.h"
#include "LoopPlan.h"
#include "LoopRegisters.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"

namespace mlir::wax {
#define GEN_PASS_DEF_DISPATCHLOOPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

/// What a loop reads of the program around it.
class Captured {
public:
  Captured(Operation *loop, const LoopPlan &plan) : loop(loop), plan(plan) {
    loop->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if ((op == loop || plan.isOutside(operand.get())) &&
            !plan.beginsWindow(operand))
          add(operand);
    });
  }

  /// In an order in which views come after what they view.
  ArrayRef<Value> getValues() const { return values.getArrayRef(); }
  /// Whether the dispatch reads a value from memory.
  bool isFlat(Value value) const { return flat.contains(value); }

private:
  void add(OpOperand &use);
  void add(Value value);

  Operation *loop;
  const LoopPlan &plan;
  llvm::SetVector<Value> values;
  llvm::DenseSet<Value> flat;
};

/// Makes one dispatch of a loop.
class LoopDispatch {
public:
  LoopDispatch(Operation *loop, const LoopPlan &plan)
      : loop(loop), plan(plan), builder(loop) {}
  Operation *create();

private:
  /// How many elements something has that the loop carries in memory.
  Value createSize(Value init);

  Operation *loop;
  const LoopPlan &plan;
  OpBuilder builder;
};

} // namespace

void Captured::add(OpOperand &use) {
  Value value = use.get();
  if (!isa<RankedTensorType>(value.getType())) {
    values.insert(value);
    return;
  }
  if (auto counted = dyn_cast<scf::ForOp>(loop);
      counted && use.getOwner() == loop)
    if (plan.isInMemory(counted.getTiedLoopRegionIterArg(&use))) {
      values.insert(value);
      if (!getFilling(value) && !value.getDefiningOp<tensor::EmptyOp>())
        flat.insert(value);
      return;
    }
  if (isa<tensor::ExtractOp>(use.getOwner())) {
    values.insert(value);
    return;
  }
  if (isa<tensor::ExtractSliceOp>(use.getOwner()) &&
      !isStaticView(use.getOwner())) {
    values.insert(value);
    flat.insert(value);
    return;
  }
  add(value);
}

void Captured::add(Value value) {
  Operation *definition = value.getDefiningOp();
  std::optional<int64_t> count = getElementCount(value.getType());
  bool isMade = count && (isa_and_present<tensor::EmptyOp>(definition) ||
                          matchPattern(value, m_Constant()));
  // A slice of what no registers hold is itself read from memory.
  Value viewed =
      count && isStaticView(definition) ? definition->getOperand(0) : Value();
  bool isView = viewed && isHeldType(viewed.getType()) &&
                isSmall(viewed.getType()) == isSmall(value.getType());
  if (isView)
    add(viewed);
  values.insert(value);
  if (!isMade && !isView && count != 1)
    flat.insert(value);
}

/// A tensor of the same sizes, so that nothing is left of a fill.
static Value getShaped(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill ? fill.getOutputs().front() : tensor;
}

Value LoopDispatch::createSize(Value init) {
  Location loc = loop->getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  if (type.hasStaticShape())
    return arith::ConstantIndexOp::create(builder, loc, type.getNumElements());
  Value rows = builder.createOrFold<tensor::DimOp>(loc, getShaped(init), 0);
  Value length = arith::ConstantIndexOp::create(
      builder, loc, llvm::product_of(type.getShape().drop_front()));
  return builder.createOrFold<arith::MulIOp>(loc, rows, length);
}

Operation *LoopDispatch::create() {
  Location loc = loop->getLoc();
  Captured captured(loop, plan);
  DenseMap<Value, Value> flat;
  for (Value value : captured.getValues())
    if (captured.isFlat(value))
      flat[value] = flatten(builder, value);

  SmallVector<Type> types;
  SmallVector<Value> inits, sizes, openSizes;
  for (auto [place, result] : llvm::enumerate(loop->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape;
    if (type.getRank() > 0)
      shape.push_back(type.hasStaticShape() ? type.getNumElements()
                                            : ShapedType::kDynamic);
    types.push_back(
        RankedTensorType::get(shape, getStoredType(type.getElementType())));
    inits.push_back(Value());
    sizes.push_back(Value());
    if (!plan.isInMemory(result))
      continue;
    inits.back() = cast<scf::ForOp>(loop).getInitArgs()[place];
    sizes.back() = createSize(inits.back());
    if (!type.hasStaticShape())
      openSizes.push_back(sizes.back());
  }
  auto region = iree::DispatchRegionOp::create(builder, loc, types, openSizes,
                                               /*workload=*/ValueRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region.getBody());
    LoopRegisters registers(builder, plan);
    for (Value value : captured.getValues())
      registers.enter(value, flat.lookup(value));
    for (auto [init, size] : llvm::zip_equal(inits, sizes))
      if (init)
        registers.enterCarried(init, size);
    registers.convert(loop);
    iree::ReturnOp::create(
        builder, loc,
        llvm::map_to_vector(loop->getResults(), [&](Value result) {
          return registers.store(result);
        }));
  }
  for (auto [result, init, output] :
       llvm::zip_equal(loop->getResults(), inits, region.getOutputs()))
    result.replaceAllUsesWith(
        unflatten(builder, output, getShaped(init ? init : Value(result))));
  loop->erase();
  return region;
}

namespace {
struct DispatchLoops : wax::impl::DispatchLoopsBase<DispatchLoops> {
  void runOnOperation() override {
    SmallVector<std::pair<Operation *, LoopPlan>> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is in a dispatch is in one, and kernels have no tensors.
      if (isa<iree::DispatchRegionOp, linalg::LinalgOp>(op))
        return WalkResult::skip();
      if (!isa<scf::ForOp, scf::WhileOp>(op))
        return WalkResult::advance();
      std::optional<LoopPlan> plan = LoopPlan::of(op);
      if (!plan)
        return WalkResult::advance();
      loops.emplace_back(op, *plan);
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    for (auto &[loop, plan] : loops)
      eliminateCommonSubExpressions(rewriter, dominance,
                                    LoopDispatch(loop, plan).create());
  }
};
} // namespace
