//===- Function.h - Finished functions --------------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_FUNCTION_H
#define WAX_PYTHON_FUNCTION_H

#include "Context.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "wax/Passes/Differentiate.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace mlir::wax::python {

/// A finished, detached `func.func`. Its calls name their callees by symbols
/// of its own, which `make_module` replaces.
struct Function {
  struct Callee {
    StringAttr symbol;
    std::shared_ptr<Function> function;
  };

  /// How calls are differentiated, where not by what the function does.
  struct Rule {
    CallRule::Kind kind;
    std::shared_ptr<Function> forward, backward, jvp;

    /// Whether the functions are there, which may come later.
    bool isGiven() const { return kind == CallRule::Kind::Zero || forward; }
  };

  HeldOp<func::FuncOp> op;
  std::shared_ptr<Rule> rule;
  /// In the order in which they are first called.
  std::vector<Callee> callees;
};

/// The text of an operation; with locations that any MLIR can parse, if asked.
std::string printOperation(Operation *op, bool debugInfo);

void bindFunction(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_FUNCTION_H
