//===- KeepSizes.cpp - Sizes that a `scf.while` carries -------------------===//
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
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPSIZES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What IREE cannot find the value of.
static Value hide(OpBuilder &builder, Value value) {
  return iree::OptimizationBarrierOp::create(builder, value.getLoc(),
                                             value.getType(), value)
      .getResult(0);
}

/// The open sizes of a tensor, each behind a barrier.
static SmallVector<Value> hideSizes(OpBuilder &builder, Value tensor) {
  SmallVector<Value> sizes;
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(hide(builder, builder.createOrFold<tensor::DimOp>(
                                        tensor.getLoc(), tensor, dim)));
  return sizes;
}

/// Whether a tensor is known to have no elements, if not by its own type.
static bool isCastOfEmpty(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    tensor = cast.getSource();
    if (iree::hasNoElements(tensor.getType()))
      return true;
  }
  return false;
}

/// `tensor`, of open `sizes` of which nothing is known.
static Value createOfSizes(OpBuilder &builder, Value tensor, ValueRange sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  // IREE makes none of what has no elements, and cannot pass it on.
  if (isCastOfEmpty(tensor))
    return tensor::EmptyOp::create(builder, loc, type, sizes);
  // It looks through a cast for how many bytes there are.
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>();
      cast && isa<RankedTensorType>(cast.getSource().getType())) {
    Value source = cast.getSource();
    // It slices a scalar where it computes the only element there is.
    if (iree::hasOneElement(source.getType()))
      source = hide(builder, source);
    SmallVector<OpFoldResult> zeros(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(
        builder, loc, type, source, zeros,
        getMixedValues(type.getShape(), sizes, builder), ones);
  }
  return iree::TieShapeOp::create(builder, loc, type, tensor, sizes);
}

/// Whether more than the sizes of a tensor is asked for. Of a cast nothing is
/// left where it tells that there are no elements.
static bool isRead(Value tensor) {
  return !llvm::all_of(tensor.getUsers(),
                       llvm::IsaPred<tensor::CastOp, tensor::DimOp>);
}

/// Has a condition read tensors of open sizes that it neither reads nor passes
/// on.
static void keepGiven(scf::WhileOp loop) {
  OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBefore().front());
  for (BlockArgument argument : loop.getBeforeArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && !type.hasStaticShape() && argument.use_empty())
      hide(builder, argument);
  }
}

/// Has each turn read what is carried, and its sizes, and give sizes of which
/// nothing is known: what is not read, or always the same, is taken away again,
/// and the places of the rest with it.
static void keepRead(scf::WhileOp loop) {
  Block &after = loop.getAfter().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&after);
  for (BlockArgument argument : after.getArguments()) {
    bool wasRead = isRead(argument);
    hideSizes(builder, argument);
    if (!wasRead)
      hide(builder, argument);
  }
  builder.setInsertionPoint(after.getTerminator());
  for (OpOperand &yielded : after.getTerminator()->getOpOperands()) {
    SmallVector<Value> sizes = hideSizes(builder, yielded.get());
    if (sizes.empty())
      continue;
    yielded.set(createOfSizes(builder, yielded.get(), sizes));
  }
}

/// Has what follows a loop read what it gives, if it reads no tensor of that:
/// where it asks for sizes only, or a turn has a check, IREE 3.13 finds no end.
static void keepResults(scf::WhileOp loop) {
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  auto tensors = llvm::make_filter_range(loop.getResults(), [](Value result) {
    return isa<TensorType>(result.getType());
  });
  if (llvm::none_of(tensors, isRead))
    for (Value result : tensors)
      hide(builder, result);
}

namespace {
struct KeepSizes : wax::impl::KeepSizesBase<KeepSizes> {
  void runOnOperation() override {
    getOperation().walk([](scf::WhileOp loop) {
      if (!loop->getParentOfType<iree::DispatchRegionOp>() &&
          llvm::any_of(loop.getInits().getTypes(), llvm::IsaPred<TensorType>)) {
        keepGiven(loop);
        keepRead(loop);
        keepResults(loop);
      }
    });
  }
};
} // namespace
