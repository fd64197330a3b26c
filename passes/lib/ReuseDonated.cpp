//===- ReuseDonated.cpp - Write results to donated arguments --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/PriorityQueue.h"

namespace mlir::wax {
#define GEN_PASS_DEF_REUSEDONATED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

/// Whether nests of loops make `value`, in whatever shape.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_present<linalg::LinalgOp>(op);
}

/// Whether all that read an argument, itself or a view of it, leave it as it
/// is; but for what scatters to the argument itself, which is counted.
static bool isOnlyRead(BlockArgument argument, unsigned &scatters) {
  SmallVector<Value> seen{argument};
  while (!seen.empty())
    for (OpOperand &use : seen.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isView(user)) {
        llvm::append_range(seen, user->getResults());
        continue;
      }
      if (auto scatter = dyn_cast<iree::ScatterOp>(user);
          scatter && use == scatter.getOriginalMutable() &&
          use.get() == argument) {
        ++scatters;
        continue;
      }
      auto nest = dyn_cast<linalg::LinalgOp>(user);
      if (!isa<tensor::DimOp, tensor::ExtractOp, vector::TransferReadOp,
               iree::OptimizationBarrierOp>(user) &&
          !(nest && nest.isDpsInput(&use)))
        return false;
    }
  return true;
}

namespace {
/// A result and the argument that it is written over.
struct Reuse {
  BlockArgument argument;
  Value result;
  /// What writes it, and the value that is `result` from then on.
  Operation *update = nullptr;
  bool isDropped = false;
};

/// The order of a block's operations in which what is overwritten has been
/// read.
class Order {
public:
  Order(Block &block, MutableArrayRef<Reuse> reuses)
      : block(block), reuses(reuses) {
    for (auto [i, op] : llvm::enumerate(block))
      numbers[&op] = i;
    ops.resize(numbers.size());
    for (auto [op, number] : numbers)
      ops[number] = op;
  }

  /// Orders the block, and drops the reuses of which it has none.
  void establish() {
    waits.assign(ops.size(), 0);
    followers.assign(ops.size(), {});
    for (Operation *op : ops)
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *maker = operand.getDefiningOp())
            if (Operation *above = block.findAncestorOpInBlock(*maker))
              if (above != op)
                addEdge(above, op);
      });
    // What ends the block is last.
    for (Operation *op : ArrayRef(ops).drop_back())
      addEdge(op, ops.back());
    for (Reuse &reuse : reuses)
      forEachReader(reuse,
                    [&](Operation *reader) { addEdge(reader, reuse.update); });

    llvm::PriorityQueue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (auto [i, count] : llvm::enumerate(waits))
      if (!count)
        ready.push(i);
    unsigned done = 0;
    auto release = [&](Operation *op) {
      if (--waits[numbers.lookup(op)] == 0)
        ready.push(numbers.lookup(op));
    };
    while (done < ops.size()) {
      if (ready.empty()) {
        // Some reader needs what overwrites that which it reads.
        Reuse *stuck = llvm::find_if(reuses, [&](Reuse &reuse) {
          return !reuse.isDropped && waits[numbers.lookup(reuse.update)];
        });
        stuck->isDropped = true;
        forEachReader(*stuck, [&](Operation *reader) {
          if (!placed.contains(reader)) {
            auto &list = followers[numbers.lookup(reader)];
            list.erase(llvm::find(list, stuck->update));
            release(stuck->update);
          }
        });
        continue;
      }
      Operation *op = ops[ready.top()];
      ready.pop();
      op->moveBefore(&block, block.end());
      placed.insert(op);
      ++done;
      for (Operation *follower : followers[numbers.lookup(op)])
        release(follower);
    }
  }

private:
  void addEdge(Operation *from, Operation *to) {
    followers[numbers.lookup(from)].push_back(to);
    ++waits[numbers.lookup(to)];
  }

  /// What reads an argument's elements, itself or a view of them.
  void forEachReader(Reuse &reuse, function_ref<void(Operation *)> visit) {
    llvm::SetVector<Operation *> readers;
    SmallVector<Value> seen{reuse.argument};
    while (!seen.empty())
      for (Operation *user : seen.pop_back_val().getUsers()) {
        Operation *above = block.findAncestorOpInBlock(*user);
        if (above == reuse.update || isa<tensor::DimOp>(user))
          continue;
        readers.insert(above);
        if (isView(user))
          llvm::append_range(seen, user->getResults());
      }
    for (Operation *reader : readers)
      visit(reader);
  }

  Block &block;
  MutableArrayRef<Reuse> reuses;
  llvm::DenseMap<Operation *, unsigned> numbers;
  SmallVector<Operation *> ops;
  SmallVector<unsigned> waits;
  std::vector<SmallVector<Operation *>> followers;
  llvm::DenseSet<Operation *> placed;
};

struct ReuseDonated : wax::impl::ReuseDonatedBase<ReuseDonated> {
  void runOnOperation() override {
    getOperation().walk([](func::FuncOp function) {
      if (!function.isExternal() && function.getBody().hasOneBlock())
        reuse(function);
    });
  }

private:
  static SmallVector<Reuse> pair(func::FuncOp function) {
    auto end = cast<func::ReturnOp>(function.front().getTerminator());
    llvm::DenseMap<Type, SmallVector<Value>> made;
    llvm::DenseSet<Value> seen;
    for (Value result : end.getOperands())
      if (seen.insert(result).second)
        made[result.getType()].push_back(result);
    SmallVector<Reuse> reuses;
    llvm::DenseMap<Type, unsigned> taken;
    for (BlockArgument argument : function.getArguments()) {
      if (!function.getArgAttr(argument.getArgNumber(), "wax.donated"))
        continue;
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      unsigned number = taken[argument.getType()]++;
      ArrayRef<Value> results = made[argument.getType()];
      if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
          type.getNumElements() == 0 || number >= results.size())
        continue;
      unsigned scatters = 0;
      if (!isOnlyRead(argument, scatters) || scatters > 1)
        continue;
      // IREE scatters in place, but to a copy of what others read too unless
      // the argument is the program's own.
      if (scatters)
        function.setArgAttr(argument.getArgNumber(), "iree.abi.consume",
                            UnitAttr::get(function.getContext()));
      else if (isComputed(results[number]))
        reuses.push_back({argument, results[number]});
    }
    return reuses;
  }

  static void reuse(func::FuncOp function) {
    SmallVector<Reuse> reuses = pair(function);
    if (reuses.empty())
      return;
    Block &block = function.front();
    auto builder = OpBuilder::atBlockBegin(&block);
    Location loc = function.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value hidden =
        iree::OptimizationBarrierOp::create(builder, loc, zero.getType(), zero)
            ->getResult(0);
    for (Reuse &reuse : reuses)
      createUpdate(builder, reuse, zero, hidden);
    Order(block, reuses).establish();
    for (Reuse &reuse : reuses) {
      Value updated = reuse.update->getResult(0);
      if (!reuse.isDropped) {
        function.setArgAttr(reuse.argument.getArgNumber(), "iree.abi.consume",
                            builder.getUnitAttr());
        continue;
      }
      updated.replaceAllUsesWith(reuse.result);
      reuse.update->erase();
    }
  }

  static void createUpdate(OpBuilder &builder, Reuse &reuse, Value zero,
                           Value hidden) {
    auto type = cast<RankedTensorType>(reuse.result.getType());
    Location loc = reuse.result.getLoc();
    builder.setInsertionPointAfterValue(reuse.result);
    Value size =
        arith::ConstantIndexOp::create(builder, loc, type.getDimSize(0));
    size = arith::AddIOp::create(builder, loc, hidden, size);
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = ShapedType::kDynamic;
    auto reshape = iree::TensorReshapeOp::create(
        builder, loc, type.clone(shape), reuse.result, ValueRange(), size);
    SmallVector<Value> starts(type.getRank(), zero);
    auto update =
        iree::TensorUpdateOp::create(builder, loc, type, reuse.argument,
                                     ValueRange(), starts, reshape, size);
    reuse.result.replaceAllUsesExcept(update, reshape);
    reuse.update = update;
  }
};
} // namespace
