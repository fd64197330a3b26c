//===- Context.h - The process's one MLIR context ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_CONTEXT_H
#define WAX_PYTHON_CONTEXT_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::wax::python {

/// The context that everything of this module lives in, made at the first call.
/// Every entry point that touches IR calls it. Throws in a process forked off
/// one that had a context: its threads are gone, and its locks may be held.
MLIRContext *getContext();

/// True in a process forked off one that had a context.
bool isForkedChild();

/// Held while the context's threads may be at work. Throws once the
/// interpreter is exiting.
class ThreadPoolUse {
public:
  ThreadPoolUse();
  ~ThreadPoolUse();
  ThreadPoolUse(const ThreadPoolUse &) = delete;
  ThreadPoolUse &operator=(const ThreadPoolUse &) = delete;
};

/// Waits for the work that is under way, and ends the threads. To be called
/// once, when the interpreter exits, without the GIL.
void shutDown();

/// Owns a detached operation; lets go of it in a forked child, where erasing
/// could wait for a lock that nobody will release.
template <typename OpTy> class HeldOp {
public:
  HeldOp() = default;
  explicit HeldOp(OpTy op) : op(op) {}
  HeldOp(HeldOp &&) = default;
  HeldOp &operator=(HeldOp &&) = default;
  ~HeldOp() {
    if (isForkedChild())
      (void)op.release();
  }
  OpTy get() const { return op.get(); }
  auto operator->() const { return op.operator->(); }
  explicit operator bool() const { return static_cast<bool>(op); }

private:
  mutable OwningOpRef<OpTy> op;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_CONTEXT_H
