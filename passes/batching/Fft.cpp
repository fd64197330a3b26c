//===- Fft.cpp - Batches of fft -------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct BatchFft : BatchableOpInterface::ExternalModel<BatchFft, FftOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto fft = cast<FftOp>(op);
    FailureOr<FftOp> made = cloneBatched(fft, builder, operands, batched);
    made->setDims(shiftDims(fft.getDims()));
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachFftBatching(MLIRContext *context) {
  FftOp::attachInterface<BatchFft>(*context);
}
