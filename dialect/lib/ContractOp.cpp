//===- ContractOp.cpp - Sums of products over paired dims -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

using namespace mlir;
using namespace mlir::wax;

/// What is known of each index of a contraction.
namespace {
struct Index {
  int64_t size = ShapedType::kDynamic;
  unsigned operands = 0;
};
} // namespace

static LogicalResult checkDims(ContractOp op, Fault fault) {
  if (op.getDims().size() != 2)
    return fault("contract_c1", "there are 2 operands, but ",
                 count(op.getDims().size(), "list"), " of dims");
  int64_t resultRank = op.getType().getRank();
  SmallVector<Index> indices(resultRank);
  for (auto [dim, size] : llvm::enumerate(op.getType().getShape()))
    indices[dim].size = size;
  const Value operands[] = {op.getLhs(), op.getRhs()};
  for (auto [place, operand] : llvm::enumerate(operands)) {
    ArrayRef<int64_t> dims =
        cast<DenseI64ArrayAttr>(op.getDims()[place]).asArrayRef();
    std::string whose = "operand " + std::to_string(place);
    if (failed(checkIndices(dims, operand, whose, "contract_c1", fault)))
      return failure();
    for (auto [dim, size] : llvm::zip(dims, getTensor(operand).getShape())) {
      // More indices than dims leave one out, which is found below.
      int64_t most = resultRank + getTensor(operand).getRank();
      if (dim >= most)
        return fault("contract_c2", "index ", most - 1, " is in no operand");
      if (dim >= static_cast<int64_t>(indices.size()))
        indices.resize(dim + 1);
      Index &index = indices[dim];
      ++index.operands;
      if (ShapedType::isDynamic(index.size))
        index.size = size;
      else if (!ShapedType::isDynamic(size) && size != index.size)
        return fault("contract_c3", "index ", dim, " has sizes ", index.size,
                     " and ", size);
    }
  }
  for (auto [number, index] : llvm::enumerate(indices)) {
    bool isSummed = static_cast<int64_t>(number) >= resultRank;
    if (index.operands < (isSummed ? 2 : 1))
      return fault("contract_c2", isSummed ? "summed index " : "result index ",
                   number,
                   isSummed ? " is not in both operands" : " is in no operand");
  }
  if (static_cast<int64_t>(indices.size()) == resultRank)
    return fault("contract_c2", "no index is summed over");
  return success();
}

LogicalResult ContractOp::verify() {
  Fault fault(getLoc(), getOperationName());
  if (failed(checkDims(*this, fault)))
    return failure();
  for (Value operand : {getLhs(), getRhs()})
    if (!isWidening(getElement(operand), getAccumulator()))
      return fault("contract_c4", getAccumulator(), " does not hold all ",
                   getElement(operand));
  return checkRounded(getType(), getAccumulator(), "contract_c5", fault);
}
