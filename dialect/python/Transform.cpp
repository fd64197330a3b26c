//===- Transform.cpp - Functions made of functions ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform.h"
#include "Flattener.h"

#include "wax/Passes/Differentiate.h"
#include "wax/Passes/Passes.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::python;

SmallVector<unsigned>
mlir::wax::python::toUnsigned(const std::vector<int64_t> &numbers) {
  SmallVector<unsigned> result;
  for (int64_t number : numbers) {
    if (number < 0)
      throw DialectError("there is no number " + Twine(number));
    result.push_back(number);
  }
  return result;
}

namespace {

using Numbers = std::vector<int64_t>;

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
             std::optional<FunctionPtr> backward,
             std::optional<FunctionPtr> jvp) {
  if (!function.rule || function.rule->kind == CallRule::Kind::Zero ||
      (function.rule->kind == CallRule::Kind::Reverse) !=
          backward.has_value() ||
      (jvp && !backward))
    throw DialectError("'" + function.op->getSymName() +
                       "' does not have such a rule");
  function.rule->forward = std::move(forward);
  function.rule->backward = backward.value_or(nullptr);
  function.rule->jvp = jvp.value_or(nullptr);
}

} // namespace

void mlir::wax::python::bindTransform(nb::module_ &m) {
  m.def("differentiate", &differentiateFunction, nb::arg("function"),
        nb::arg("forward"), nb::arg("arguments"), nb::arg("results"));
  m.def("split", &splitFunction, nb::arg("function"), nb::arg("argument_count"),
        nb::arg("result_count"));
  m.def("with_rule", &addRule, nb::arg("function"), nb::arg("kind"));
  m.def("set_rule", &setRule, nb::arg("function"), nb::arg("forward"),
        nb::arg("backward") = nb::none(), nb::arg("jvp") = nb::none());
}
