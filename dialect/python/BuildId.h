//===- BuildId.h - Which build of this module is running --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_BUILDID_H
#define WAX_PYTHON_BUILDID_H

#include <string>

namespace mlir::wax::python {

/// The digest that the linker made of this shared object, in hexadecimal: equal
/// for equal code. Empty where there is none (a format other than ELF).
std::string buildId();

} // namespace mlir::wax::python

#endif // WAX_PYTHON_BUILDID_H
