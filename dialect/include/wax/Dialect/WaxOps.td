//===- WaxOps.td - All ops of the dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXOPS_TD
#define WAX_DIALECT_WAXOPS_TD

include "wax/Dialect/WaxAttrs.td"
include "wax/Dialect/WaxInterfaces.td"
include "wax/Dialect/PointwiseOps.td"
include "wax/Dialect/ReduceOps.td"
include "wax/Dialect/StructuralOps.td"

#endif // WAX_DIALECT_WAXOPS_TD
