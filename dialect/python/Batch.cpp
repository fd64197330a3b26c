//===- Batch.cpp - Functions over batches, and rules over them ------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flattener.h"
#include "Transform.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Batch.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::python;

namespace {

using Numbers = std::vector<int64_t>;

bool isDifferentiable(Type type) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
}

/// Batches functions, and with a function that has a rule its rule.
class Batcher {
public:
  Batcher(int64_t size, StringRef axis) : size(size), axis(axis) {}

  struct Made {
    FunctionPtr function;
    llvm::SmallBitVector results;
  };

  /// Null after an error.
  FailureOr<Made> batch(const Function &function, ArrayRef<unsigned> arguments,
                        ArrayRef<unsigned> results,
                        ArrayRef<unsigned> sums = {}) {
    Flattener flattener;
    Batching spec;
    llvm::append_range(spec.arguments, arguments);
    llvm::append_range(spec.results, results);
    llvm::append_range(spec.sums, sums);
    spec.size = size;
    spec.axis = axis;
    func::FuncOp copy = flattener.flatten(function);
    FailureOr<BatchedFunction> made = wax::batch(
        copy, spec, [&](func::CallOp call, const llvm::SmallBitVector &bits) {
          FunctionPtr callee = batchCallee(flattener.getCallee(call), bits);
          return callee ? StringAttr::get(call.getContext(),
                                          flattener.getSymbol(callee))
                        : StringAttr();
        });
    if (failed(made))
      return failure();
    std::string name = (copy.getSymName() + "_batch").str();
    return Made{flattener.hold(made->function.release(), name), made->results};
  }

private:
  using Key = std::pair<const Function *, std::vector<unsigned>>;

  /// A function of which calls are differentiated by a rule: batched, its rule
  /// is that, batched.
  FunctionPtr batchCallee(const FunctionPtr &callee,
                          const llvm::SmallBitVector &bits) {
    std::vector<unsigned> arguments(bits.set_bits_begin(), bits.set_bits_end());
    FunctionPtr &known = callees[{callee.get(), arguments}];
    if (known)
      return known;
    // There before its parts are made, which may call it.
    FunctionPtr made = known = std::make_shared<Function>();
    kept.push_back(callee);
    func::FuncOp op = callee->op.get();
    made->op = HeldOp<func::FuncOp>(op.clone());
    SmallVector<unsigned> all =
        llvm::to_vector(llvm::seq<unsigned>(op.getNumResults()));
    FailureOr<Made> primal = batch(*callee, arguments, all);
    if (failed(primal))
      return nullptr;
    made->op = std::move(primal->function->op);
    made->callees = std::move(primal->function->callees);
    made->rule = std::make_shared<Function::Rule>();
    made->rule->kind = callee->rule->kind;
    switch (callee->rule->kind) {
    case CallRule::Kind::Zero:
      return made;
    case CallRule::Kind::Forward:
      made->rule->forward = batchJvp(*callee, *callee->rule->forward, bits);
      return made->rule->forward ? made : nullptr;
    case CallRule::Kind::Reverse:
      if (!batchReverse(*callee, bits, *made))
        return nullptr;
      if (callee->rule->jvp) {
        made->rule->jvp = batchJvp(*callee, *callee->rule->jvp, bits);
        if (!made->rule->jvp)
          return nullptr;
      }
      return made;
    }
    llvm_unreachable("not a kind of rule");
  }

  /// `(operands…, tangents…) → (results…, tangents…)`
  FunctionPtr batchJvp(const Function &callee, const Function &rule,
                       const llvm::SmallBitVector &bits) {
    SmallVector<unsigned> arguments(bits.set_bits());
    unsigned place = bits.size();
    for (auto [i, type] :
         llvm::enumerate(callee.op.get().getFunctionType().getInputs()))
      if (isDifferentiable(type)) {
        if (bits[i])
          arguments.push_back(place);
        ++place;
      }
    func::FuncOp op = rule.op.get();
    FailureOr<Made> batched =
        batch(rule, arguments,
              llvm::to_vector(llvm::seq<unsigned>(op.getNumResults())));
    return failed(batched) ? nullptr : batched->function;
  }

  /// `(operands…) → (results…, residuals…)`, and `(residuals…, cotangents…,
  /// operands…) → (cotangents…)`, of which those of operands that are the same
  /// for all rows are summed up over these.
  bool batchReverse(const Function &callee, const llvm::SmallBitVector &bits,
                    Function &made) {
    func::FuncOp primal = callee.op.get();
    unsigned count = primal.getNumResults();
    FailureOr<Made> forward =
        batch(*callee.rule->forward, SmallVector<unsigned>(bits.set_bits()),
              llvm::to_vector(llvm::seq<unsigned>(count)));
    if (failed(forward))
      return false;

    SmallVector<unsigned> arguments;
    unsigned place = 0;
    for (unsigned i = count; i < forward->results.size(); ++i, ++place)
      if (forward->results[i])
        arguments.push_back(place);
    for (Type type : primal.getFunctionType().getResults())
      if (isDifferentiable(type))
        arguments.push_back(place++);
    for (unsigned i : bits.set_bits())
      arguments.push_back(place + i);
    SmallVector<unsigned> own, shared;
    for (auto [i, type] : llvm::enumerate(primal.getFunctionType().getInputs()))
      if (isDifferentiable(type))
        (bits[i] ? own : shared).push_back(own.size() + shared.size());
    FailureOr<Made> backward =
        batch(*callee.rule->backward, arguments, own, shared);
    if (failed(backward))
      return false;
    made.rule->forward = forward->function;
    made.rule->backward = backward->function;
    return true;
  }

  int64_t size;
  StringRef axis;
  std::map<Key, FunctionPtr> callees;
  std::vector<FunctionPtr> kept;
};

nb::tuple batchFunction(const Function &function, const Numbers &arguments,
                        std::optional<int64_t> size, const std::string &axis) {
  getContext();
  ThreadPoolUse threads;
  DiagnosticCapture diagnostics(DiagnosticCapture::Locations::Show);
  Batcher batcher(size.value_or(ShapedType::kDynamic), axis);
  FailureOr<Batcher::Made> made =
      batcher.batch(function, toUnsigned(arguments), {});
  if (failed(made))
    diagnostics.raise("the function is not batchable");
  nb::list results;
  for (unsigned place : made->results.set_bits())
    results.append(place);
  return nb::make_tuple(made->function, nb::tuple(results));
}

} // namespace

void mlir::wax::python::bindBatch(nb::module_ &m) {
  m.def("batch", &batchFunction, nb::arg("function"), nb::arg("arguments"),
        nb::arg("size").none(), nb::arg("axis"));
}
