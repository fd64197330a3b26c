//===- ExpandSpecial.cpp - Special and complex functions as real ones -----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "../math/Complex.h"
#include "../math/Elementary.h"
#include "../math/Special.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
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

/// Null for what is not a special function.
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

//===----------------------------------------------------------------------===//
// Functions of complex numbers
//===----------------------------------------------------------------------===//

static ComplexType getComplexType(Operation *op) {
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  auto types = op->getOperandTypes();
  auto found = llvm::find_if(types, isComplex);
  return found == types.end() ? ComplexType() : cast<ComplexType>(*found);
}

/// Null for what targets do without rounding of their own, or none that
/// matters.
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
struct ExpandSpecial : wax::impl::ExpandSpecialBase<ExpandSpecial> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      ComplexType complexType = getComplexType(op);
      bool isComplex =
          complexType && isa<complex::ComplexDialect>(op->getDialect());
      if (!isComplex && !op->hasTrait<OpTrait::wax::ScalarFunction>())
        continue;
      auto type = cast<FloatType>(isComplex ? complexType.getElementType()
                                            : op->getResult(0).getType());
      OpBuilder builder(op);
      Emitter emitter(builder, op->getLoc(), type);
      Value result =
          isComplex ? expandComplex(op, emitter) : expandReal(op, emitter);
      if (!result)
        continue;
      op->replaceAllUsesWith(ValueRange(result));
      op->erase();
    }
  }
};
} // namespace
