//===- NativeModule.cpp - The extension module wax._native ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildId.h"
#include "CallCache.h"
#include "Context.h"
#include "Errors.h"
#include "Function.h"
#include "FunctionBuilder.h"
#include "Kernel.h"
#include "Location.h"
#include "Module.h"
#include "Transform.h"
#include "TreeTemplate.h"

#include "wax/Passes/Passes.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir::wax::python;

/// Binds PassError, whose `args` are the message and the reproducer.
static void bindPassError(nb::module_ &m) {
  PyObject *type = PyErr_NewExceptionWithDoc(
      "wax._native.PassError",
      "A pass failed; `args` are the message and the reproducer text.", nullptr,
      nullptr);
  if (!type)
    nb::raise_python_error();
  m.attr("PassError") = nb::steal(type);
  nb::register_exception_translator(
      [](const std::exception_ptr &thrown, void *payload) {
        try {
          std::rethrow_exception(thrown);
        } catch (const PassError &error) {
          nb::tuple args = nb::make_tuple(error.what(), error.reproducer);
          PyErr_SetObject(static_cast<PyObject *>(payload), args.ptr());
        }
      },
      type);
}

NB_MODULE(_native, m) {
  // Kernels and locations are cached for the life of the process, in modules
  // that the interpreter tears down after this one.
  nb::set_leak_warnings(false);
  m.doc() = "The thin native layer over the wax dialect: build, read, "
            "transform, print.";
  m.attr("build_id") = buildId();
  mlir::wax::registerAllPasses();
  // Functions and kernels are kept in caches, until the very end.
  nb::set_leak_warnings(false);

  nb::exception<DialectError>(m, "DialectError").doc() =
      "What the dialect refused, in its own words.";
  bindPassError(m);
  nb::class_<SourceLocation>(
      m, "Location", "A source location, made once and used by many calls.")
      .def(nb::init<const std::string &, unsigned, unsigned>(), nb::arg("file"),
           nb::arg("line"), nb::arg("column"));
  bindKernel(m);
  bindFunction(m);
  bindFunctionBuilder(m);
  bindModule(m);
  bindTransform(m);
  bindBatch(m);
  bindTreeTemplate(m);
  bindCallCache(m);

  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    nb::gil_scoped_release release;
    shutDown();
  }));
}
