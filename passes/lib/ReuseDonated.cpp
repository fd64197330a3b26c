//===- ReuseDonated.cpp - Write results to donated arguments --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overwrites.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::wax {
#define GEN_PASS_DEF_REUSEDONATED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether nests of loops make `value`, in whatever shape.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_present<linalg::LinalgOp>(op);
}

/// Whether all that read an argument, itself or a view of it, leave it as it
/// is; but for those that scatter to the argument itself.
static bool isOnlyRead(BlockArgument argument,
                       SmallVectorImpl<iree::ScatterOp> &scatters) {
  SmallVector<Value> seen{argument};
  while (!seen.empty())
    for (OpOperand &use : seen.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (iree::isView(user)) {
        llvm::append_range(seen, user->getResults());
        continue;
      }
      if (auto scatter = dyn_cast<iree::ScatterOp>(user);
          scatter && use == scatter.getOriginalMutable() &&
          use.get() == argument) {
        scatters.push_back(scatter);
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
struct ReuseDonated : wax::impl::ReuseDonatedBase<ReuseDonated> {
  void runOnOperation() override {
    getOperation().walk([](func::FuncOp function) {
      if (!function.isExternal() && function.getBody().hasOneBlock())
        reuse(function);
    });
  }

private:
  static void reuse(func::FuncOp function) {
    auto end = cast<func::ReturnOp>(function.front().getTerminator());
    llvm::MapVector<Type, SmallVector<Value>> made;
    for (Value result :
         llvm::SetVector<Value>(end.operand_begin(), end.operand_end()))
      made[result.getType()].push_back(result);
    llvm::MapVector<Type, SmallVector<BlockArgument>> donated;
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (type && type.hasStaticShape() && type.getRank() > 0 &&
          type.getNumElements() > 0 &&
          function.getArgAttr(argument.getArgNumber(), "wax.donated"))
        donated[type].push_back(argument);
    }
    auto consume = [&](BlockArgument argument) {
      function.setArgAttr(argument.getArgNumber(), "iree.abi.consume",
                          UnitAttr::get(function.getContext()));
    };
    Value zero, hidden;
    for (auto &[type, arguments] : donated) {
      MutableArrayRef<Value> results = made[type];
      SmallVector<std::pair<BlockArgument, Value>> reuses;
      auto pair = [&](BlockArgument argument, Value &result) {
        SetVector<Operation *> reductions;
        if (!result || !isComputed(result) ||
            !Overwritten(argument, /*isOwn=*/true)
                 .takes(result, {}, {}, &reductions))
          return false;
        for (Operation *reduction : reductions)
          for (Value sum : reduction->getResults())
            iree::setApart(sum);
        reuses.emplace_back(argument, result);
        result = {};
        return true;
      };
      SmallVector<BlockArgument> left;
      for (auto [i, argument] : llvm::enumerate(arguments)) {
        SmallVector<iree::ScatterOp> scatters;
        if (i >= results.size() || !isOnlyRead(argument, scatters) ||
            scatters.size() > 1)
          continue;
        // IREE scatters in place, but to a copy of what others read too unless
        // the argument is the program's own.
        if (!scatters.empty()) {
          Overwritten memory(argument, /*isOwn=*/true);
          if (!memory.isReadBehindBarrier(scatters.front()) &&
              !memory.isReadUnordered(scatters.front()))
            consume(argument);
        } else if (!pair(argument, results[i]))
          left.push_back(argument);
      }
      for (BlockArgument argument : left)
        for (Value &result : results)
          if (pair(argument, result))
            break;
      for (auto [argument, result] : reuses) {
        consume(argument);
        if (!hidden) {
          // IREE knows an update of all of a tensor as the tensor that it is.
          auto builder = OpBuilder::atBlockBegin(&function.front());
          Location loc = function.getLoc();
          zero = arith::ConstantIndexOp::create(builder, loc, 0);
          hidden = iree::OptimizationBarrierOp::create(builder, loc,
                                                       zero.getType(), zero)
                       ->getResult(0);
        }
        update(argument, result, zero, hidden);
      }
    }
  }

  /// Writes `result` over `argument`, for all that read it.
  static void update(BlockArgument argument, Value result, Value zero,
                     Value hidden) {
    auto type = cast<RankedTensorType>(result.getType());
    Location loc = result.getLoc();
    OpBuilder builder(result.getContext());
    builder.setInsertionPointAfterValue(result);
    Value size =
        arith::ConstantIndexOp::create(builder, loc, type.getDimSize(0));
    size = arith::AddIOp::create(builder, loc, hidden, size);
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = ShapedType::kDynamic;
    auto reshape = iree::TensorReshapeOp::create(
        builder, loc, type.clone(shape), result, ValueRange(), size);
    SmallVector<Value> starts(type.getRank(), zero);
    auto update = iree::TensorUpdateOp::create(
        builder, loc, type, argument, ValueRange(), starts, reshape, size);
    result.replaceAllUsesExcept(update, reshape);
  }
};
} // namespace
