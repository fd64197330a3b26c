//===- SnapshotClasses.h - The dataclasses of wax_runtime.snapshot -*- C++
//-*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_SNAPSHOTCLASSES_H
#define WAX_PYTHON_SNAPSHOTCLASSES_H

#include "Record.h"

namespace mlir::wax::python {

struct SnapshotClasses {
  explicit SnapshotClasses(nanobind::handle module);

  /// Made at the first call.
  static SnapshotClasses &get();

  RecordClass location, tensorType, argument, literal, apply, kernel, region,
      operation, function, module;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_SNAPSHOTCLASSES_H
