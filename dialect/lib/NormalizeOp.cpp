//===- NormalizeOp.cpp - Elements divided by their deviation -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

using namespace mlir;
using namespace mlir::wax;

/// Checks a weight or bias, and which dims of the operand its own are.
static LogicalResult checkParameter(Value operand, Value parameter,
                                    std::optional<ArrayRef<int64_t>> dims,
                                    StringRef whose, Fault fault) {
  if (bool(parameter) != dims.has_value())
    return fault("normalize_c2", whose,
                 parameter ? " has no dims"
                           : " is not there, but its dims are");
  if (!parameter)
    return success();
  if (failed(checkIndices(*dims, parameter, whose, "normalize_c2", fault)))
    return failure();
  RankedTensorType type = getTensor(operand), own = getTensor(parameter);
  for (auto [place, dim] : llvm::enumerate(*dims)) {
    if (dim >= type.getRank())
      return fault("normalize_c2", "dim ", dim, " of ", whose,
                   " does not lie in the operand's rank ", type.getRank());
    int64_t size = own.getDimSize(place), wanted = type.getDimSize(dim);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(wanted) &&
        size != wanted)
      return fault("normalize_c3", whose, " has size ", size,
                   " along the operand's dim ", dim, ", which has size ",
                   wanted);
  }
  return success();
}

LogicalResult NormalizeOp::verify() {
  Fault fault(getLoc(), getOperationName());
  if (failed(checkIncreasing(getDims(), getTensor(getOperand()).getRank(),
                             "normalize_c1", "operand's", fault)) ||
      failed(checkParameter(getOperand(), getWeight(), getWeightDims(),
                            "the weight", fault)) ||
      failed(checkParameter(getOperand(), getBias(), getBiasDims(), "the bias",
                            fault)) ||
      failed(checkSameShape(getOperand(), getResult(), "normalize_c4", fault)))
    return failure();
  SmallVector<Value> operands{getOperand()};
  for (Value parameter : {getWeight(), getBias()})
    if (parameter)
      operands.push_back(parameter);
  if (failed(checkAccumulator(operands, getAccumulator(), "normalize_c5",
                              fault)) ||
      failed(checkRounded(getType(), getAccumulator(), "normalize_c6", fault)))
    return failure();
  if (getRawMoments() && !getCentered())
    return fault("normalize_c7", "raw_moments without centered");
  return success();
}
