//===- WaxInterfaces.h - Interfaces of ops -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXINTERFACES_H
#define WAX_DIALECT_WAXINTERFACES_H

#include "mlir/IR/OpDefinition.h"

#include "wax/Dialect/WaxInterfaces.h.inc"

#endif // WAX_DIALECT_WAXINTERFACES_H
