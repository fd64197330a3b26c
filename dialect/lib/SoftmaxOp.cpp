//===- SoftmaxOp.cpp - Exponentials as shares of their sum ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult SoftmaxOp::verify() {
  Fault fault(getLoc(), getOperationName());
  if (failed(checkIncreasing(getDims(), getTensor(getOperand()).getRank(),
                             "softmax_c1", "operand's", fault)) ||
      failed(checkSameShape(getOperand(), getResult(), "softmax_c2", fault)) ||
      failed(checkAccumulator(getOperand(), getAccumulator(), "softmax_c3",
                              fault)))
    return failure();
  return checkRounded(getType(), getAccumulator(), "softmax_c4", fault);
}
