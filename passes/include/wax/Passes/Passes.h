//===- Passes.h - Passes over the wax dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_H
#define WAX_PASSES_PASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace wax {

#define GEN_PASS_DECL
#include "wax/Passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "wax/Passes/Passes.h.inc"

/// Every dialect that may occur at some stage of wax, from traced to lowered.
void registerAllDialects(mlir::DialectRegistry &registry);

/// The passes of wax, and those of MLIR that its pipelines use.
void registerAllPasses();

} // namespace wax

#endif // WAX_PASSES_PASSES_H
