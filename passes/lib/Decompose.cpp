//===- Decompose.cpp - What recognised operations stand for ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {
#define GEN_PASS_DEF_DECOMPOSE
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct Decompose : wax::impl::DecomposeBase<Decompose> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](RecognizedOpInterface op) {
      Block &block = op.getDecomposition().front();
      Operation *end = block.getTerminator();
      rewriter.inlineBlockBefore(&block, op, op->getOperands());
      rewriter.replaceOp(op, end->getOperands());
      rewriter.eraseOp(end);
    });
  }
};
} // namespace
