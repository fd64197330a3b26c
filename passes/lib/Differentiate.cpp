//===- Differentiate.cpp - Derivatives as a pass ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Differentiate.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct Differentiate : wax::impl::DifferentiateBase<Differentiate> {
  using DifferentiateBase::DifferentiateBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    FailureOr<func::FuncOp> target =
        findWhole(getOperation(), symbols, function);
    if (failed(target))
      return signalPassFailure();
    Differentiation spec;
    spec.mode = mode;
    llvm::append_range(spec.arguments, arguments);
    if (spec.arguments.empty())
      for (auto [i, type] : llvm::enumerate(target->getArgumentTypes()))
        if (isa<FloatType, ComplexType>(getElementTypeOrSelf(type)))
          spec.arguments.push_back(i);
    if (failed(differentiate(*target, spec)))
      signalPassFailure();
  }
};
} // namespace

LogicalResult mlir::wax::inlineCalls(func::FuncOp function,
                                     SymbolTable &symbols) {
  for (;;) {
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal() || callee == function)
        return call.emitError()
               << "'" << call.getCallee() << "' has no body to put here";
      inlineCall(call, callee);
    }
  }
}

FailureOr<func::FuncOp>
mlir::wax::findWhole(ModuleOp module, SymbolTable &symbols, StringRef name) {
  auto function = symbols.lookup<func::FuncOp>(name);
  if (!function || function.isExternal()) {
    module.emitError() << "there is no function '" << name << "'";
    return failure();
  }
  if (failed(inlineCalls(function, symbols)))
    return failure();
  return function;
}
