//===- WaxDialect.td - The wax basis dialect ------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXDIALECT_TD
#define WAX_DIALECT_WAXDIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def WaxDialect : Dialect {
  let name = "wax";
  let cppNamespace = "::wax";
  let summary = "The smallest closed set of tensor operations";
}

class WaxOp<string mnemonic, list<Trait> traits = []>
    : Op<WaxDialect, mnemonic, traits>;

#endif // WAX_DIALECT_WAXDIALECT_TD
