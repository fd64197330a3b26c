//===- ExpandComplex.cpp - Complex functions as real ones -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "../math/Complex.h"
#include "../math/Elementary.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDCOMPLEX
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::formula;

/// Null for what rounds nothing.
static Value expandComplex(Operation *op, Emitter &emitter) {
  auto at = [&](unsigned i) {
    Value value = op->getOperand(i);
    return Complex{{emitter, emitter.make<complex::ReOp>(value)},
                   {emitter, emitter.make<complex::ImOp>(value)}};
  };
  auto real = [](Real x) { return x.value; };
  auto whole = [&](Complex z) -> Value {
    return emitter.make<complex::CreateOp>(op->getResult(0).getType(),
                                           z.re.value, z.im.value);
  };
  Complex one{Real(emitter, 1.0), Real(emitter, 0.0)};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](complex::AbsOp) { return real(modulus(at(0))); })
      .Case([&](complex::AngleOp) {
        Complex z = at(0);
        return real(atan2(z.im, z.re));
      })
      .Case([&](complex::SignOp) { return whole(direction(at(0))); })
      .Case([&](complex::AddOp) {
        return whole({at(0).re + at(1).re, at(0).im + at(1).im});
      })
      .Case([&](complex::SubOp) {
        return whole({at(0).re - at(1).re, at(0).im - at(1).im});
      })
      .Case([&](complex::MulOp) { return whole(multiply(at(0), at(1))); })
      .Case([&](complex::DivOp) { return whole(divide(at(0), at(1))); })
      .Case([&](complex::SqrtOp) { return whole(squareRoot(at(0))); })
      .Case([&](complex::RsqrtOp) {
        return whole(divide(one, squareRoot(at(0))));
      })
      .Case([&](complex::ExpOp) { return whole(exponential(at(0))); })
      .Case([&](complex::Expm1Op) { return whole(exponentialMinusOne(at(0))); })
      .Case([&](complex::LogOp) { return whole(logarithm(at(0))); })
      .Case([&](complex::Log1pOp) { return whole(logarithmOfOneMore(at(0))); })
      .Case([&](complex::PowOp) { return whole(power(at(0), at(1))); })
      .Case([&](complex::PowiOp) {
        return whole(integerPower(at(0), op->getOperand(1)));
      })
      .Case([&](complex::SinOp) {
        return whole(timesMinusI(hyperbolicSine(timesI(at(0)))));
      })
      .Case([&](complex::CosOp) {
        return whole(hyperbolicCosine(timesI(at(0))));
      })
      .Case([&](complex::TanOp) {
        return whole(timesMinusI(hyperbolicTangent(timesI(at(0)))));
      })
      .Case([&](complex::TanhOp) { return whole(hyperbolicTangent(at(0))); })
      .Case([&](complex::Atan2Op) {
        // −i·log((x + i·y)/√(x² + y²)).
        Complex y = at(0), x = at(1), iy = timesI(y);
        Complex xx = multiply(x, x), yy = multiply(y, y);
        Complex root = squareRoot({xx.re + yy.re, xx.im + yy.im});
        Complex sum{x.re + iy.re, x.im + iy.im};
        return whole(timesMinusI(logarithm(divide(sum, root))));
      })
      .Default([](Operation *) { return Value(); });
}

namespace {
struct ExpandComplex : wax::impl::ExpandComplexBase<ExpandComplex> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<complex::ComplexDialect>(op->getDialect()) &&
          op->getNumOperands() && isa<ComplexType>(op->getOperand(0).getType()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      auto type = cast<ComplexType>(op->getOperand(0).getType());
      Emitter emitter(builder, op->getLoc(),
                      cast<FloatType>(type.getElementType()));
      Value result = expandComplex(op, emitter);
      if (!result)
        continue;
      op->replaceAllUsesWith(ValueRange(result));
      op->erase();
    }
  }
};
} // namespace
