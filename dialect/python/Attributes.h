//===- Attributes.h - Attributes as Python sees them ------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_ATTRIBUTES_H
#define WAX_PYTHON_ATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// A number, string, tuple or NumPy array; the MLIR text of anything else.
nanobind::object toPython(Attribute attribute);

/// The number that the value of a scalar constant is.
nanobind::object scalarToPython(Attribute value);

/// A read-only NumPy array; an invalid object for element types that NumPy and
/// ml_dtypes do not have. A splat takes the room of one element.
nanobind::object toArray(ElementsAttr elements);

/// A mapping that cannot be changed.
nanobind::object makeMapping(const nanobind::dict &entries);

/// The attributes as a mapping, without those named in `without`.
nanobind::object toMapping(llvm::ArrayRef<NamedAttribute> attributes,
                           llvm::ArrayRef<llvm::StringRef> without = {});

/// An attribute's name as a Python string.
nanobind::str spell(StringAttr name);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_ATTRIBUTES_H
