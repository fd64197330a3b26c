//===- AttentionOp.cpp - Values mixed by scores --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

using namespace mlir;
using namespace mlir::wax;

/// The operands that have dims, and what they are called.
static SmallVector<std::pair<StringRef, Value>> getIndexed(AttentionOp op) {
  SmallVector<std::pair<StringRef, Value>> operands{
      {"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}};
  if (op.getMask())
    operands.emplace_back("mask", op.getMask());
  if (op.getBias())
    operands.emplace_back("bias", op.getBias());
  return operands;
}

namespace {
/// Which operands have an index, by their names, and its size.
struct Index {
  SmallVector<StringRef> operands;
  int64_t size = ShapedType::kDynamic;

  bool isIn(StringRef name) const { return llvm::is_contained(operands, name); }
};
} // namespace

/// Finds what there is of each index.
static LogicalResult
collectIndices(AttentionOp op, SmallVectorImpl<Index> &indices, Fault fault) {
  SmallVector<std::pair<StringRef, Value>> operands = getIndexed(op);
  if (op.getDims().size() != operands.size())
    return fault("attention_c1", "there are ", operands.size(),
                 " operands, but ", count(op.getDims().size(), "list"),
                 " of dims");
  int64_t most = op.getType().getRank() + 1;
  for (auto [name, operand] : operands)
    most += getTensor(operand).getRank();
  for (auto [operand, attribute] : llvm::zip_equal(operands, op.getDims())) {
    auto [name, value] = operand;
    ArrayRef<int64_t> dims = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
    if (failed(checkIndices(dims, value, name, "attention_c1", fault)))
      return failure();
    for (auto [dim, size] : llvm::zip(dims, getTensor(value).getShape())) {
      // More indices than dims leave one out, which is found later.
      if (dim >= most)
        return fault("attention_c2", "index ", most - 1, " is in no operand");
      if (dim >= static_cast<int64_t>(indices.size()))
        indices.resize(dim + 1);
      Index &index = indices[dim];
      index.operands.push_back(name);
      if (ShapedType::isDynamic(index.size))
        index.size = size;
      else if (!ShapedType::isDynamic(size) && size != index.size)
        return fault("attention_c3", "index ", dim, " has sizes ", index.size,
                     " and ", size);
    }
  }
  return success();
}

static LogicalResult checkIndices(AttentionOp op, Fault fault) {
  int64_t rank = op.getType().getRank();
  SmallVector<Index> indices(rank + 2);
  for (auto [dim, size] : llvm::enumerate(op.getType().getShape()))
    indices[dim].size = size;
  if (failed(collectIndices(op, indices, fault)))
    return failure();
  for (auto [number, index] : llvm::enumerate(indices)) {
    int64_t dim = number;
    if (index.operands.empty())
      return fault("attention_c2", "index ", dim, " is in no operand");
    if (dim == rank &&
        !(index.isIn("key") && index.isIn("value") && !index.isIn("query")))
      return fault("attention_c2", "index ", dim,
                   ", of keys, is not one of key and value only");
    if (dim > rank && !(index.isIn("query") && index.isIn("key") &&
                        index.operands.size() == 2))
      return fault("attention_c2", "index ", dim,
                   ", of the width, is not one of query and key only");
  }
  return success();
}

LogicalResult AttentionOp::verify() {
  Fault fault(getLoc(), getOperationName());
  if (failed(::checkIndices(*this, fault)))
    return failure();
  if (getMask() && !getElement(getMask()).isInteger(1))
    return fault("attention_c4", "the mask's elements are ",
                 getElement(getMask()));
  SmallVector<Value> operands{getQuery(), getKey(), getValue()};
  if (getBias())
    operands.push_back(getBias());
  if (failed(checkAccumulator(operands, getAccumulator(), "attention_c5",
                              fault)) ||
      failed(checkRounded(getType(), getAccumulator(), "attention_c6", fault)))
    return failure();
  if (getCausalDim().has_value() != getCausalOffset().has_value())
    return fault("attention_c7",
                 "of causal_dim and causal_offset one is not there");
  if (getCausalDim() &&
      *getCausalDim() >= static_cast<uint64_t>(getType().getRank()))
    return fault("attention_c7", "causal_dim ", *getCausalDim(),
                 " does not lie in the result's rank ", getType().getRank());
  if (getFill().has_value() != (getMask() || getCausalDim()))
    return fault("attention_c8", getFill() ? "there is a fill, but no mask"
                                           : "there is a mask, but no fill");
  return success();
}
