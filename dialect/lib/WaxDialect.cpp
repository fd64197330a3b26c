//===- WaxDialect.cpp - Registration of the dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/WaxDialect.h"
#include "wax/Dialect/WaxAttrs.h"
#include "wax/Dialect/WaxInterfaces.h"
#include "wax/Dialect/WaxOps.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace wax;

#include "wax/Dialect/WaxDialect.cpp.inc"
#include "wax/Dialect/WaxEnums.cpp.inc"
#include "wax/Dialect/WaxInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "wax/Dialect/WaxAttrs.cpp.inc"

void WaxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "wax/Dialect/WaxOps.cpp.inc"
      >();
}
