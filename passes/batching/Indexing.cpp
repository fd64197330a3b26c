//===- Indexing.cpp - Batches of gather and scatter -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

/// Where an operand is read straight, or at indices, one dim further on.
static SmallVector<int64_t> shiftPlaces(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(
      dims, [](int64_t dim) { return dim < 0 ? dim : dim + 1; });
}

static ArrayAttr shiftIndexDims(OpBuilder &builder, ArrayAttr indexDims,
                                unsigned first,
                                const llvm::SmallBitVector &batched) {
  SmallVector<Attribute> shifted;
  for (auto [i, dims] : llvm::enumerate(indexDims))
    shifted.push_back(builder.getDenseI64ArrayAttr(getBatchedDims(
        cast<DenseI64ArrayAttr>(dims).asArrayRef(), batched[first + i])));
  return builder.getArrayAttr(shifted);
}

namespace {

/// The batch is one more dim that both sides list, or one of them.
struct BatchGather
    : BatchableOpInterface::ExternalModel<BatchGather, GatherOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto gather = cast<GatherOp>(op);
    FailureOr<GatherOp> made = cloneBatched(gather, builder, operands, batched);
    SmallVector<int64_t> dims = shiftPlaces(gather.getOperandDims());
    if (batched[0])
      dims.insert(dims.begin(), 0);
    made->setOperandDims(dims);
    made->setIndexDimsAttr(
        shiftIndexDims(builder, gather.getIndexDims(), 1, batched));
    return getResults(*made);
  }
};

/// Each row has operands of its own, and updates, which come in the order that
/// they have in the row; indices may be the same.
struct BatchScatter
    : BatchableOpInterface::ExternalModel<BatchScatter, ScatterOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto scatter = cast<ScatterOp>(op);
    unsigned first = scatter.getUpdates().size() + scatter.getInits().size();
    OpFoldResult size = getBatchSize(builder, op->getLoc(), operands, batched);
    SmallVector<Value> all(operands);
    for (unsigned i = 0; i < first; ++i)
      if (!batched[i])
        all[i] = createRepeated(builder, op->getLoc(), all[i], size);
    FailureOr<ScatterOp> made = cloneBatched(scatter, builder, all, batched);
    made->setOperandDims(prepend(0, shiftPlaces(scatter.getOperandDims())));
    made->setIndexDimsAttr(
        shiftIndexDims(builder, scatter.getIndexDims(), first, batched));
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachIndexingBatching(MLIRContext *context) {
  GatherOp::attachInterface<BatchGather>(*context);
  ScatterOp::attachInterface<BatchScatter>(*context);
}
