//===- Location.h - Source locations made once ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_LOCATION_H
#define WAX_PYTHON_LOCATION_H

#include "Context.h"

#include "mlir/IR/Location.h"

#include <string>

namespace mlir::wax::python {

/// `wax._native.Location`.
struct SourceLocation {
  SourceLocation(const std::string &file, unsigned line, unsigned column)
      : location(FileLineColLoc::get(getContext(), file, line, column)) {}
  FileLineColLoc location;
};

inline mlir::Location toLocation(const SourceLocation *location,
                                 MLIRContext *context) {
  if (location)
    return location->location;
  return UnknownLoc::get(context);
}

} // namespace mlir::wax::python

#endif // WAX_PYTHON_LOCATION_H
