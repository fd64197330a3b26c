//===- ExpandAffine.cpp - affine.apply as arithmetic on index -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDAFFINE
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

namespace {
struct ExpandAffine : wax::impl::ExpandAffineBase<ExpandAffine> {
  void runOnOperation() override {
    getOperation().walk([](affine::AffineApplyOp apply) {
      OpBuilder builder(apply);
      std::optional<SmallVector<Value, 8>> values = affine::expandAffineMap(
          builder, apply.getLoc(), apply.getAffineMap(), apply.getOperands());
      // Semi-affine maps that upstream cannot expand stay, and the verifier of
      // the normal form names them.
      if (!values)
        return;
      apply->replaceAllUsesWith(*values);
      apply.erase();
    });
  }
};
} // namespace
