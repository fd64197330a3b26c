//===- Errors.h - What goes wrong, as Python sees it ------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_ERRORS_H
#define WAX_PYTHON_ERRORS_H

#include "mlir/IR/Diagnostics.h"

#include <stdexcept>
#include <string>

namespace mlir::wax::python {

/// `wax._native.DialectError`.
class DialectError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
  explicit DialectError(const llvm::Twine &message)
      : std::runtime_error(message.str()) {}
};

/// `wax._native.PassError`.
class PassError : public std::runtime_error {
public:
  PassError(const std::string &message, std::string reproducer)
      : std::runtime_error(message), reproducer(std::move(reproducer)) {}
  std::string reproducer;
};

/// While it lives, keeps the diagnostics that this thread emits (those of the
/// context's own threads are handed to the thread that set them to work)
/// instead of having them printed. The innermost one keeps them.
class DiagnosticCapture {
public:
  enum class Locations { Omit, Show };

  explicit DiagnosticCapture(Locations locations = Locations::Omit);
  ~DiagnosticCapture();
  DiagnosticCapture(const DiagnosticCapture &) = delete;
  DiagnosticCapture &operator=(const DiagnosticCapture &) = delete;

  /// Makes `context` hand its diagnostics to the captures.
  static void install(MLIRContext &context);

  /// The errors and their notes, a line each; `fallback` if there were none.
  std::string text(llvm::StringRef fallback) const;

  /// Throws DialectError with the errors kept.
  [[noreturn]] void raise(llvm::StringRef fallback) const;

private:
  void add(Diagnostic &diagnostic);

  Locations locations;
  std::string errors;
  DiagnosticCapture *outer;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_ERRORS_H
