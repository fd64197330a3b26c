//===- MachineModule.cpp - The extension module wax._machine --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/MachineCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

namespace {
/// An object file, or why there is none.
struct Emitted {
  FailureOr<SmallVector<char, 0>> object = failure();
  std::string complaint;
  /// How many workgroups each function is for, where that is known.
  std::vector<std::pair<std::string, std::optional<int64_t>>> workgroups;
};
} // namespace

static Emitted emit(const std::string &text, const std::string &prefix,
                    const wax::Machine &machine) {
  // One of its own: others compile meanwhile, on other threads.
  DialectRegistry registry;
  wax::registerExecutables(registry);
  wax::registerObjects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Emitted emitted;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        emitted.complaint.empty())
      emitted.complaint = diagnostic.str();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      text, ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module)
    return emitted;
  for (auto function : module->getOps<func::FuncOp>()) {
    std::optional<int64_t> count = 1;
    function.walk([&](scf::ForallOp loop) {
      count = loop.getRank() == 1
                  ? getConstantIntValue(loop.getMixedUpperBound().front())
                  : std::nullopt;
    });
    emitted.workgroups.emplace_back(function.getSymName().str(), count);
  }
  PassManager manager(&context);
  manager.enableVerifier(false);
  manager.addPass(wax::createLowerExecutables());
  if (succeeded(manager.run(*module)))
    emitted.object = wax::emitObject(*module, prefix, machine);
  return emitted;
}

NB_MODULE(_machine, m) {
  m.doc() = "Machine code for CPUs, of functions of executables.";
  m.def(
      "emit",
      [](const std::string &text, const std::string &prefix,
         const std::string &triple, const std::string &processor,
         const std::string &features) {
        Emitted emitted;
        {
          nb::gil_scoped_release release;
          emitted = emit(text, prefix, {triple, processor, features});
        }
        nb::object object = nb::none();
        if (succeeded(emitted.object))
          object = nb::bytes(emitted.object->data(), emitted.object->size());
        nb::dict workgroups;
        for (const auto &[name, count] : emitted.workgroups)
          workgroups[name.c_str()] = count ? nb::cast(*count) : nb::none();
        return nb::make_tuple(object, workgroups, emitted.complaint);
      },
      nb::arg("text"), nb::arg("prefix"), nb::arg("triple"),
      nb::arg("processor"), nb::arg("features"),
      "The object file of functions of executables, or None; how many "
      "workgroups each has, None where it is told; and why there is no file.");
  m.def(
      "emit_library",
      [](const std::vector<std::tuple<std::string, unsigned, unsigned>>
             &kernels,
         const std::string &prefix, const std::string &query,
         const std::string &triple, const std::string &processor,
         const std::string &features) {
        SmallVector<wax::Kernel> all;
        for (const auto &[name, words, tensors] : kernels)
          all.push_back({name, static_cast<uint8_t>(words),
                         static_cast<uint8_t>(tensors)});
        std::string complaint;
        FailureOr<SmallVector<char, 0>> object = failure();
        {
          nb::gil_scoped_release release;
          object = wax::emitLibrary(all, prefix, query,
                                    {triple, processor, features}, complaint);
        }
        if (failed(object))
          throw nb::value_error(complaint.c_str());
        return nb::bytes(object->data(), object->size());
      },
      nb::arg("kernels"), nb::arg("prefix"), nb::arg("query"),
      nb::arg("triple"), nb::arg("processor"), nb::arg("features"),
      "The object file that tells IREE's runtime of kernels.");
  m.def(
      "host",
      [] {
        wax::Machine host = wax::getHost();
        return nb::make_tuple(host.triple, host.processor, host.features);
      },
      "This machine: its triple, processor and features.");
}
