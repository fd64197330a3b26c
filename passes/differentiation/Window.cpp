//===- Window.cpp - Derivatives of windows and their folds --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct DifferentiateWindow
    : DifferentiableOpInterface::ExternalModel<DifferentiateWindow, WindowOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    auto window = cast<WindowOp>(op);
    Location loc = op->getLoc();
    SmallVector<OpFoldResult> all = getSizes(builder, loc, window.getOperand());
    SmallVector<OpFoldResult> windowed = llvm::map_to_vector(
        window.getDims(), [&](int64_t dim) { return all[dim]; });
    SmallVector<Value> dynamic;
    SmallVector<int64_t> sizes;
    dispatchIndexOpFoldResults(windowed, dynamic, sizes);
    auto type = cast<RankedTensorType>(window.getOperand().getType());
    Type element = type.getElementType(), sum = getSumType(element);
    auto fold = FoldOp::create(
        builder, loc, type.clone(sum),
        createConverted(builder, loc, cotangents.front(), sum),
        createScalarTensor(builder, loc, sum, 0), dynamic, window.getDims(),
        sizes, window.getStrides(), window.getDilations());
    buildKernel(builder, loc, fold.getFold(), {sum, sum}, addAccumulators);
    buildKernel(builder, loc, fold.getCombine(), {sum, sum}, addAccumulators);
    return SmallVector<Value>{createConverted(builder, loc, fold, element)};
  }
};

/// A fold that adds elements, converted at most and each once: it is linear.
bool isLinear(FoldOp op) {
  auto inner = op.getFold().front().without_terminator();
  auto isAddition = llvm::IsaPred<arith::AddFOp, complex::AddOp>;
  return isSum(op.getFold(), 1) && llvm::count_if(inner, isAddition) == 1 &&
         llvm::all_of(inner, [&](Operation &other) {
           return isAddition(&other) ||
                  isa<arith::ExtFOp, arith::TruncFOp>(other);
         });
}

struct DifferentiateFold
    : DifferentiableOpInterface::ExternalModel<DifferentiateFold, FoldOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    if (!isLinear(cast<FoldOp>(op)))
      return refuse(op);
    return pushThrough(op, 2, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto fold = cast<FoldOp>(op);
    Location loc = op->getLoc();
    if (!isLinear(fold))
      return refuse(op);
    SmallVector<Value> results(op->getNumOperands());
    if (wanted[1])
      results[1] = sumToStart(builder, loc, cotangents.front());
    if (!wanted[0])
      return results;
    // The windows' sizes are those of the operand's last dims.
    auto type = cast<RankedTensorType>(fold.getOperand().getType());
    ArrayRef<int64_t> sizes = type.getShape().take_back(fold.getDims().size());
    if (llvm::is_contained(sizes, ShapedType::kDynamic))
      return op->emitOpError("is differentiable where windows have static "
                             "sizes"),
             failure();
    Value shown =
        WindowOp::create(builder, loc, cotangents.front(), fold.getDims(),
                         sizes, fold.getStrides(), fold.getDilations());
    results[0] = createConverted(builder, loc, shown, type.getElementType());
    return results;
  }

  static LogicalResult refuse(Operation *op) {
    return op->emitOpError("is differentiable where its fold adds elements");
  }
};

} // namespace

void mlir::wax::attachWindowDerivatives(MLIRContext *context) {
  WindowOp::attachInterface<DifferentiateWindow>(*context);
  FoldOp::attachInterface<DifferentiateFold>(*context);
}
