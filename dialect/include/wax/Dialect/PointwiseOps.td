//===- PointwiseOps.td - map, broadcast -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_POINTWISEOPS_TD
#define WAX_DIALECT_POINTWISEOPS_TD

include "wax/Dialect/WaxDialect.td"

#endif // WAX_DIALECT_POINTWISEOPS_TD
