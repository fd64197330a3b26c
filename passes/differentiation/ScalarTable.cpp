//===- ScalarTable.cpp - The derivative of each scalar operation ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a function has a kink, the derivative is: of `abs` at 0, 0; of a
// maximum or minimum of equal operands, ½ by each; of roundings and signs, 0
// everywhere; of a choice, that of the side chosen. `pow` has derivative 0 by
// the base for the exponent 0, and 0 by the exponent where base and power are
// 0. A pole gives an infinity or NaN.
//
//===----------------------------------------------------------------------===//

#include "ScalarTable.h"
#include "ScalarRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A scalar, and where to compute with it, so that the table reads as in the
/// books.
struct Number {
  OpBuilder *builder;
  Location loc;
  Value value;

  Number with(Value other) const { return {builder, loc, other}; }
  Number constant(double number) const {
    return with(scalar::constant(*builder, loc, value.getType(), number));
  }
  template <typename OpTy, typename... Args> Number make(Args... args) const {
    return with(OpTy::create(*builder, loc, value.getType(), args...));
  }
};

Number operator+(Number x, Number y) {
  return x.with(scalar::add(*x.builder, x.loc, x.value, y.value));
}
Number operator-(Number x, Number y) {
  return x.with(scalar::sub(*x.builder, x.loc, x.value, y.value));
}
Number operator*(Number x, Number y) {
  return x.with(scalar::mul(*x.builder, x.loc, x.value, y.value));
}
Number operator/(Number x, Number y) {
  return x.with(scalar::div(*x.builder, x.loc, x.value, y.value));
}
Number operator-(Number x) {
  return x.with(scalar::neg(*x.builder, x.loc, x.value));
}
#define WAX_WITH_NUMBER(sign)                                                  \
  [[maybe_unused]] Number operator sign(Number x, double y) {                  \
    return x sign x.constant(y);                                               \
  }                                                                            \
  [[maybe_unused]] Number operator sign(double x, Number y) {                  \
    return y.constant(x) sign y;                                               \
  }
WAX_WITH_NUMBER(+)
WAX_WITH_NUMBER(-)
WAX_WITH_NUMBER(*)
WAX_WITH_NUMBER(/)
#undef WAX_WITH_NUMBER

/// An elementary function, of `math` or of `complex`.
template <typename FloatOp, typename ComplexOp> Number apply(Number x) {
  return isa<ComplexType>(x.value.getType()) ? x.make<ComplexOp>(x.value)
                                             : x.make<FloatOp>(x.value);
}
Number exp(Number x) { return apply<math::ExpOp, complex::ExpOp>(x); }
Number log(Number x) { return apply<math::LogOp, complex::LogOp>(x); }
Number sin(Number x) { return apply<math::SinOp, complex::SinOp>(x); }
Number cos(Number x) { return apply<math::CosOp, complex::CosOp>(x); }
Number sqrt(Number x) { return apply<math::SqrtOp, complex::SqrtOp>(x); }
Number abs(Number x) { return x.make<math::AbsFOp>(x.value); }

Value compare(arith::CmpFPredicate predicate, Number x, Number y) {
  return arith::CmpFOp::create(*x.builder, x.loc, predicate, x.value, y.value);
}
Value isZero(Number x) {
  if (isa<ComplexType>(x.value.getType()))
    return complex::EqualOp::create(*x.builder, x.loc, x.value,
                                    x.constant(0).value);
  return compare(arith::CmpFPredicate::OEQ, x, x.constant(0));
}
Number select(Value condition, Number x, Number y) {
  return x.with(
      arith::SelectOp::create(*x.builder, x.loc, condition, x.value, y.value));
}

/// −1, 0 or 1; NaN of NaN.
Number sign(Number x) {
  Number zero = x.constant(0);
  Number below = select(compare(arith::CmpFPredicate::OLT, x, zero),
                        x.constant(-1), select(isZero(x), zero, x));
  return select(compare(arith::CmpFPredicate::OGT, x, zero), x.constant(1),
                below);
}

Number re(Number z) {
  Type part = cast<ComplexType>(z.value.getType()).getElementType();
  return z.with(complex::ReOp::create(*z.builder, z.loc, part, z.value));
}
Number im(Number z) {
  Type part = cast<ComplexType>(z.value.getType()).getElementType();
  return z.with(complex::ImOp::create(*z.builder, z.loc, part, z.value));
}
Number conj(Number z) { return z.make<complex::ConjOp>(z.value); }
Number create(Number re, Number im) {
  return re.with(complex::CreateOp::create(*re.builder, re.loc,
                                           ComplexType::get(re.value.getType()),
                                           re.value, im.value));
}
/// A real number as a complex one.
Number toComplex(Number x) { return create(x, x.constant(0)); }
/// |z|, as a complex number; 1 for 0, so that one can divide by it.
Number modulusOrOne(Number z) {
  Type part = cast<ComplexType>(z.value.getType()).getElementType();
  Number modulus =
      z.with(complex::AbsOp::create(*z.builder, z.loc, part, z.value));
  return toComplex(select(isZero(modulus), modulus.constant(1), modulus));
}

//===----------------------------------------------------------------------===//
// Kinds of maps
//===----------------------------------------------------------------------===//

using Unary = std::function<Number(Number)>;
using Formula = std::function<Number(function_ref<Number(unsigned)> operand,
                                     Number result)>;

Derivative toDerivative(Unary apply, Unary transpose) {
  auto wrap = [](Unary function) {
    return [function](OpBuilder &builder, Location loc, Value value) {
      return function({&builder, loc, value}).value;
    };
  };
  return Derivative::map(wrap(apply), wrap(transpose));
}
Derivative toDerivative(Unary apply) { return toDerivative(apply, apply); }

Derivative identity() {
  return toDerivative([](Number t) { return t; });
}
Derivative negation() {
  return toDerivative([](Number t) { return -t; });
}

/// Multiplies by a formula of the operands and the result.
Derivative times(Operation *op, Formula formula) {
  return toDerivative([=](Number t) {
    auto operand = [&](unsigned i) { return t.with(op->getOperand(i)); };
    return t * formula(operand, t.with(op->getResult(0)));
  });
}

/// Divides by a formula of the operands and the result.
Derivative over(Operation *op, Formula formula) {
  return toDerivative([=](Number t) {
    auto operand = [&](unsigned i) { return t.with(op->getOperand(i)); };
    return t / formula(operand, t.with(op->getResult(0)));
  });
}

/// What a condition lets through; nothing elsewhere.
Derivative where(Value condition, bool holds) {
  return toDerivative([=](Number t) {
    Number zero = t.constant(0);
    return holds ? select(condition, t, zero) : select(condition, zero, t);
  });
}

/// Operand `i` of a maximum or minimum: all where it is the one, half where
/// both are. Some have numbers win over NaN.
Derivative shared(Operation *op, unsigned i, arith::CmpFPredicate wins,
                  bool prefersNumbers = false) {
  return toDerivative([=](Number t) {
    Number mine = t.with(op->getOperand(i));
    Number other = t.with(op->getOperand(1 - i));
    Number equal = select(compare(arith::CmpFPredicate::OEQ, mine, other),
                          t * 0.5, t.constant(0));
    Number share = select(compare(wins, mine, other), t, equal);
    if (!prefersNumbers)
      return share;
    return select(compare(arith::CmpFPredicate::UNO, other, other), t, share);
  });
}

/// Between float formats, there and back.
Derivative conversion(Operation *op) {
  auto to = [](Type type) {
    return [type](Number t) {
      return t.with(scalar::convert(*t.builder, t.loc, t.value, type));
    };
  };
  return toDerivative(to(op->getResult(0).getType()),
                      to(op->getOperand(0).getType()));
}

/// The real part of the product with a formula of the complex operand.
Derivative realPartTimes(Operation *op, Unary formula) {
  auto factor = [=](Number t) { return formula(t.with(op->getOperand(0))); };
  return toDerivative([=](Number t) { return re(factor(t) * t); },
                      [=](Number ct) { return toComplex(ct) * factor(ct); });
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// x^(y−1)·y, and 0 where y is 0.
static Number powerByBase(Number x, Number y, Number one) {
  Number less = select(isZero(y), one, y - 1);
  Number power = isa<ComplexType>(x.value.getType())
                     ? x.make<complex::PowOp>(x.value, less.value)
                     : x.make<math::PowFOp>(x.value, less.value);
  return y * power;
}

/// log(x)·result, and 0 for a power 0 of the base 0.
static Number powerByExponent(Number x, Number result) {
  return log(select(isZero(x), x.constant(1), x)) * result;
}

/// The derivative of atan2(y, x): `part` is x, or −y, over x² + y², none of
/// which may overflow.
static Number arcByPart(Number y, Number x, Number part) {
  Number largest = x.make<arith::MaximumFOp>(abs(y).value, abs(x).value);
  Number v = y / largest, u = x / largest;
  return part / largest / (u * u + v * v) / largest;
}

static Derivative getRealDerivative(Operation *op, unsigned i) {
  using Get = function_ref<Number(unsigned)>;
  using N = Number;
  constexpr double ln2 = 0.6931471805599453, ln10 = 2.302585092994046;
  constexpr double twoOverRootPi = 1.1283791670955126;
  constexpr double halfRootPi = 0.886226925452758;
  return llvm::TypeSwitch<Operation *, Derivative>(op)
      .Case<arith::AddFOp>([](auto) { return identity(); })
      .Case([&](arith::SubFOp) { return i ? negation() : identity(); })
      .Case([](arith::NegFOp) { return negation(); })
      .Case([&](arith::MulFOp) {
        return times(op, [i](Get x, N) { return x(1 - i); });
      })
      .Case([&](arith::DivFOp) {
        return i ? times(op, [](Get x, N r) { return -(r / x(1)); })
                 : over(op, [](Get x, N) { return x(1); });
      })
      .Case([&](arith::RemFOp) {
        return i ? times(op,
                         [](Get x, N) {
                           N quotient = x(0) / x(1);
                           return -quotient.make<math::TruncOp>(quotient.value);
                         })
                 : identity();
      })
      .Case([&](arith::MaximumFOp) {
        return shared(op, i, arith::CmpFPredicate::OGT);
      })
      .Case([&](arith::MinimumFOp) {
        return shared(op, i, arith::CmpFPredicate::OLT);
      })
      .Case([&](arith::MaxNumFOp) {
        return shared(op, i, arith::CmpFPredicate::OGT,
                      /*prefersNumbers=*/true);
      })
      .Case([&](arith::MinNumFOp) {
        return shared(op, i, arith::CmpFPredicate::OLT,
                      /*prefersNumbers=*/true);
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return conversion(op); })
      .Case<math::CeilOp, math::FloorOp, math::TruncOp, math::RoundOp,
            math::RoundEvenOp, arith::BitcastOp>(
          [](auto) { return Derivative::zero(); })
      .Case([&](math::AbsFOp) {
        return times(op, [](Get x, N) { return sign(x(0)); });
      })
      .Case([&](math::CopySignOp) {
        if (i)
          return Derivative::zero();
        return times(op, [](Get x, N) {
          N one = x(0).constant(1);
          N own = one.make<math::CopySignOp>(one.value, x(0).value);
          return own * one.make<math::CopySignOp>(one.value, x(1).value);
        });
      })
      .Case([&](math::FmaOp) {
        return i == 2 ? identity()
                      : times(op, [i](Get x, N) { return x(1 - i); });
      })
      .Case([&](math::SqrtOp) {
        return over(op, [](Get, N r) { return r * 2; });
      })
      .Case([&](math::RsqrtOp) {
        return times(op, [](Get x, N r) { return r / x(0) * -0.5; });
      })
      .Case([&](math::CbrtOp) {
        return over(op, [](Get, N r) { return r * r * 3; });
      })
      .Case([&](math::PowFOp) {
        return times(op, [i](Get x, N r) {
          return i ? powerByExponent(x(0), r)
                   : powerByBase(x(0), x(1), x(0).constant(1));
        });
      })
      .Case([&](math::ExpOp) { return times(op, [](Get, N r) { return r; }); })
      .Case([&](math::Exp2Op) {
        return times(op, [](Get, N r) { return r * ln2; });
      })
      .Case([&](math::ExpM1Op) {
        // Not the result plus 1, which loses what is small.
        return times(op, [](Get x, N) { return exp(x(0)); });
      })
      .Case(
          [&](math::LogOp) { return over(op, [](Get x, N) { return x(0); }); })
      .Case([&](math::Log2Op) {
        return over(op, [](Get x, N) { return x(0) * ln2; });
      })
      .Case([&](math::Log10Op) {
        return over(op, [](Get x, N) { return x(0) * ln10; });
      })
      .Case([&](math::Log1pOp) {
        return over(op, [](Get x, N) { return x(0) + 1; });
      })
      .Case([&](math::SinOp) {
        return times(op, [](Get x, N) { return cos(x(0)); });
      })
      .Case([&](math::CosOp) {
        return times(op, [](Get x, N) { return -sin(x(0)); });
      })
      .Case([&](math::TanOp) {
        return times(op, [](Get, N r) { return r * r + 1; });
      })
      .Case([&](math::AsinOp) {
        return over(op, [](Get x, N) { return sqrt((1 - x(0)) * (1 + x(0))); });
      })
      .Case([&](math::AcosOp) {
        return over(op,
                    [](Get x, N) { return -sqrt((1 - x(0)) * (1 + x(0))); });
      })
      .Case([&](math::AtanOp) {
        return over(op, [](Get x, N) { return x(0) * x(0) + 1; });
      })
      .Case([&](math::Atan2Op) {
        return times(op, [i](Get x, N) {
          return arcByPart(x(0), x(1), i ? -x(0) : x(1));
        });
      })
      .Case([&](math::SinhOp) {
        return times(
            op, [](Get x, N) { return x(0).make<math::CoshOp>(x(0).value); });
      })
      .Case([&](math::CoshOp) {
        return times(
            op, [](Get x, N) { return x(0).make<math::SinhOp>(x(0).value); });
      })
      .Case([&](math::TanhOp) {
        return times(op, [](Get, N r) { return (1 + r) * (1 - r); });
      })
      .Case([&](math::AsinhOp) {
        return over(op, [](Get x, N) { return sqrt(x(0) * x(0) + 1); });
      })
      .Case([&](math::AcoshOp) {
        return over(op,
                    [](Get x, N) { return sqrt(x(0) - 1) * sqrt(x(0) + 1); });
      })
      .Case([&](math::AtanhOp) {
        return over(op, [](Get x, N) { return (1 - x(0)) * (1 + x(0)); });
      })
      .Case([&](math::ErfOp) {
        return times(
            op, [](Get x, N) { return exp(-(x(0) * x(0))) * twoOverRootPi; });
      })
      .Case([&](math::ErfcOp) {
        return times(
            op, [](Get x, N) { return exp(-(x(0) * x(0))) * -twoOverRootPi; });
      })
      .Case([&](LgammaOp) {
        return times(op, [](Get x, N) {
          return x(0).with(
              PolygammaOp::create(*x(0).builder, x(0).loc, 0, x(0).value));
        });
      })
      .Case([&](PolygammaOp polygamma) {
        uint64_t next = polygamma.getOrder() + 1;
        if (next > PolygammaOp::maxOrder)
          return Derivative::none();
        return times(op, [next](Get x, N) {
          return x(0).with(
              PolygammaOp::create(*x(0).builder, x(0).loc, next, x(0).value));
        });
      })
      .Case([&](ErfInvOp) {
        return times(op, [](Get, N r) { return exp(r * r) * halfRootPi; });
      })
      .Case([&](ErfcInvOp) {
        return times(op, [](Get, N r) { return exp(r * r) * -halfRootPi; });
      })
      .Case<IgammaOp, IgammacOp>([&](auto) {
        if (i == 0)
          return Derivative::none();
        double factor = isa<IgammaOp>(op) ? 1 : -1;
        return times(op, [factor](Get x, N) {
          N a = x(0), logGamma = a.make<LgammaOp>(a.value);
          return exp((a - 1) * log(x(1)) - x(1) - logGamma) * factor;
        });
      })
      .Case([&](I0eOp) {
        return times(op, [](Get x, N r) {
          return x(0).make<I1eOp>(x(0).value) - sign(x(0)) * r;
        });
      })
      .Case([&](I1eOp) {
        return times(op, [](Get x, N r) {
          N one = x(0).constant(1);
          N divisor = select(isZero(x(0)), one, x(0));
          N slope =
              x(0).make<I0eOp>(x(0).value) - (sign(x(0)) + 1 / divisor) * r;
          return select(isZero(x(0)), one * 0.5, slope);
        });
      })
      .Default([](Operation *) { return Derivative::none(); });
}

static Derivative getComplexDerivative(Operation *op, unsigned i) {
  using Get = function_ref<Number(unsigned)>;
  using N = Number;
  return llvm::TypeSwitch<Operation *, Derivative>(op)
      .Case([](complex::AddOp) { return identity(); })
      .Case([&](complex::SubOp) { return i ? negation() : identity(); })
      .Case([](complex::NegOp) { return negation(); })
      .Case([&](complex::MulOp) {
        return times(op, [i](Get x, N) { return x(1 - i); });
      })
      .Case([&](complex::DivOp) {
        return i ? times(op, [](Get x, N r) { return -(r / x(1)); })
                 : over(op, [](Get x, N) { return x(1); });
      })
      .Case([](complex::ConjOp) {
        return toDerivative([](N t) { return conj(t); });
      })
      .Case([](complex::ReOp) {
        return toDerivative([](N t) { return re(t); },
                            [](N ct) { return toComplex(ct); });
      })
      .Case([](complex::ImOp) {
        return toDerivative([](N t) { return im(t); },
                            [](N ct) { return create(ct.constant(0), -ct); });
      })
      .Case([&](complex::CreateOp) {
        if (i)
          return toDerivative([](N t) { return create(t.constant(0), t); },
                              [](N ct) { return -im(ct); });
        return toDerivative([](N t) { return toComplex(t); },
                            [](N ct) { return re(ct); });
      })
      .Case([&](complex::AbsOp) {
        return realPartTimes(op, [](N z) { return conj(z) / modulusOrOne(z); });
      })
      .Case([&](complex::AngleOp) {
        // Im(t / z).
        return realPartTimes(op, [](N z) {
          N one = re(z).constant(1);
          return create(one.constant(0), -one) / z;
        });
      })
      .Case([&](complex::SignOp) {
        // (t − s·Re(s̄·t)) / |z|, and 0 at 0.
        auto operand = [op](N t) { return t.with(op->getOperand(0)); };
        auto result = [op](N t) { return t.with(op->getResult(0)); };
        auto finish = [=](N t, N along) {
          N z = operand(t);
          return select(isZero(z), t.constant(0),
                        (t - along) / modulusOrOne(z));
        };
        return toDerivative(
            [=](N t) {
              N s = result(t);
              return finish(t, s * toComplex(re(conj(s) * t)));
            },
            [=](N ct) {
              N s = result(ct);
              return finish(ct, conj(s) * toComplex(re(s * ct)));
            });
      })
      .Case([&](complex::SqrtOp) {
        return over(op, [](Get, N r) { return r * 2; });
      })
      .Case([&](complex::RsqrtOp) {
        return times(op, [](Get x, N r) { return r / x(0) * -0.5; });
      })
      .Case(
          [&](complex::ExpOp) { return times(op, [](Get, N r) { return r; }); })
      .Case([&](complex::Expm1Op) {
        return times(op, [](Get x, N) { return exp(x(0)); });
      })
      .Case([&](complex::LogOp) {
        return over(op, [](Get x, N) { return x(0); });
      })
      .Case([&](complex::Log1pOp) {
        return over(op, [](Get x, N) { return x(0) + 1; });
      })
      .Case([&](complex::PowOp) {
        return times(op, [i](Get x, N r) {
          return i ? powerByExponent(x(0), r)
                   : powerByBase(x(0), x(1), x(0).constant(1));
        });
      })
      .Case([&](complex::SinOp) {
        return times(op, [](Get x, N) { return cos(x(0)); });
      })
      .Case([&](complex::CosOp) {
        return times(op, [](Get x, N) { return -sin(x(0)); });
      })
      .Case([&](complex::TanOp) {
        return times(op, [](Get, N r) { return r * r + 1; });
      })
      .Case([&](complex::TanhOp) {
        return times(op, [](Get, N r) { return (1 + r) * (1 - r); });
      })
      .Default([](Operation *) { return Derivative::none(); });
}

Derivative mlir::wax::getDerivative(Operation *op, unsigned i) {
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return where(choice.getCondition(), /*holds=*/i == 1);
  return isa<complex::ComplexDialect>(op->getDialect())
             ? getComplexDerivative(op, i)
             : getRealDerivative(op, i);
}
