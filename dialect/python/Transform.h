//===- Transform.h - Functions made of functions --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_TRANSFORM_H
#define WAX_PYTHON_TRANSFORM_H

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

void bindTransform(nanobind::module_ &m);
void bindBatch(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_TRANSFORM_H
