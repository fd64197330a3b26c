//===- WaxAttrs.td - Attributes and enums of the dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXATTRS_TD
#define WAX_DIALECT_WAXATTRS_TD

include "wax/Dialect/WaxDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

#endif // WAX_DIALECT_WAXATTRS_TD
