//===- FunctionAttributes.cpp - The calling convention's attributes -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult WaxDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  return success();
}

LogicalResult WaxDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  return success();
}

LogicalResult WaxDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  return success();
}
