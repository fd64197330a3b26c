//===- Pointwise.cpp - Derivatives of map and broadcast -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "ScalarRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A map or a broadcast.
struct Join {
  explicit Join(MapOp op) : op(op), kernel(op.getKernel()) {
    operands.push_back({op.getOperand(), getAllDims(op.getOperand())});
  }
  explicit Join(BroadcastOp op)
      : op(op), kernel(op.getKernel()), freeSizes(op.getMixedSizes()) {
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      operands.push_back({input, SmallVector<int64_t>(op.getOperandDims(i))});
  }

  Operation *op;
  Region &kernel;
  SmallVector<Operand> operands;
  SmallVector<OpFoldResult> freeSizes;

  /// The sizes of the result, by those of operands and of free dims.
  SmallVector<OpFoldResult> getSpace(OpBuilder &builder) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<OpFoldResult> space(type.getRank());
    for (const Operand &operand : operands)
      for (auto [dim, size] : llvm::zip(
               operand.dims, getSizes(builder, op->getLoc(), operand.value)))
        if (!space[dim])
          space[dim] = size;
    auto free = freeSizes.begin();
    for (OpFoldResult &size : space)
      if (!size)
        size = *free++;
    return space;
  }
};

/// A sum's terms in the format that it is computed in; what a kernel has just
/// rounded to a narrower one is taken from before.
Value widen(OpBuilder &builder, Location loc, Value value) {
  Type type = getSumType(value.getType());
  if (auto rounded = value.getDefiningOp<arith::TruncFOp>();
      rounded && rounded.getIn().getType() == type)
    return rounded.getIn();
  return scalar::convert(builder, loc, value, type);
}

/// Operands' tangents are read where the operands are.
Derivatives push(const Join &join, OpBuilder &builder,
                 ArrayRef<Value> tangents) {
  size_t count = join.operands.size();
  SmallVector<Operand> operands(join.operands);
  for (auto [operand, tangent] : llvm::zip(join.operands, tangents))
    if (tangent)
      operands.push_back({tangent, operand.dims});
  bool isRefused = false;
  Value result = createBroadcast(
      builder, join.op->getLoc(), operands, join.getSpace(builder),
      [&](OpBuilder &body, Location, ValueRange arguments) -> Value {
        SmallVector<Value> scalars(count);
        unsigned next = count;
        for (unsigned i = 0; i < count; ++i)
          if (tangents[i])
            scalars[i] = arguments[next++];
        FailureOr<Pushed> pushed =
            pushKernel(body, join.kernel, arguments.take_front(count), scalars);
        isRefused = failed(pushed);
        return isRefused ? Value() : pushed->tangents.front();
      });
  if (isRefused)
    return failure();
  return SmallVector<Value>{result};
}

/// The product of the cotangent and the kernel's derivative, over the whole
/// result, summed over the dims that the operand lacks. Dims that an operand
/// has in another order come first, so that the sum leaves them in its own.
FailureOr<Value> pull(const Join &join, OpBuilder &builder, Value cotangent,
                      unsigned i) {
  Location loc = join.op->getLoc();
  int64_t rank = cast<RankedTensorType>(cotangent.getType()).getRank();
  ArrayRef<int64_t> dims = join.operands[i].dims;
  SmallVector<int64_t> summed = getOtherDims(rank, dims);
  SmallVector<int64_t> place = getAllDims(rank);
  if (!llvm::is_sorted(dims)) {
    for (auto [to, dim] : llvm::enumerate(dims))
      place[dim] = to;
    for (auto [to, dim] : llvm::enumerate(summed)) {
      place[dim] = dims.size() + to;
      dim = place[dim];
    }
  }
  SmallVector<Operand> operands(join.operands);
  operands.push_back({cotangent, getAllDims(rank)});
  for (Operand &operand : operands)
    for (int64_t &dim : operand.dims)
      dim = place[dim];

  bool isRefused = false;
  llvm::SmallBitVector wanted(join.operands.size());
  wanted.set(i);
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, cotangent);
  SmallVector<OpFoldResult> space(rank);
  for (auto [dim, size] : llvm::enumerate(sizes))
    space[place[dim]] = size;
  Value product = createBroadcast(
      builder, loc, operands, space,
      [&](OpBuilder &body, Location loc, ValueRange arguments) -> Value {
        FailureOr<SmallVector<Value>> pulled = pullKernel(
            body, join.kernel, arguments.drop_back(), arguments.back(), wanted);
        isRefused = failed(pulled);
        Value own = isRefused ? Value() : (*pulled)[i];
        return own && !summed.empty() ? widen(body, loc, own) : own;
      });
  if (isRefused)
    return failure();
  if (!product)
    return Value();
  Type element = getElementTypeOrSelf(join.operands[i].value.getType());
  return createConverted(builder, loc, createSum(builder, loc, product, summed),
                         element);
}

template <typename OpTy>
struct DifferentiateJoin
    : DifferentiableOpInterface::ExternalModel<DifferentiateJoin<OpTy>, OpTy> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return push(Join(cast<OpTy>(op)), builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    Join join(cast<OpTy>(op));
    SmallVector<Value> results(op->getNumOperands());
    for (unsigned i : wanted.set_bits()) {
      FailureOr<Value> pulled = pull(join, builder, cotangents.front(), i);
      if (failed(pulled))
        return failure();
      results[i] = *pulled;
    }
    return results;
  }
};

} // namespace

void mlir::wax::attachPointwiseDerivatives(MLIRContext *context) {
  MapOp::attachInterface<DifferentiateJoin<MapOp>>(*context);
  BroadcastOp::attachInterface<DifferentiateJoin<BroadcastOp>>(*context);
}
