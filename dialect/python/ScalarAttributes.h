//===- ScalarAttributes.h - Attributes of scalar operations, by keyword -*- C++
//-*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_SCALARATTRIBUTES_H
#define WAX_PYTHON_SCALARATTRIBUTES_H

#include "mlir/IR/Operation.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// The attribute that a Python keyword, integer or `True` means as attribute
/// `name` of a scalar operation; throws DialectError if it means none.
Attribute parseScalarAttribute(OperationName op, llvm::StringRef name,
                               nanobind::handle value);

/// The keyword of an enumeration; an invalid object if the attribute is none.
nanobind::object spellEnumeration(OperationName op, llvm::StringRef name,
                                  Attribute attribute);

/// Whether the attribute says no more than its absence would.
bool isDefaultScalarAttribute(Attribute attribute);

/// The scalar constant of `type` that a Python number means, as the value of
/// `arith.constant` or `complex.constant`; throws DialectError if it does not
/// fit.
Attribute parseScalarConstant(nanobind::handle value, Type type);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_SCALARATTRIBUTES_H
