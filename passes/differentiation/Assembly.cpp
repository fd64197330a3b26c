//===- Assembly.cpp - Derivatives of concat, insert and casts -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct DifferentiateConcat
    : DifferentiableOpInterface::ExternalModel<DifferentiateConcat, ConcatOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, op->getNumOperands(), builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto concat = cast<ConcatOp>(op);
    Location loc = op->getLoc();
    int64_t rank = concat.getResult().getType().getRank();
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
    SmallVector<int64_t> strides(rank, 1);
    SmallVector<Value> results(op->getNumOperands());
    for (auto [i, input] : llvm::enumerate(concat.getInputs())) {
      SmallVector<OpFoldResult> sizes = getSizes(builder, loc, input);
      if (wanted[i])
        results[i] = createSlice(builder, loc, cotangents.front(), offsets,
                                 sizes, strides);
      OpFoldResult &start = offsets[concat.getDim()];
      start = addSizes(builder, loc, start, sizes[concat.getDim()]);
    }
    return results;
  }
};

struct DifferentiateInsert
    : DifferentiableOpInterface::ExternalModel<DifferentiateInsert, InsertOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 2, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto insert = cast<InsertOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> results(op->getNumOperands());
    if (wanted[0])
      results[0] = createSlice(
          builder, loc, cotangents.front(), insert.getMixedOffsets(),
          getSizes(builder, loc, insert.getUpdate()), insert.getStrides());
    if (wanted[1])
      results[1] = InsertOp::create(
          builder, loc, createZerosLike(builder, loc, insert.getUpdate()),
          cotangents.front(), insert.getOffsets(), insert.getStaticOffsets(),
          insert.getStrides());
    return results;
  }
};

struct DifferentiateCast
    : DifferentiableOpInterface::ExternalModel<DifferentiateCast,
                                               tensor::CastOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    return SmallVector<Value>{castTo(builder, op->getLoc(),
                                     op->getOperand(0).getType(),
                                     cotangents.front())};
  }
};

} // namespace

void mlir::wax::attachAssemblyDerivatives(MLIRContext *context) {
  ConcatOp::attachInterface<DifferentiateConcat>(*context);
  InsertOp::attachInterface<DifferentiateInsert>(*context);
  tensor::CastOp::attachInterface<DifferentiateCast>(*context);
}
