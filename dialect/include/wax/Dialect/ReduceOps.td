//===- ReduceOps.td - reduce, scan -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_REDUCEOPS_TD
#define WAX_DIALECT_REDUCEOPS_TD

include "wax/Dialect/WaxDialect.td"

#endif // WAX_DIALECT_REDUCEOPS_TD
