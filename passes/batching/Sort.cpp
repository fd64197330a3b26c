//===- Sort.cpp - Batches of sort -----------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct BatchSort : BatchableOpInterface::ExternalModel<BatchSort, SortOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto sort = cast<SortOp>(op);
    FailureOr<SortOp> made = cloneBatched(
        sort, builder, repeatOthers(builder, op->getLoc(), operands, batched),
        batched);
    made->setDim(sort.getDim() + 1);
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachSortBatching(MLIRContext *context) {
  SortOp::attachInterface<BatchSort>(*context);
}
