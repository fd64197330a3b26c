//===- Flattener.h - Functions without the calls that they make -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_FLATTENER_H
#define WAX_PYTHON_FLATTENER_H

#include "Errors.h"
#include "Function.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::wax::python {

using FunctionPtr = std::shared_ptr<Function>;

/// Numbers of arguments or results. Throws for negative ones.
SmallVector<unsigned> toUnsigned(const std::vector<int64_t> &numbers);

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

  /// The function that a call in a flattened one is of.
  const FunctionPtr &getCallee(func::CallOp call) {
    return named.find(call.getCallee())->second;
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
      if (callee.rule->jvp)
        place->second->jvp = flattenOnce(callee.rule->jvp);
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

  /// The symbol by which calls in flattened functions name a function.
  StringRef getSymbol(const FunctionPtr &function) {
    for (auto &entry : named)
      if (entry.second == function)
        return entry.first();
    std::string base = function->op->getSymName().str(), symbol = base;
    for (unsigned i = 1; named.contains(symbol); ++i)
      symbol = base + "_" + std::to_string(i);
    return named.try_emplace(symbol, function).first->first();
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

  std::vector<OwningOpRef<func::FuncOp>> held;
  llvm::DenseMap<const Function *, func::FuncOp> flattened;
  llvm::StringMap<FunctionPtr> named;
  llvm::DenseMap<const Function *, std::unique_ptr<CallRule>> rules;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_FLATTENER_H
