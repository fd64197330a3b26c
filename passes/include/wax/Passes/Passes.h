//===- Passes.h - Passes over the wax dialect ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_H
#define WAX_PASSES_PASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace mlir::wax {

#define GEN_PASS_DECL
#include "wax/Passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "wax/Passes/Passes.h.inc"

/// Every dialect that may occur at some stage of wax, from traced to lowered.
void registerAllDialects(DialectRegistry &registry);

/// The passes of wax, and those of MLIR that its pipelines use.
void registerAllPasses();

} // namespace mlir::wax

#endif // WAX_PASSES_PASSES_H
