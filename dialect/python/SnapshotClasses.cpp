//===- SnapshotClasses.cpp - The dataclasses of wax_runtime.snapshot ------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SnapshotClasses.h"

namespace nb = nanobind;
using namespace mlir::wax::python;

SnapshotClasses::SnapshotClasses(nb::handle module)
    : location(module, "Location", {"file", "line", "column"}),
      tensorType(module, "TensorType", {"shape", "element"}),
      argument(module, "Argument", {"index", "element"}),
      literal(module, "Literal", {"value", "element"}),
      apply(module, "Apply", {"op", "operands", "element", "attributes"}),
      kernel(module, "Kernel", {"arguments", "results"}),
      region(module, "Region", {"arguments", "operations", "results"}),
      operation(module, "Operation",
                {"name", "operands", "results", "attributes", "segments",
                 "kernels", "regions", "location"}),
      function(module, "Function",
               {"name", "arguments", "operations", "results", "types",
                "argument_attributes", "attributes", "result_attributes"}),
      module(module, "Module", {"functions", "entry"}) {}

SnapshotClasses &SnapshotClasses::get() {
  static auto *classes =
      new SnapshotClasses(nb::module_::import_("wax_runtime.snapshot"));
  return *classes;
}
