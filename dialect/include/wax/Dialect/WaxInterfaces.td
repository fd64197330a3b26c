//===- WaxInterfaces.td - Interfaces that ops of the dialect implement -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXINTERFACES_TD
#define WAX_DIALECT_WAXINTERFACES_TD

include "mlir/IR/Interfaces.td"

#endif // WAX_DIALECT_WAXINTERFACES_TD
