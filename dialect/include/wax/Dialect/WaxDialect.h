//===- WaxDialect.h - The wax basis dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXDIALECT_H
#define WAX_DIALECT_WAXDIALECT_H

#include "mlir/IR/Dialect.h"

#include "wax/Dialect/WaxDialect.h.inc"

#endif // WAX_DIALECT_WAXDIALECT_H
