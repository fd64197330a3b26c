//===- Errors.cpp - What goes wrong, as Python sees it --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::wax::python;

static thread_local DiagnosticCapture *innermost = nullptr;

DiagnosticCapture::DiagnosticCapture(Locations locations)
    : locations(locations), outer(innermost) {
  innermost = this;
}

DiagnosticCapture::~DiagnosticCapture() { innermost = outer; }

void DiagnosticCapture::install(MLIRContext &context) {
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (!innermost)
      return failure();
    innermost->add(diagnostic);
    return success();
  });
}

void DiagnosticCapture::add(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  llvm::raw_string_ostream os(errors);
  auto write = [&](Diagnostic &part, StringRef lead) {
    if (!errors.empty())
      os << '\n';
    if (locations == Locations::Show) {
      if (auto at = part.getLocation()->findInstanceOf<FileLineColLoc>())
        os << at.getFilename().getValue() << ':' << at.getLine() << ':'
           << at.getColumn() << ": ";
    }
    os << lead << part;
  };
  write(diagnostic, "");
  for (Diagnostic &note : diagnostic.getNotes())
    write(note, "note: ");
}

std::string DiagnosticCapture::text(StringRef fallback) const {
  return errors.empty() ? fallback.str() : errors;
}

void DiagnosticCapture::raise(StringRef fallback) const {
  throw DialectError(text(fallback));
}
