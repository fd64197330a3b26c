//===- WaxAttrs.h - Attributes and enums -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXATTRS_H
#define WAX_DIALECT_WAXATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "wax/Dialect/WaxEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "wax/Dialect/WaxAttrs.h.inc"

#endif // WAX_DIALECT_WAXATTRS_H
