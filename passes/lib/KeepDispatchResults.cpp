//===- KeepDispatchResults.cpp - Keep what a dispatch makes ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPDISPATCHRESULTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

namespace {
struct KeepDispatchResults
    : wax::impl::KeepDispatchResultsBase<KeepDispatchResults> {
  void runOnOperation() override {
    getOperation().walk([](wax::iree::DispatchRegionOp dispatch) {
      // With its only result a dispatch goes as a whole.
      if (dispatch.getOutputs().size() < 2)
        return;
      OpBuilder builder(dispatch->getContext());
      builder.setInsertionPointAfter(dispatch);
      for (Value result : dispatch.getOutputs())
        wax::iree::OptimizationBarrierOp::create(builder, dispatch.getLoc(),
                                                 result.getType(), result);
    });
  }
};
} // namespace
