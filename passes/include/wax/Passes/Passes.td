//===- Passes.td - Passes over the wax dialect -------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_TD
#define WAX_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // WAX_PASSES_PASSES_TD
