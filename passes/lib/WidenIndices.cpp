//===- WidenIndices.cpp - Signs of indices of few bits --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {
#define GEN_PASS_DEF_WIDENINDICES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What integers of fewer bits are on the host.
static constexpr unsigned kHostBits = 32;

/// Shifts the sign of what `cast` reads to where the host looks for it.
static void widen(arith::IndexCastOp cast) {
  auto type = dyn_cast<IntegerType>(cast.getIn().getType());
  if (!type || type.getWidth() >= kHostBits)
    return;
  OpBuilder builder(cast);
  Location loc = cast.getLoc();
  Type wide = builder.getIntegerType(kHostBits);
  Value value = arith::ExtSIOp::create(builder, loc, wide, cast.getIn());
  Value unused = arith::ConstantIntOp::create(builder, loc, wide,
                                              kHostBits - type.getWidth());
  value = arith::ShLIOp::create(builder, loc, value, unused);
  value = arith::ShRSIOp::create(builder, loc, value, unused);
  cast.getInMutable().assign(value);
}

namespace {
struct WidenIndices : wax::impl::WidenIndicesBase<WidenIndices> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      // Kernels are never on the host.
      if (isa<linalg::LinalgOp>(op))
        return WalkResult::skip();
      if (auto cast = dyn_cast<arith::IndexCastOp>(op))
        widen(cast);
      return WalkResult::advance();
    });
  }
};
} // namespace
