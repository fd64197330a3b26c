//===- Passes.td - Passes over the wax dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_TD
#define WAX_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // WAX_PASSES_PASSES_TD
