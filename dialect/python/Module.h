//===- Module.h - Modules: an entry function and all it calls ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_MODULE_H
#define WAX_PYTHON_MODULE_H

#include "Function.h"

#include "mlir/IR/BuiltinOps.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace mlir::wax::python {

/// `wax._native.Module`. While passes run over it, without the GIL, every
/// other call throws.
class Module {
public:
  explicit Module(HeldOp<ModuleOp> op) : op(std::move(op)) {}

  ModuleOp get() const;
  std::string text(bool debugInfo) const;
  nanobind::object snapshot() const;
  std::unique_ptr<Module> clone() const;
  void verify() const;
  void run(const std::string &pipeline);
  bool isAlone() const;
  bool mayBeAlone() const;

  // Rewrite.cpp
  /// A result to replace, by its number in the snapshot; the function that
  /// computes it instead, and the values that this takes.
  using Replacement =
      std::tuple<int64_t, std::shared_ptr<Function>, std::vector<int64_t>>;

  nanobind::object sizes() const;
  void replace(const std::vector<Replacement> &replacements);
  std::shared_ptr<Function> takeEntry() const;

private:
  HeldOp<ModuleOp> op;
  bool running = false;
};

/// Clones `entry` and all it calls, under names that depend on nothing else.
std::unique_ptr<Module> makeModule(std::shared_ptr<Function> entry,
                                   const std::string &entryName);

std::unique_ptr<Module> parseModule(const std::string &text,
                                    const std::string &file);

void bindModule(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_MODULE_H
