//===- IncompleteGamma.cpp - igamma and igammac ---------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four ways, each where it is exact and quick (Gil, Segura, Temme, "Efficient
// and accurate algorithms for the computation and inversion of the incomplete
// gamma function ratios", SIAM J. Sci. Comput. 34, 2012):
//
// - for a ≥ 20 and x within 30 % of it, Temme's uniform expansion, no loop;
// - for x ≤ 1.4 and smaller a, a series of Q;
// - for x well above a, a continued fraction of Q;
// - else the series of P.
//
// Loops end after some 110 steps at most. What is not computed is 1 minus what
// is, which is never the smaller one by much.
//
//===----------------------------------------------------------------------===//

#include "Elementary.h"
#include "Gamma.h"
#include "Special.h"
#include "SpecialCoefficients.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {
struct Ratios {
  Real lower, upper;
};
} // namespace

/// Repeats `step` on the values while `holds` says so of them.
static SmallVector<Real>
repeat(ArrayRef<Real> initial,
       llvm::function_ref<Condition(ArrayRef<Real>)> holds,
       llvm::function_ref<SmallVector<Real>(ArrayRef<Real>)> step) {
  Emitter &e = *initial.front().emitter;
  auto getValues = [](ArrayRef<Real> reals) {
    return llvm::map_to_vector(reals, [](Real real) { return real.value; });
  };
  SmallVector<Value> start = getValues(initial);
  auto build = [&](auto body) {
    return [&e, body](OpBuilder &builder, Location loc, ValueRange values) {
      Emitter inner(builder, loc, e.type);
      SmallVector<Real> reals;
      for (Value value : values)
        reals.emplace_back(inner, value);
      body(inner, ArrayRef<Real>(reals), values);
    };
  };
  auto loop = scf::WhileOp::create(
      e.builder, e.loc, ValueRange(start).getTypes(), start,
      build([&](Emitter &inner, ArrayRef<Real> reals, ValueRange values) {
        scf::ConditionOp::create(inner.builder, inner.loc, holds(reals).value,
                                 values);
      }),
      build([&](Emitter &inner, ArrayRef<Real> reals, ValueRange) {
        scf::YieldOp::create(inner.builder, inner.loc, getValues(step(reals)));
      }));
  SmallVector<Real> results;
  for (Value value : loop.getResults())
    results.emplace_back(e, value);
  return results;
}

static constexpr double circle = 0x1.921fb54442d18p+2;

/// Whether a sum goes on after `count` terms, this the last.
static Condition isWorthMore(Real term, Real sum, Real count) {
  double smallest = std::ldexp(1.0, -term.emitter->precision());
  return (abs(term) > abs(sum) * smallest) & (count < 500.0);
}

/// One of two formulas, the other not computed: each is long, and loops keep
/// compilers from making vectors anyway. They get the values they use anew.
static Real branch(Condition condition, ArrayRef<Real> values,
                   llvm::function_ref<Real(ArrayRef<Real>)> then,
                   llvm::function_ref<Real(ArrayRef<Real>)> otherwise) {
  Emitter &e = *condition.emitter;
  auto build = [&](llvm::function_ref<Real(ArrayRef<Real>)> formula) {
    return [&e, &values, formula](OpBuilder &builder, Location loc) {
      Emitter inner(builder, loc, e.type);
      auto anew = llvm::map_to_vector(
          values, [&](Real real) { return Real(inner, real.value); });
      scf::YieldOp::create(builder, loc, formula(anew).value);
    };
  };
  auto chosen = scf::IfOp::create(e.builder, e.loc, condition.value,
                                  build(then), build(otherwise));
  return {e, chosen.getResult(0)};
}

/// Σ_k A^−k Σ_n c_kn ηⁿ.
static Real evaluateTemme(Real reciprocal, Real eta) {
  ArrayRef<ArrayRef<double>> rows =
      eta.isDouble() ? ArrayRef(temme_f64) : ArrayRef(temme_f32);
  Real sum = evaluate(rows.back(), eta);
  for (ArrayRef<double> row : llvm::reverse(rows.drop_back()))
    sum = fma(sum, reciprocal, evaluate(row, eta));
  return sum;
}

/// x^a·e^−x/Γ(a + 1). For large a it is e^(−aφ) over √(2πa) and the rest of
/// Stirling's formula, φ = μ − log(1 + μ), μ = x/a − 1.
static Real computeFactor(Real a, Real x) {
  return branch(
      a >= 8.0, {a, x},
      [](ArrayRef<Real> values) {
        Real a = values[0], x = values[1];
        Real mu = (x - a) / a;
        Condition central = abs(mu) <= 0.4;
        Real m = select(central, mu, 0.0);
        Real phi =
            select(central, m * m * evaluate(logExcess, m), mu - log(x / a));
        return exp(-(a * phi)) / sqrt(a * circle) * exp(-stirlingRest(1.0 / a));
      },
      [](ArrayRef<Real> values) {
        Real a = values[0], x = values[1];
        // Where e^−x is 0 to the last bit, x^a shall stay finite.
        Real bounded = lesser(x, x.isDouble() ? 4096.0 : 512.0);
        Real root = exp(bounded * -0.5);
        GammaFactors gamma = factorGamma(a + 1.0);
        Real rest = pow(bounded, a) * root * root * exp(-gamma.rest);
        return select(gamma.divides, rest * gamma.product,
                      rest / gamma.product);
      });
}

/// P for x below a, Q for x above: ½ erfc(|η| √(a/2)) and a series on the same
/// scale.
static Real computeUniform(Real a, Real x) {
  Real mu = (x - a) / a;
  Real excess = evaluate(logExcess, mu);
  Real peak = exp(-(a * (mu * mu * excess))) / sqrt(a * circle);
  Real eta = mu * sqrt(excess * 2.0);
  Real correction = peak * evaluateTemme(1.0 / a, eta);
  return fma(erfc(abs(eta) * sqrt(a * 0.5)), 0.5,
             select(mu < 0.0, -correction, correction));
}

/// Q, as x^a·e^−x/Γ(a) over the fraction
/// x + 1 − a − 1(1 − a)/(x + 3 − a − 2(2 − a)/(x + 5 − a − …)): a sum whose
/// terms have quotients ρ (Gautschi, "A computational procedure for incomplete
/// gamma functions", 1979).
static Real computeFraction(Real a, Real x) {
  Real first = x - a + 1.0;
  SmallVector<Real> sum = repeat(
      {a.like(0.0), first, a.like(0.0), a.like(1.0), a.like(1.0)},
      [](ArrayRef<Real> state) {
        return isWorthMore(state[3], state[4], state[0]);
      },
      [&](ArrayRef<Real> state) -> SmallVector<Real> {
        Real innerA(*state[0].emitter, a.value);
        Real n = state[0] + 1.0;
        Real b = state[1] + 2.0;
        Real numerator = n * (n - innerA);
        Real scaled = fma(numerator, state[2], numerator);
        Real rho = scaled / fma(state[1], b, -scaled);
        Real term = state[3] * rho;
        return {n, b, rho, term, state[4] + term};
      });
  return computeFactor(a, x) * (a / first) * sum[4];
}

/// P, by 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + ….
static Real computeSeries(Real a, Real x) {
  SmallVector<Real> sum = repeat(
      {a.like(0.0), a.like(1.0), a.like(1.0)},
      [](ArrayRef<Real> state) {
        return isWorthMore(state[1], state[2], state[0]);
      },
      [&](ArrayRef<Real> state) -> SmallVector<Real> {
        Emitter &inner = *state[0].emitter;
        Real n = state[0] + 1.0;
        Real term =
            state[1] * (Real(inner, x.value) / (Real(inner, a.value) + n));
        return {n, term, state[2] + term};
      });
  return computeFactor(a, x) * sum[2];
}

/// Q, by −x/(1!(a + 1)) + x²/(2!(a + 2)) − … and x^a/Γ(a + 1) − 1, which is
/// exact where a is small.
static Real computeComplement(Real a, Real x) {
  SmallVector<Real> sum = repeat(
      {a.like(0.0), a.like(1.0), a.like(1.0), a.like(0.0)},
      [](ArrayRef<Real> state) {
        return isWorthMore(state[2], state[3], state[0]);
      },
      [&](ArrayRef<Real> state) -> SmallVector<Real> {
        Emitter &inner = *state[0].emitter;
        Real n = state[0] + 1.0;
        Real power = state[1] * (-Real(inner, x.value) / n);
        Real term = power / (Real(inner, a.value) + n);
        return {n, power, term, state[3] + term};
      });
  Real ofPower = expm1(fma(a, log(x), -logGammaOfOneMore(a)));
  return -fma(a * (ofPower + 1.0), sum[3], ofPower);
}

/// P and Q for a and x above 0 and finite.
static Ratios computeRatios(Real a, Real x) {
  Real mu = (x - a) / a;
  Condition uniform = (a >= 20.0) & (abs(mu) <= 0.3);
  Condition complement = (x <= 1.4) & (a <= select(x <= 0.5, -0.4 / log(x),
                                                   lesser(x * 0.75, 0.95)));
  Condition fraction =
      (!uniform) & (x > 1.4) & (x > select(a < 20.0, a + 1.0, a));

  auto of = [](Real (*formula)(Real, Real)) {
    return [=](ArrayRef<Real> values) { return formula(values[0], values[1]); };
  };
  // The conditions as numbers, to be used inside.
  auto mark = [&](Condition condition) {
    return select(condition, a.like(1.0), a.like(0.0));
  };
  Real known = branch(
      uniform, {a, x, mark(fraction), mark(complement)}, of(computeUniform),
      [&](ArrayRef<Real> values) {
        return branch(values[2] > 0.0, values, of(computeFraction),
                      [&](ArrayRef<Real> values) {
                        return branch(values[3] > 0.0, values,
                                      of(computeComplement), of(computeSeries));
                      });
      });
  known = lesser(greater(known, a.like(0.0)), 1.0);
  Condition isLower = select(uniform, mu < 0.0, !(complement | fraction));
  Real other = 1.0 - known;
  return {select(isLower, known, other), select(isLower, other, known)};
}

/// The ratio that `pick` chooses, which is `atZero` at x = 0.
static Real computeRatio(Real a, Real x, Real Ratios::*pick, double atZero) {
  Condition runs =
      (a > 0.0) & (x > 0.0) & (a < a.like(infinity)) & (x < x.like(infinity));
  Real result = computeRatios(select(runs, a, 1.0), select(runs, x, 1.0)).*pick;
  Condition none = ((x == 0.0) & (a > 0.0)) |
                   ((a == infinity) & (x >= 0.0) & (x < infinity));
  Condition all = ((a == 0.0) & (x > 0.0)) |
                  ((x == infinity) & (a >= 0.0) & (a < infinity));
  Real limit = select(none, a.like(atZero),
                      select(all, a.like(1.0 - atZero), a.like(notANumber)));
  return select(runs, result, limit);
}

Real mlir::wax::formula::igamma(Real a, Real x) {
  return computeRatio(a, x, &Ratios::lower, 0.0);
}

Real mlir::wax::formula::igammac(Real a, Real x) {
  return computeRatio(a, x, &Ratios::upper, 1.0);
}
