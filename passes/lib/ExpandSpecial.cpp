//===- ExpandSpecial.cpp - Special functions as elementary ones -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "../math/Elementary.h"
#include "../math/Special.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDSPECIAL
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::formula;

//===----------------------------------------------------------------------===//
// Functions of real numbers
//===----------------------------------------------------------------------===//

static Value expandReal(Operation *op, Emitter &emitter) {
  auto at = [&](Value value) { return Real(emitter, value); };
  std::optional<Real> result =
      llvm::TypeSwitch<Operation *, std::optional<Real>>(op)
          .Case([&](LgammaOp op) { return lgamma(at(op.getX())); })
          .Case([&](PolygammaOp op) {
            return polygamma(op.getOrder(), at(op.getX()));
          })
          .Case([&](ErfInvOp op) { return erfInv(at(op.getX())); })
          .Case([&](ErfcInvOp op) { return erfcInv(at(op.getX())); })
          .Case(
              [&](IgammaOp op) { return igamma(at(op.getA()), at(op.getX())); })
          .Case([&](IgammacOp op) {
            return igammac(at(op.getA()), at(op.getX()));
          })
          .Case([&](I0eOp op) { return i0e(at(op.getX())); })
          .Case([&](I1eOp op) { return i1e(at(op.getX())); })
          .Default([](Operation *) { return std::nullopt; });
  return result ? result->value : Value();
}

namespace {
struct ExpandSpecial : wax::impl::ExpandSpecialBase<ExpandSpecial> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::wax::ScalarFunction>())
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      Emitter emitter(builder, op->getLoc(),
                      cast<FloatType>(op->getResult(0).getType()));
      op->replaceAllUsesWith(ValueRange(expandReal(op, emitter)));
      op->erase();
    }
  }
};
} // namespace
