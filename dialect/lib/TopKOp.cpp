//===- TopKOp.cpp - The greatest elements along a dim ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

using namespace mlir;
using namespace mlir::wax;

/// Checks what each result is, and that none is twice.
static LogicalResult checkGives(TopKOp op, Fault fault) {
  SmallVector<StringRef> gives;
  for (StringAttr one : op.getGives().getAsRange<StringAttr>()) {
    StringRef name = one.getValue();
    if (name != "values" && name != "indices")
      return fault("top_k_c2", "a result is values or indices, not '", name,
                   "'");
    if (llvm::is_contained(gives, name))
      return fault("top_k_c2", name, " are given twice");
    gives.push_back(name);
  }
  if (gives.size() != op->getNumResults())
    return fault("top_k_c2", thereAre(op->getNumResults(), "result"),
                 ", but gives lists ", gives.size());
  return success();
}

/// Checks the shape of a result against the operand's and the first one's.
static LogicalResult checkShape(TopKOp op, Value result, Fault fault) {
  RankedTensorType type = getTensor(op.getOperand()), own = getTensor(result);
  RankedTensorType first = getTensor(op.getOutputs().front());
  int64_t dim = op.getDim();
  auto report = [&] {
    return fault("top_k_c3", own, " does not hold the greatest along dim ", dim,
                 " of ", type);
  };
  if (own.getRank() != type.getRank() || own.isDynamicDim(dim) ||
      (!type.isDynamicDim(dim) && own.getDimSize(dim) > type.getDimSize(dim)) ||
      first.getDimSize(dim) != own.getDimSize(dim))
    return report();
  for (auto [other, size] : llvm::enumerate(type.getShape()))
    if (static_cast<int64_t>(other) != dim && !ShapedType::isDynamic(size) &&
        !own.isDynamicDim(other) && size != own.getDimSize(other))
      return report();
  return success();
}

LogicalResult TopKOp::verify() {
  Fault fault(getLoc(), getOperationName());
  RankedTensorType type = getTensor(getOperand());
  if (failed(
          checkDim(getDim(), type.getRank(), "top_k_c1", "operand's", fault)) ||
      failed(checkGives(*this, fault)))
    return failure();
  for (auto [result, gives] :
       llvm::zip_equal(getOutputs(), getGives().getAsRange<StringAttr>())) {
    if (failed(checkShape(*this, result, fault)))
      return failure();
    Type element = getElement(result);
    bool isRight = gives.getValue() == "values"
                       ? element == type.getElementType()
                       : isa<IntegerType>(element);
    if (!isRight)
      return fault("top_k_c4", gives.getValue(), " of ", type, " are no ",
                   getTensor(result));
  }
  if (!isa<FloatType, IntegerType>(type.getElementType()))
    return fault("top_k_c5", type.getElementType(), " has no order");
  return success();
}
