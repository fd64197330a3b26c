//===- Pointwise.cpp - Batches of map and broadcast -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct BatchMap : BatchableOpInterface::ExternalModel<BatchMap, MapOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    FailureOr<Operation *> made = cloneBatched(op, builder, operands, batched);
    return getResults(*made);
  }
};

/// The batch is one more dim of the join, which some operands have.
struct BatchBroadcast
    : BatchableOpInterface::ExternalModel<BatchBroadcast, BroadcastOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto made = cloneBatched(cast<BroadcastOp>(op), builder, operands, batched);
    if (failed(made))
      return failure();
    SmallVector<Attribute> dims;
    for (size_t i = 0; i < made->getInputs().size(); ++i)
      dims.push_back(builder.getDenseI64ArrayAttr(
          getBatchedDims(made->getOperandDims(i), batched[i])));
    made->setDimsAttr(builder.getArrayAttr(dims));
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachPointwiseBatching(MLIRContext *context) {
  MapOp::attachInterface<BatchMap>(*context);
  BroadcastOp::attachInterface<BatchBroadcast>(*context);
}
