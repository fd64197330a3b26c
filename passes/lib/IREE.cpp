//===- IREE.cpp - What is written of IREE's dialects ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax::iree;

#include "wax/Passes/IREEFlowDialect.cpp.inc"
#include "wax/Passes/IREELinalgExtDialect.cpp.inc"
#include "wax/Passes/IREEUtilDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "wax/Passes/IREEAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "wax/Passes/IREEOps.cpp.inc"

void IREEFlowDialect::initialize() {
  addOperations<DispatchRegionOp, ReturnOp>();
}

void IREEUtilDialect::initialize() { addOperations<OptimizationBarrierOp>(); }

void IREELinalgExtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "wax/Passes/IREEAttrs.cpp.inc"
      >();
}

int64_t SplitReductionMappingAttr::getMappingId() const {
  return getDimension();
}
bool SplitReductionMappingAttr::isLinearMapping() const { return false; }
int64_t SplitReductionMappingAttr::getRelativeIndex() const {
  return getDimension();
}
