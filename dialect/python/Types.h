//===- Types.h - Element types and sizes between Python and MLIR -*- C++
//-*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_TYPES_H
#define WAX_PYTHON_TYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include <nanobind/nanobind.h>

#include <optional>

namespace mlir::wax::python {

/// Makes a Python string that is kept for as long as the process lives.
PyObject *makeInterned(llvm::StringRef text);

/// The element type that `name` spells as MLIR does; throws DialectError for
/// any that wax does not admit.
Type parseElementType(llvm::StringRef name);

/// As `parseElementType`, with `index` besides.
Type parseElementTypeOrIndex(llvm::StringRef name);

/// How MLIR spells a type, as a Python string.
nanobind::str spell(Type type);

/// A size that a builder call states: a number, the number of an index value,
/// or nothing (`None`).
struct SizeArgument {
  enum class Kind { Static, Value, Inferred };
  Kind kind = Kind::Static;
  int64_t number = 0;
};

} // namespace mlir::wax::python

namespace nanobind::detail {

template <> struct type_caster<mlir::wax::python::SizeArgument> {
  NB_TYPE_CASTER(mlir::wax::python::SizeArgument,
                 const_name("int | tuple[Literal['value'], int] | None"))
  bool from_python(handle source, uint32_t flags, cleanup_list *) noexcept;
};

} // namespace nanobind::detail

#endif // WAX_PYTHON_TYPES_H
