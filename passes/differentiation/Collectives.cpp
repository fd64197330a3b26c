//===- Collectives.cpp - Derivatives of what rows of a batch share --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct DifferentiateAllGather
    : DifferentiableOpInterface::ExternalModel<DifferentiateAllGather,
                                               AllGatherOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  /// What all rows have for this one.
  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    Location loc = op->getLoc();
    StringAttr axis = cast<AllGatherOp>(op).getAxisAttr();
    Value all = PsumOp::create(builder, loc, cotangents.front(), axis);
    Value row = AxisIndexOp::create(builder, loc, axis);
    SmallVector<int64_t> dims =
        getAllDims(cast<RankedTensorType>(all.getType()).getRank() - 1);
    dims.insert(dims.begin(), -1);
    SmallVector<Value> results(op->getNumOperands());
    results[0] = GatherOp::create(
        builder, loc, all, row, dims,
        builder.getArrayAttr(builder.getDenseI64ArrayAttr({})));
    return results;
  }
};

struct DifferentiatePsum
    : DifferentiableOpInterface::ExternalModel<DifferentiatePsum, PsumOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    return SmallVector<Value>{PsumOp::create(builder, op->getLoc(),
                                             cotangents.front(),
                                             cast<PsumOp>(op).getAxisAttr())};
  }
};

} // namespace

void mlir::wax::attachCollectiveDerivatives(MLIRContext *context) {
  AllGatherOp::attachInterface<DifferentiateAllGather>(*context);
  PsumOp::attachInterface<DifferentiatePsum>(*context);
}
