//===- Remainder.cpp - remf -----------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C's fmod, exact. With integers m and n of the format's bits, x = m·2^a and
// y = n·2^b: what is asked for is (m·2^(a−b) mod n)·2^b, and the power of two
// modulo n comes by squaring, one step for each bit of a − b: twelve in f64,
// nine in f32. Residues are kept within n/2 of 0, so that products of two,
// taken as double words, and their quotients by n fit the format.
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {

/// A number as an integer with all bits of the format, times 2^exponent.
struct Whole {
  Real integer;
  Integer exponent;
};

/// Of the magnitude of a finite number other than 0.
Whole getWhole(Real x) {
  Emitter &e = *x.emitter;
  double up = std::ldexp(1.0, e.precision());
  Real magnitude = abs(x);
  Condition tiny = magnitude < std::ldexp(1.0, e.minExponent());
  Integer word = bits(select(tiny, magnitude * up, magnitude));
  int64_t stored = (int64_t(1) << e.storedBits()) - 1;
  int64_t whole = int64_t(e.bias() + e.storedBits()) << e.storedBits();
  Integer exponent =
      shiftLogical(word, e.storedBits()) - (e.bias() + e.storedBits());
  return {fromBits((word & stored) | whole),
          select(tiny, exponent - e.precision(), exponent)};
}

/// Residues modulo n, in [−n/2, n/2].
struct Modulus {
  Real n, inverse, half;

  Real fold(Real x) const {
    x = select(x > half, x - n, x);
    return select(x < -half, x + n, x);
  }
  Real multiply(Real x, Real y) const {
    DoubleWord p = twoProduct(x, y);
    Real quotient = nearest(p.hi * inverse);
    return fold(fma(-quotient, n, p.hi) + p.lo);
  }
};

Real remainder(Real x, Real y) {
  Emitter &e = *x.emitter;
  Whole dividend = getWhole(x), divisor = getWhole(y);
  Real n = divisor.integer;
  Modulus modulus{n, 1.0 / n, n * 0.5};

  // The dividend's integer is below 2n.
  Real rest = modulus.fold(modulus.fold(dividend.integer));
  Integer shift = dividend.exponent - divisor.exponent;
  Real power = x.like(1.0);
  for (int bit = e.isDouble() ? 11 : 8; bit >= 0; --bit) {
    Condition set = (shift & (int64_t(1) << bit)) != 0;
    power = select(set, modulus.fold(power + power), power);
    if (bit > 0)
      power = modulus.multiply(power, power);
  }
  rest = modulus.multiply(rest, power);
  rest = select(rest < 0.0, rest + n, rest);

  Real result = scale(rest, divisor.exponent);
  result = select(abs(x) < abs(y), abs(x), result);
  result = select((y == 0.0) | !isFinite(x) | isNaN(y), NotANumber, result);
  return copySign(result, x);
}

} // namespace

void mlir::wax::formula::addRemainder(Formulas &formulas) {
  formulas.add<arith::RemFOp>(remainder);
}
