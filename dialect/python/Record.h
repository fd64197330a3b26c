//===- Record.h - Frozen dataclasses, made quickly --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_RECORD_H
#define WAX_PYTHON_RECORD_H

#include "llvm/ADT/ArrayRef.h"

#include <nanobind/nanobind.h>

#include <vector>

namespace mlir::wax::python {

/// A frozen dataclass with slots. Its `__init__` sets each field through
/// `object.__setattr__`, by name; a program has ten thousands of fields, so
/// here they are set through the slots' own descriptors, by position.
class RecordClass {
public:
  /// Throws if the class has not exactly these fields, in this order.
  RecordClass(nanobind::handle module, const char *name,
              llvm::ArrayRef<const char *> fields);

  template <typename... Values>
  nanobind::object operator()(Values &&...values) {
    nanobind::object record = allocate(sizeof...(Values));
    unsigned position = 0;
    (set(record, position++, values), ...);
    return record;
  }

private:
  nanobind::object allocate(unsigned fieldCount);
  void set(nanobind::handle record, unsigned position, nanobind::handle value);

  // Never given back: the interpreter may be gone before these are.
  PyTypeObject *type;
  std::vector<PyObject *> slots;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_RECORD_H
