//===- SinkEmpties.cpp - Each dispatch has its own empty tensors ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SINKEMPTIES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
struct SinkEmpties : wax::impl::SinkEmptiesBase<SinkEmpties> {
  void runOnOperation() override {
    getOperation().walk([](iree::DispatchRegionOp dispatch) {
      Region &body = dispatch.getBody();
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(body, captured);
      OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
      for (Value value : captured)
        if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
          replaceAllUsesInRegionWith(value, builder.clone(*empty)->getResult(0),
                                     body);
    });
  }
};
} // namespace
