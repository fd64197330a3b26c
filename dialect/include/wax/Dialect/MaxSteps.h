//===- MaxSteps.h - How many turns a loop takes at most ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_MAXSTEPS_H
#define WAX_DIALECT_MAXSTEPS_H

#include "mlir/IR/Operation.h"

namespace mlir::wax {

/// The attribute of a loop that says it.
inline StringRef getMaxStepsName() { return "wax.max_steps"; }

/// Says of a loop what was said of another that it stands for.
inline void keepMaxSteps(Operation *from, Operation *to) {
  if (Attribute most = from->getDiscardableAttr(getMaxStepsName()))
    to->setDiscardableAttr(getMaxStepsName(), most);
}

} // namespace mlir::wax

#endif // WAX_DIALECT_MAXSTEPS_H
