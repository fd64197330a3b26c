//===- Owned.h - What Python's C API gives ----------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_OWNED_H
#define WAX_PYTHON_OWNED_H

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// A new reference; throws the error that Python has where there is none.
inline nanobind::object owned(PyObject *made) {
  if (!made)
    nanobind::raise_python_error();
  return nanobind::steal(made);
}

} // namespace mlir::wax::python

#endif // WAX_PYTHON_OWNED_H
