//===- StructuralOps.td - Ops on layout and indices -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_STRUCTURALOPS_TD
#define WAX_DIALECT_STRUCTURALOPS_TD

include "wax/Dialect/WaxDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def IotaOp : WaxOp<"iota", [Pure]> {
  let summary = "indices along one dim";
  let arguments = (ins I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
}

#endif // WAX_DIALECT_STRUCTURALOPS_TD
