//===- ExactFolding.h - Which of upstream's folders may be used -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_EXACTFOLDING_H
#define WAX_DIALECT_EXACTFOLDING_H

#include "mlir/IR/Operation.h"

namespace mlir::wax {

/// Whether upstream's folder of an operation gives what the operation gives, to
/// the bit: it takes complex (a + b) - b for a, whatever is rounded or NaN.
bool foldsExactly(Operation *op);

} // namespace mlir::wax

#endif // WAX_DIALECT_EXACTFOLDING_H
