//===- NativeRun.h - Compiled programs, called natively ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_NATIVERUN_H
#define WAX_PYTHON_NATIVERUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

class NativeRun;
using NativeRunRef = llvm::IntrusiveRefCntPtr<NativeRun>;

/// A compiled program's call, for arrays of which all is known but their
/// values, by the steps that whoever runs it in Python says it is made of.
class NativeRun : public llvm::RefCountedBase<NativeRun> {
public:
  using Results = llvm::SmallVector<nanobind::object, 4>;

  /// What `run`, which takes arrays and gives results, is made of; null if it
  /// does not say (yet) in `steps`. It may add the arrays `captured` and hand
  /// on to its `call`; and `lend` no more than so many calls before it is asked
  /// again (`None`: any number).
  static NativeRunRef of(nanobind::handle run);

  virtual ~NativeRun() = default;

  /// False if `run` has to make the next call, and is to be asked again then.
  bool takeTurn() { return isForGood || turns-- > 0; }

  /// An argument of a kind that is no array, as `call` takes it too; invalid
  /// where it has to be made an array of.
  virtual nanobind::object take(size_t number, nanobind::handle leaf) const {
    return {};
  }

  /// Calls the program. False, and nothing has happened, if it is `run` that
  /// has to do it: an array has no handle, or one of another backend's.
  virtual bool call(llvm::ArrayRef<nanobind::object> arrays,
                    Results &results) const = 0;

  virtual int traverse(visitproc visit, void *arg) const = 0;

private:
  bool isForGood = true;
  int64_t turns = 0;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_NATIVERUN_H
