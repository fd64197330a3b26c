//===- Layout.cpp - Batches of permute, reshape, reverse, pad, concat -----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Operations of attributes that speak of dims, and which `Model::shift` puts
/// one further on.
template <typename Model, typename OpTy>
struct Shifting : BatchableOpInterface::ExternalModel<Model, OpTy> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    FailureOr<OpTy> made =
        cloneBatched(cast<OpTy>(op), builder, operands, batched);
    if (failed(made))
      return failure();
    Model::shift(*made, builder);
    return getResults(*made);
  }
};

struct BatchPermute : Shifting<BatchPermute, PermuteOp> {
  static void shift(PermuteOp op, OpBuilder &) {
    op.setPermutation(getBatchedDims(op.getPermutation()));
  }
};

struct BatchReverse : Shifting<BatchReverse, ReverseOp> {
  static void shift(ReverseOp op, OpBuilder &) {
    op.setDims(shiftDims(op.getDims()));
  }
};

struct BatchReshape : Shifting<BatchReshape, ReshapeOp> {
  static void shift(ReshapeOp op, OpBuilder &builder) {
    op.setSourceGroupsAttr(shiftGroups(builder, op.getSourceGroups()));
    op.setResultGroupsAttr(shiftGroups(builder, op.getResultGroups()));
  }

  static ArrayAttr shiftGroups(OpBuilder &builder, ArrayAttr groups) {
    SmallVector<Attribute> shifted{builder.getDenseI64ArrayAttr({0})};
    for (Attribute group : groups)
      shifted.push_back(builder.getDenseI64ArrayAttr(
          shiftDims(cast<DenseI64ArrayAttr>(group).asArrayRef())));
    return builder.getArrayAttr(shifted);
  }
};

struct BatchCast
    : BatchableOpInterface::ExternalModel<BatchCast, tensor::CastOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    FailureOr<Operation *> made = cloneBatched(op, builder, operands, batched);
    return getResults(*made);
  }
};

struct BatchPad : BatchableOpInterface::ExternalModel<BatchPad, PadOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto pad = cast<PadOp>(op);
    Location loc = op->getLoc();
    if (!batched[1])
      return SmallVector<Value>{
          create(pad, builder, operands[0], operands[1], true)};
    // Where the value differs, the places that take it are padded apart.
    Type element = getElementTypeOrSelf(operands[0].getType());
    Type bit = builder.getI1Type();
    Value padded =
        create(pad, builder, operands[0],
               createScalarTensor(builder, loc, element, 0), batched[0]);
    auto row = cast<RankedTensorType>(op->getOperand(0).getType());
    SmallVector<OpFoldResult> sizes = getSizes(builder, loc, operands[0]);
    Value inside =
        createFilled(builder, loc, createScalarTensor(builder, loc, bit, 0),
                     ArrayRef(sizes).take_back(row.getRank()));
    Value outside = create(pad, builder, inside,
                           createScalarTensor(builder, loc, bit, 1), false);
    SmallVector<int64_t> dims = getAllDims(row.getRank());
    SmallVector<Operand> joined{{outside, shiftDims(dims)},
                                {operands[1], {0}},
                                {padded, getBatchedDims(dims, batched[0])}};
    SmallVector<OpFoldResult> all{
        getBatchSize(builder, loc, operands, batched)};
    llvm::append_range(all, getSizes(builder, loc, outside));
    return SmallVector<Value>{createBroadcast(
        builder, loc, joined, all,
        [](OpBuilder &body, Location loc, ValueRange in) -> Value {
          return arith::SelectOp::create(body, loc, in[0], in[1], in[2]);
        })};
  }

  static Value create(PadOp op, OpBuilder &builder, Value operand, Value value,
                      bool isBatched) {
    auto extend = [&](ArrayRef<int64_t> amounts) {
      return isBatched ? prepend(0, amounts) : SmallVector<int64_t>(amounts);
    };
    return PadOp::create(builder, op.getLoc(), operand, value,
                         extend(op.getLow()), extend(op.getHigh()),
                         extend(op.getInterior()));
  }
};

struct BatchConcat
    : BatchableOpInterface::ExternalModel<BatchConcat, ConcatOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto concat = cast<ConcatOp>(op);
    return SmallVector<Value>{
        ConcatOp::create(builder, op->getLoc(),
                         repeatOthers(builder, op->getLoc(), operands, batched),
                         concat.getDim() + 1)};
  }
};

} // namespace

void mlir::wax::attachLayoutBatching(MLIRContext *context) {
  PermuteOp::attachInterface<BatchPermute>(*context);
  ReverseOp::attachInterface<BatchReverse>(*context);
  ReshapeOp::attachInterface<BatchReshape>(*context);
  PadOp::attachInterface<BatchPad>(*context);
  ConcatOp::attachInterface<BatchConcat>(*context);
  tensor::CastOp::attachInterface<BatchCast>(*context);
}
