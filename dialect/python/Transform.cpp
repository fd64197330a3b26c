//===- Transform.cpp - Functions made of functions ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform.h"
#include "Errors.h"
#include "Function.h"

#include "wax/Passes/Differentiate.h"
#include "wax/Passes/Passes.h"
#include "llvm/ADT/StringSet.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::python;

namespace {

using FunctionPtr = std::shared_ptr<Function>;
using Numbers = std::vector<int64_t>;

/// Copies functions with the bodies of those that they call in them, but for
/// calls of functions that have rules: these stay.
class Flattener {
public:
  /// A copy of a function whose calls have rules, by symbols that are unique
  /// among all that this one has flattened.
  func::FuncOp flatten(const Function &function) {
    func::FuncOp copy = function.op.get().clone();
    held.emplace_back(copy);
    SmallVector<func::CallOp> calls;
    copy.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto found = llvm::find_if(function.callees, [&](const auto &callee) {
        return callee.symbol == call.getCalleeAttr().getAttr();
      });
      if (found == function.callees.end())
        throw DialectError("'" + call.getCallee() + "' is not known");
      if (found->function->rule && found->function->rule->isGiven())
        call.setCallee(getSymbol(found->function));
      else
        inlineCall(call, flattenOnce(found->function));
    }
    return copy;
  }

  const CallRule *getRule(func::CallOp call) {
    auto found = named.find(call.getCallee());
    if (found == named.end())
      return nullptr;
    const Function &callee = *found->second;
    auto [place, isNew] = rules.try_emplace(&callee);
    if (isNew) {
      place->second = std::make_unique<CallRule>();
      place->second->kind = callee.rule->kind;
      if (callee.rule->forward)
        place->second->forward = flattenOnce(callee.rule->forward);
      if (callee.rule->backward)
        place->second->backward = flattenOnce(callee.rule->backward);
    }
    return place->second.get();
  }

  /// A function that has been flattened, with the callees that it still has.
  FunctionPtr finish(func::FuncOp function, StringRef suffix) {
    function->remove();
    for (OwningOpRef<func::FuncOp> &own : held)
      if (own.get() == function)
        (void)own.release();
    return hold(function, (function.getSymName() + suffix).str());
  }

  FunctionPtr hold(func::FuncOp function, StringRef name) {
    function.setSymName(name);
    auto made = std::make_shared<Function>();
    made->op = HeldOp<func::FuncOp>(function);
    function.walk([&](func::CallOp call) {
      StringAttr symbol = call.getCalleeAttr().getAttr();
      if (llvm::none_of(made->callees, [&](const auto &callee) {
            return callee.symbol == symbol;
          }))
        made->callees.push_back({symbol, named.at(symbol.getValue())});
    });
    return made;
  }

private:
  func::FuncOp flattenOnce(const FunctionPtr &function) {
    func::FuncOp &known = flattened[function.get()];
    if (!known) {
      func::FuncOp made = flatten(*function);
      flattened[function.get()] = made;
      return made;
    }
    return known;
  }

  StringRef getSymbol(const FunctionPtr &function) {
    for (auto &entry : named)
      if (entry.second == function)
        return entry.first();
    std::string base = function->op->getSymName().str(), symbol = base;
    for (unsigned i = 1; named.contains(symbol); ++i)
      symbol = base + "_" + std::to_string(i);
    return named.try_emplace(symbol, function).first->first();
  }

  std::vector<OwningOpRef<func::FuncOp>> held;
  llvm::DenseMap<const Function *, func::FuncOp> flattened;
  llvm::StringMap<FunctionPtr> named;
  llvm::DenseMap<const Function *, std::unique_ptr<CallRule>> rules;
};

SmallVector<unsigned> toUnsigned(const Numbers &numbers) {
  SmallVector<unsigned> result;
  for (int64_t number : numbers) {
    if (number < 0)
      throw DialectError("there is no number " + Twine(number));
    result.push_back(number);
  }
  return result;
}

FunctionPtr differentiateFunction(const Function &function, bool forward,
                                  const Numbers &arguments,
                                  const Numbers &results) {
  getContext();
  ThreadPoolUse threads;
  DiagnosticCapture diagnostics(DiagnosticCapture::Locations::Show);
  Flattener flattener;
  Differentiation spec;
  spec.mode =
      forward ? DifferentiationMode::Forward : DifferentiationMode::Reverse;
  spec.arguments = toUnsigned(arguments);
  spec.results = toUnsigned(results);
  func::FuncOp copy = flattener.flatten(function);
  if (failed(differentiate(copy, spec, [&](func::CallOp call) {
        return flattener.getRule(call);
      })))
    diagnostics.raise("the function is not differentiable");
  return flattener.finish(copy, forward ? "_jvp" : "_vjp");
}

nb::tuple splitFunction(const Function &function, unsigned argumentCount,
                        unsigned resultCount) {
  getContext();
  ThreadPoolUse threads;
  Flattener flattener;
  func::FuncOp copy = flattener.flatten(function);
  SplitFunction parts = split(copy, argumentCount, resultCount);
  nb::list residuals;
  for (unsigned place : parts.residuals)
    residuals.append(place);
  func::FuncOp first = parts.first.release(), second = parts.second.release();
  return nb::make_tuple(flattener.hold(first, first.getSymName().str()),
                        flattener.hold(second, second.getSymName().str()),
                        nb::tuple(residuals));
}

FunctionPtr addRule(const Function &function, const std::string &kind) {
  getContext();
  auto rule = std::make_shared<Function::Rule>();
  if (kind == "zero")
    rule->kind = CallRule::Kind::Zero;
  else if (kind == "reverse")
    rule->kind = CallRule::Kind::Reverse;
  else if (kind == "forward")
    rule->kind = CallRule::Kind::Forward;
  else
    throw DialectError("'" + kind + "' is no kind of rule");
  auto made = std::make_shared<Function>();
  made->op = HeldOp<func::FuncOp>(function.op.get().clone());
  made->callees = function.callees;
  made->rule = std::move(rule);
  return made;
}

void setRule(Function &function, FunctionPtr forward,
             std::optional<FunctionPtr> backward) {
  if (!function.rule || function.rule->kind == CallRule::Kind::Zero ||
      (function.rule->kind == CallRule::Kind::Reverse) != backward.has_value())
    throw DialectError("'" + function.op->getSymName() +
                       "' does not have such a rule");
  function.rule->forward = std::move(forward);
  function.rule->backward = backward.value_or(nullptr);
}

} // namespace

void mlir::wax::python::bindTransform(nb::module_ &m) {
  m.def("differentiate", &differentiateFunction, nb::arg("function"),
        nb::arg("forward"), nb::arg("arguments"), nb::arg("results"));
  m.def("split", &splitFunction, nb::arg("function"), nb::arg("argument_count"),
        nb::arg("result_count"));
  m.def("with_rule", &addRule, nb::arg("function"), nb::arg("kind"));
  m.def("set_rule", &setRule, nb::arg("function"), nb::arg("forward"),
        nb::arg("backward") = nb::none());
}
