//===- ModuleRun.cpp - Runs passes over a module --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "Module.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstdlib>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

namespace {

/// Marks a module as one that passes are running over.
class Running {
public:
  explicit Running(bool &running) : running(running) { running = true; }
  ~Running() { running = false; }

private:
  bool &running;
};

} // namespace

/// As the shell reads back.
static std::string quote(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A file that shows what went wrong again: the command, then its input.
static std::string writeReproducer(ModuleOp before, StringRef pipeline) {
  return "// wax-opt --pass-pipeline=" + quote(pipeline) + " FILE\n\n" +
         printOperation(before, /*debugInfo=*/true);
}

/// Verifying after every pass takes longer than many a pass; tests ask for it.
static bool verifiesEach() {
  const char *value = std::getenv("WAX_VERIFY_PASSES");
  return value && StringRef(value) == "1";
}

void Module::run(const std::string &text) {
  ModuleOp module = get();
  constexpr StringLiteral anchor = "builtin.module";
  std::string pipeline =
      StringRef(text).trim().starts_with((anchor + "(").str())
          ? text
          : (anchor + "(" + text + ")").str();
  std::string complaint;
  llvm::raw_string_ostream complaints(complaint);
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline, complaints);
  if (failed(passes))
    throw PassError("the pass pipeline '" + text +
                        "' is not valid: " + StringRef(complaint).trim().str(),
                    writeReproducer(module, pipeline));

  HeldOp<ModuleOp> before(module.clone());
  DiagnosticCapture diagnostics(DiagnosticCapture::Locations::Show);
  LogicalResult result = failure();
  {
    Running mark(running);
    // Until the GIL is back: a thread that asks for it from an interpreter that
    // is gone does not return.
    ThreadPoolUse threads;
    nb::gil_scoped_release release;
    PassManager manager(module.getContext(), anchor);
    static_cast<OpPassManager &>(manager) = std::move(*passes);
    bool verifyEach = verifiesEach();
    manager.enableVerifier(verifyEach);
    result = manager.run(module);
    if (succeeded(result) && !verifyEach)
      result = mlir::verify(module);
  }
  if (succeeded(result))
    return;
  // A pass that fails leaves a module that is neither the one nor the other.
  op = std::move(before);
  throw PassError(diagnostics.text("the pass pipeline '" + text + "' failed"),
                  writeReproducer(op.get(), pipeline));
}
