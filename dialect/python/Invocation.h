//===- Invocation.h - Compiled programs, called natively --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_INVOCATION_H
#define WAX_PYTHON_INVOCATION_H

#include "NativeRun.h"

namespace mlir::wax::python {

/// The steps of `wax_runtime.iree.invocation.Steps`, taken without Python's
/// interpreter in between: that costs as much as a small program.
class Invocation : public NativeRun {
public:
  explicit Invocation(nanobind::handle steps);

  bool call(llvm::ArrayRef<nanobind::object> arrays,
            Results &results) const override;
  int traverse(visitproc visit, void *arg) const override;

private:
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
