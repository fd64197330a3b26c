//===- Invocation.h - Compiled programs, called natively --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_INVOCATION_H
#define WAX_PYTHON_INVOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace mlir::wax::python {

/// The steps of `wax_runtime.iree.invocation.Steps`, taken without Python's
/// interpreter in between: that costs as much as a small program.
class Invocation {
public:
  using Results = llvm::SmallVector<nanobind::object, 4>;

  /// What `run`, which takes arrays and gives results, is made of; null if it
  /// does not say (yet).
  static std::unique_ptr<Invocation> of(nanobind::handle run);

  /// Calls the program. False, and nothing has happened, if it is `run` that
  /// has to do it: an array has no handle, or one of another backend's.
  bool call(llvm::ArrayRef<nanobind::object> arrays, Results &results) const;

  int traverse(visitproc visit, void *arg) const;

private:
  explicit Invocation(nanobind::handle steps);

  nanobind::object takeOutputs() const;
  nanobind::object wrap(const nanobind::object &view,
                        nanobind::handle spec) const;
  [[noreturn]] void fail() const;

  nanobind::object pack, packContext, noKeywords, invoke, function, failure;
  nanobind::object listType, cast, getAsRef, size;
  nanobind::tuple specs;
  nanobind::type_object storageType, bufferType;
  nanobind::object viewSlot, exclusiveSlot;
  nanobind::object specSlot, storageSlot, handleSlot;
  bool keepsOutputs;
  /// Lists of outputs for calls to come; as many as calls ran at one time.
  mutable llvm::SmallVector<nanobind::object, 1> spare;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_INVOCATION_H
