//===- Captured.h - What is the same in all calls --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_CAPTURED_H
#define WAX_PASSES_LIB_CAPTURED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::wax {

/// What an operation reads, in its regions too.
SetVector<Value> getReadValues(Operation *op);

/// The arguments of a module's entry that a caller never changes, its last
/// ones, and what is made of them alone.
class CapturedValues {
public:
  /// Of none if the module has no entry.
  CapturedValues(ModuleOp module, unsigned count);

  /// The entry; null if nothing is captured.
  func::FuncOp getEntry() const { return entry; }
  /// Whether a value is made of captured arguments, and of nothing else but
  /// constants.
  bool contains(Value value);

private:
  enum class Origin { Call, Captured, Constant };

  bool isCaptured(BlockArgument argument);
  Origin getOrigin(Value value);

  func::FuncOp entry;
  unsigned first = 0;
  llvm::DenseMap<Operation *, Origin> origins;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_CAPTURED_H
