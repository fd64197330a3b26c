//===- KeepReduced.cpp - Sums that are read in several orders -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPREDUCED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
/// How the elements of a tensor lie to those of another that it is computed
/// from: the maps and changes of shape between, but for identities.
using Way = SmallVector<Attribute, 2>;

/// What is computed of a tensor by maps alone, and the one way in which each
/// reads it.
class Readers {
public:
  /// Whether a map reads `tensor` in more ways than one, through whatever maps.
  bool readInSeveralWays(Value tensor) {
    ways[tensor] = {};
    // What is computed of it comes after all that it is computed from.
    SmallVector<Operation *> found = getReaders(tensor);
    llvm::sort(found, [](Operation *first, Operation *second) {
      return first->isBeforeInBlock(second);
    });
    return !llvm::all_of(found, [&](Operation *op) { return follow(op); });
  }

private:
  /// The maps, and changes of shape, that read a tensor or what others of them
  /// make, in its block.
  static SmallVector<Operation *> getReaders(Value tensor) {
    llvm::SetVector<Operation *> found;
    SmallVector<Value> made{tensor};
    while (!made.empty())
      for (Operation *user : made.pop_back_val().getUsers()) {
        auto nest = dyn_cast<linalg::LinalgOp>(user);
        bool isMap = nest && nest.getNumParallelLoops() == nest.getNumLoops();
        if (user->getBlock() == tensor.getParentBlock() &&
            (isMap || isa<tensor::CastOp, tensor::CollapseShapeOp,
                          tensor::ExpandShapeOp>(user)) &&
            found.insert(user))
          llvm::append_range(made, user->getResults());
      }
    return found.takeVector();
  }

  /// Adds what an operation makes; no if it reads in several ways.
  bool follow(Operation *op) {
    std::optional<Way> way;
    auto add = [&](Value read, Attribute step) {
      auto known = ways.find(read);
      if (known == ways.end())
        return true;
      Way taken = known->second;
      if (step)
        taken.push_back(step);
      bool isOther = way && *way != taken;
      way = std::move(taken);
      return !isOther;
    };
    if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (!add(operand.get(), getStep(nest, operand)))
          return false;
      Attribute last = getStep(nest, *nest.getDpsInitOperand(0));
      if (last)
        way->push_back(last);
    } else if (isa<tensor::CastOp>(op)) {
      add(op->getOperand(0), {});
    } else {
      add(op->getOperand(0), getStep(op));
    }
    for (Value result : op->getResults())
      ways[result] = *way;
    return true;
  }

  /// How a map reads, or writes, an operand; none if element by element.
  static Attribute getStep(linalg::LinalgOp nest, OpOperand &operand) {
    AffineMap map = nest.getMatchingIndexingMap(&operand);
    return map.isIdentity() ? Attribute() : AffineMapAttr::get(map);
  }

  /// A change of shape by all that tells it from others.
  static Attribute getStep(Operation *op) {
    return ArrayAttr::get(op->getContext(),
                          {op->getAttrDictionary(),
                           TypeAttr::get(op->getOperand(0).getType()),
                           TypeAttr::get(op->getResult(0).getType())});
  }

  llvm::DenseMap<Value, Way> ways;
};

struct KeepReduced : wax::impl::KeepReducedBase<KeepReduced> {
  void runOnOperation() override {
    SmallVector<Value> apart;
    iree::walkHost(getOperation(), [&](Operation *op) {
      auto nest = dyn_cast<linalg::LinalgOp>(op);
      if (isa<iree::ScatterOp>(op) || (nest && nest.getNumReductionLoops() > 0))
        for (Value result : op->getResults())
          if (Readers().readInSeveralWays(result))
            apart.push_back(result);
    });
    for (Value tensor : apart)
      iree::setApart(tensor);
  }
};
} // namespace
