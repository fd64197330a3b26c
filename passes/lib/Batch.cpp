//===- Batch.cpp - Batches as a pass --------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Batch.h"
#include "wax/Passes/Differentiate.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {
#define GEN_PASS_DEF_BATCH
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct Batch : wax::impl::BatchBase<Batch> {
  using BatchBase::BatchBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    FailureOr<func::FuncOp> target =
        findWhole(getOperation(), symbols, function);
    if (failed(target))
      return signalPassFailure();
    Batching spec;
    llvm::append_range(spec.arguments, arguments);
    llvm::append_range(spec.results, results);
    spec.size = size < 0 ? ShapedType::kDynamic : size;
    spec.axis = axis;
    if (spec.arguments.empty())
      llvm::append_range(spec.arguments,
                         llvm::seq<unsigned>(target->getNumArguments()));
    FailureOr<BatchedFunction> made = batch(*target, spec);
    if (failed(made))
      return signalPassFailure();
    func::FuncOp batched = made->function.release();
    symbols.erase(*target);
    symbols.insert(batched);
  }
};
} // namespace
