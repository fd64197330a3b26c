//===- WaxOps.cpp - Definitions of the ops -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/WaxOps.h"

using namespace mlir;
using namespace wax;

#define GET_OP_CLASSES
#include "wax/Dialect/WaxOps.cpp.inc"
