//===- Function.cpp - Finished functions ----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"
#include "Snapshot.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

std::string mlir::wax::python::printOperation(Operation *op, bool debugInfo) {
  getContext();
  // What this module hands out has been verified.
  OpPrintingFlags flags = OpPrintingFlags().assumeVerified();
  // Locations stand beside the operations, not in a table at the end.
  if (debugInfo)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false)
        .useLocalScope();
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, flags);
  if (!StringRef(text).ends_with("\n"))
    os << '\n';
  return text;
}

void mlir::wax::python::bindFunction(nb::module_ &m) {
  nb::class_<Function>(m, "Function",
                       "A finished, detached, isolated `func.func`.")
      .def_prop_ro(
          "name",
          [](const Function &self) { return self.op->getSymName().str(); })
      .def("snapshot",
           [](const Function &self) {
             getContext();
             return snapshotFunction(self.op.get());
           })
      .def(
          "text",
          [](const Function &self, bool debugInfo) {
            return printOperation(self.op.get(), debugInfo);
          },
          nb::arg("debug_info") = false)
      .def_prop_ro("callees", [](const Function &self) {
        nb::list callees;
        for (const Function::Callee &callee : self.callees)
          callees.append(callee.function);
        return nb::tuple(callees);
      });
}
