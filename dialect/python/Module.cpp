//===- Module.cpp - Modules: an entry function and all it calls -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "Errors.h"
#include "Snapshot.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Processor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

ModuleOp Module::get() const {
  getContext();
  if (running)
    throw DialectError("passes are running over the module in another thread");
  return op.get();
}

std::string Module::text(bool debugInfo) const {
  ModuleOp module = get();
  ThreadPoolUse threads;
  return printOperation(module, debugInfo);
}

nb::object Module::snapshot() const { return snapshotModule(get()); }

std::unique_ptr<Module> Module::clone() const {
  return std::make_unique<Module>(HeldOp<ModuleOp>(get().clone()));
}

void Module::verify() const {
  ModuleOp module = get();
  ThreadPoolUse threads;
  DiagnosticCapture diagnostics(DiagnosticCapture::Locations::Show);
  if (failed(mlir::verify(module)))
    diagnostics.raise("the module is not valid");
}

bool Module::isAlone() const { return iree::isAlone(get()); }

bool Module::mayBeAlone() const { return iree::mayBeAlone(get()); }

namespace {

/// Gives each function that `entry` reaches a name of its own, callers before
/// callees, and clones it.
class ModuleMaker {
public:
  ModuleMaker(ModuleOp module) : module(module) {}

  void add(const Function &function, const Twine &wantedName, bool isEntry) {
    MLIRContext *context = module.getContext();
    StringAttr name = StringAttr::get(context, claim(wantedName.str()));
    names[&function] = name;
    func::FuncOp clone = function.op->clone();
    clone.setSymNameAttr(name);
    clone.setVisibility(isEntry ? SymbolTable::Visibility::Public
                                : SymbolTable::Visibility::Private);
    module.push_back(clone);
    llvm::DenseMap<StringAttr, StringAttr> symbols;
    for (const Function::Callee &callee : function.callees) {
      if (!names.count(callee.function.get()))
        add(*callee.function, callee.function->op->getSymName(),
            /*isEntry=*/false);
      symbols[callee.symbol] = names.at(callee.function.get());
    }
    clone.walk([&](func::CallOp call) {
      StringAttr known = symbols.at(call.getCalleeAttr().getAttr());
      call.setCalleeAttr(FlatSymbolRefAttr::get(known));
    });
  }

private:
  std::string claim(std::string name) {
    std::string claimed = name;
    for (unsigned i = 1; !taken.insert(claimed).second; ++i)
      claimed = name + "_" + std::to_string(i);
    return claimed;
  }

  ModuleOp module;
  llvm::StringSet<> taken;
  llvm::DenseMap<const Function *, StringAttr> names;
};

} // namespace

std::unique_ptr<Module>
mlir::wax::python::makeModule(std::shared_ptr<Function> entry,
                              const std::string &entryName) {
  MLIRContext *context = getContext();
  if (entryName.empty())
    throw DialectError("a function needs a name");
  HeldOp<ModuleOp> module(ModuleOp::create(UnknownLoc::get(context)));
  ModuleMaker(module.get()).add(*entry, entryName, /*isEntry=*/true);
  return std::make_unique<Module>(std::move(module));
}

/// Refuses what names a result by a number no operation has: upstream's parser
/// makes room for all results up to it, and the process would be out of memory.
static void checkResultNumbers(StringRef text) {
  constexpr size_t mostDigits = 6;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.consume_front("\"")) {
      while (!text.empty() && text.front() != '"' && text.front() != '\n')
        text = text.drop_front(text.front() == '\\' ? 2 : 1);
      text = text.drop_front(text.empty() ? 0 : 1);
    } else if (text.consume_front("%")) {
      text = text.drop_while([](char c) {
        return llvm::isAlnum(c) || StringRef("$._-").contains(c);
      });
      if (!text.consume_front("#"))
        continue;
      StringRef number = text.take_while(llvm::isDigit);
      if (number.size() > mostDigits)
        throw DialectError("no operation has a result number " + number.str());
    } else {
      text = text.drop_front();
    }
  }
}

std::unique_ptr<Module>
mlir::wax::python::parseModule(const std::string &text,
                               const std::string &file) {
  checkResultNumbers(text);
  MLIRContext *context = getContext();
  ThreadPoolUse threads;
  DiagnosticCapture diagnostics(DiagnosticCapture::Locations::Show);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(context), file);
  if (!module)
    diagnostics.raise("the text is not a module");
  return std::make_unique<Module>(HeldOp<ModuleOp>(module.release()));
}

void mlir::wax::python::bindModule(nb::module_ &m) {
  nb::class_<Module>(m, "Module",
                     "A module of its own: an entry function and all it "
                     "calls, under deterministic names.")
      .def("text", &Module::text, nb::arg("debug_info") = false)
      .def("snapshot", &Module::snapshot)
      .def("clone", &Module::clone)
      .def("verify", &Module::verify)
      .def("run", &Module::run, nb::arg("pipeline"))
      .def("is_alone", &Module::isAlone)
      .def("may_be_alone", &Module::mayBeAlone)
      .def("sizes", &Module::sizes)
      .def("replace", &Module::replace, nb::arg("replacements"))
      .def("entry", &Module::takeEntry);
  m.def("make_module", &makeModule, nb::arg("entry"),
        nb::arg("entry_name") = "main");
  m.def("parse_module", &parseModule, nb::arg("text"),
        nb::arg("file") = "<string>");
  m.def("recognized_operations", &recognizedOperations);
  m.def(
      "processor",
      [](const std::string &name) { return spell(getProcessor(name)).str(); },
      nb::arg("name"));
}
