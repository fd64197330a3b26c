//===- Collectives.cpp - What rows of a batch share -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over the batch's own axis they are what has the batch, or sums of it, and the
// same for all rows. Over another axis they stay, for who batches that.
//
//===----------------------------------------------------------------------===//

#include "../differentiation/ScalarRules.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

Value mlir::wax::sumRows(OpBuilder &builder, Location loc, Value rows) {
  Type element = getElementTypeOrSelf(rows.getType());
  Value sum =
      createSum(builder, loc,
                createConverted(builder, loc, rows, getSumType(element)), {0});
  return createConverted(builder, loc, sum, element);
}

/// As many times a value as there are rows.
static Value multiplyByRows(OpBuilder &builder, Location loc, Value value,
                            int64_t count) {
  return createPointwise(
      builder, loc, value,
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Type element = in[0].getType(), wide = getSumType(element);
        Value term = in[0];
        if (wide != element)
          term = scalar::convert(body, loc, term, wide);
        Value factor = scalar::constant(body, loc, wide, count);
        Value product = scalar::mul(body, loc, term, factor);
        return wide == element ? product
                               : scalar::convert(body, loc, product, element);
      });
}

bool BatchWalk::batchCollective(Operation *op) {
  Location loc = op->getLoc();
  if (auto index = dyn_cast<AxisIndexOp>(op)) {
    if (index.getAxis() != axis)
      return false;
    SmallVector<Value> sizes;
    if (auto value = dyn_cast<Value>(size))
      sizes.push_back(value);
    set(index,
        IotaOp::create(builder, loc,
                       getBatchedType(index.getType(), getStaticSize()), sizes,
                       /*dim=*/0),
        /*isBatched=*/true);
    return true;
  }
  if (auto gathered = dyn_cast<AllGatherOp>(op)) {
    if (gathered.getAxis() != axis)
      return false;
    Value rows = getBatched(gathered.getOperand());
    set(gathered, castTo(builder, loc, gathered.getType(), rows),
        /*isBatched=*/false);
    return true;
  }
  if (auto sum = dyn_cast<PsumOp>(op)) {
    if (sum.getAxis() != axis)
      return false;
    Row row = get(sum.getOperand());
    Value total;
    if (!row.isBatched && !ShapedType::isDynamic(getStaticSize()))
      total = multiplyByRows(builder, loc, row.value, getStaticSize());
    else
      total = sumRows(builder, loc, getBatched(sum.getOperand()));
    set(sum, castTo(builder, loc, sum.getType(), total), /*isBatched=*/false);
    return true;
  }
  return false;
}

namespace {

/// Over another axis: its rows stand before this one's.
struct BatchAllGather
    : BatchableOpInterface::ExternalModel<BatchAllGather, AllGatherOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto gathered = cast<AllGatherOp>(op);
    if (!batched[0])
      return op->emitOpError("has a size that differs within the batch");
    Value made = AllGatherOp::create(
        builder, op->getLoc(), operands[0], operands.drop_front(),
        gathered.getStaticSizes(), gathered.getAxis());
    SmallVector<int64_t> order = getAllDims(made);
    std::swap(order[0], order[1]);
    return SmallVector<Value>{
        PermuteOp::create(builder, op->getLoc(), made, order)};
  }
};

struct BatchPsum : BatchableOpInterface::ExternalModel<BatchPsum, PsumOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    FailureOr<Operation *> made = cloneBatched(op, builder, operands, batched);
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachCollectiveBatching(MLIRContext *context) {
  AllGatherOp::attachInterface<BatchAllGather>(*context);
  PsumOp::attachInterface<BatchPsum>(*context);
}
