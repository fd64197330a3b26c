//===- DirectCall.h - Kernels of a program, called at once ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_DIRECTCALL_H
#define WAX_PYTHON_DIRECTCALL_H

#include "NativeRun.h"

namespace mlir::wax::python {

/// The steps of `wax_runtime.iree.direct.DirectSteps`: memory for results, the
/// program's kernels, and nothing of IREE's in between.
class DirectCall : public NativeRun {
public:
  explicit DirectCall(nanobind::handle steps);

  nanobind::object take(size_t number, nanobind::handle leaf) const override;
  bool call(llvm::ArrayRef<nanobind::object> arrays,
            Results &results) const override;
  int traverse(visitproc visit, void *arg) const override;

private:
  /// Of two addresses: a program, and those of the memory that it works on.
  using Run = int (*)(const void *program, char *const *regions);

  /// What is known of an argument's elements: NumPy's type, and if they are of
  /// a kind that Python's numbers are, which.
  struct Argument {
    enum class Kind { Other, Bool, Int32, Int64, Float32, Float64 };

    nanobind::object dtype;
    Kind kind;
  };

  /// A piece of one of the blocks that a call allocates.
  struct Result {
    size_t block, offset, size;
    nanobind::object spec;
  };

  nanobind::object memoryIn(nanobind::handle array) const;
  nanobind::object wrap(const nanobind::object &memory,
                        nanobind::handle spec) const;
  [[noreturn]] void fail() const;

  Run run;
  const void *program;
  nanobind::object memorySlot, memoryOf, failure;
  llvm::SmallVector<Argument, 4> arguments;
  llvm::SmallVector<size_t, 2> made;
  llvm::SmallVector<Result, 2> results;
  nanobind::type_object storageType, bufferType;
  nanobind::object storageMemorySlot;
  nanobind::object specSlot, storageSlot;
  bool isShort;
  nanobind::object owners;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_DIRECTCALL_H
