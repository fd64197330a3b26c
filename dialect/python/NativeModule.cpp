//===- NativeModule.cpp - The extension module wax._native ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir;

namespace {

std::string runPipeline(const std::string &text, const std::string &pipeline) {
  DialectRegistry registry;
  wax::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    throw nb::value_error("the text is not a valid module");
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline);
  if (failed(passes))
    throw nb::value_error("the pipeline is not valid");
  PassManager manager(&context, passes->getOpAnchorName());
  static_cast<OpPassManager &>(manager) = *passes;
  if (failed(manager.run(*module)))
    throw nb::value_error("the pipeline failed");
  std::string out;
  llvm::raw_string_ostream stream(out);
  module->print(stream);
  return out;
}

} // namespace

NB_MODULE(_native, m) {
  wax::registerAllPasses();
  m.def("run_pipeline", &runPipeline, nb::arg("text"), nb::arg("pipeline"));
}
