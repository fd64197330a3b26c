//===- TiedInit.h - What results begin with ---------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_TIEDINIT_H
#define WAX_PASSES_TIEDINIT_H

#include "mlir/IR/Value.h"

namespace mlir::wax {

/// What a loop, or an operation that writes into a tensor, begins `result`
/// with; null for results of others.
OpOperand *getTiedInit(OpResult result);

} // namespace mlir::wax

#endif // WAX_PASSES_TIEDINIT_H
