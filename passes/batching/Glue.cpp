//===- Glue.cpp - Batches of what stands between scalars and tensors ------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// One element of each row.
struct BatchExtract
    : BatchableOpInterface::ExternalModel<BatchExtract, tensor::ExtractOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    Location loc = op->getLoc();
    if (operands.size() == 1)
      return SmallVector<Value>{operands[0]};
    SmallVector<int64_t> dims(operands.size() - 1, -1);
    if (batched[0])
      dims.insert(dims.begin(), 0);
    SmallVector<Value> indices;
    SmallVector<Attribute> indexDims;
    for (auto [i, index] : llvm::enumerate(operands.drop_front())) {
      bool isBatched = batched[i + 1];
      indices.push_back(isBatched ? index : createRank0(builder, loc, index));
      indexDims.push_back(builder.getDenseI64ArrayAttr(
          isBatched ? ArrayRef<int64_t>{0} : ArrayRef<int64_t>()));
    }
    return SmallVector<Value>{
        GatherOp::create(builder, loc, operands[0], indices, dims,
                         builder.getArrayAttr(indexDims))};
  }
};

struct BatchFromElements
    : BatchableOpInterface::ExternalModel<BatchFromElements,
                                          tensor::FromElementsOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<Value> rows = repeatOthers(builder, loc, operands, batched);
    if (type.getRank() == 0)
      return rows;
    // Columns beside each other.
    int64_t size = cast<RankedTensorType>(rows.front().getType()).getDimSize(0);
    auto group = [&](ArrayRef<int64_t> dims) -> Attribute {
      return builder.getDenseI64ArrayAttr(dims);
    };
    for (Value &row : rows)
      row = ReshapeOp::create(
          builder, loc, RankedTensorType::get({size, 1}, type.getElementType()),
          row, ValueRange(), builder.getArrayAttr({group({0}), group({})}),
          builder.getArrayAttr({group({0}), group({1})}));
    Value columns = ConcatOp::create(builder, loc, rows, /*dim=*/1);
    if (type.getRank() == 1)
      return SmallVector<Value>{columns};
    return SmallVector<Value>{ReshapeOp::create(
        builder, loc, getBatchedType(type, size), columns, ValueRange(),
        builder.getArrayAttr({group({0}), group({1})}),
        builder.getArrayAttr(
            {group({0}), group(shiftDims(getAllDims(type.getRank())))}))};
  }
};

} // namespace

void mlir::wax::attachGlueBatching(MLIRContext *context) {
  tensor::ExtractOp::attachInterface<BatchExtract>(*context);
  tensor::FromElementsOp::attachInterface<BatchFromElements>(*context);
}
