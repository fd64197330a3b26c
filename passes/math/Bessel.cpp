//===- Bessel.cpp - i0e and i1e -------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Up to 8 I(x) is a polynomial in x²/4, a sum of positive terms; beyond, the
// scaled function is a polynomial in 8/x over √x.
//
//===----------------------------------------------------------------------===//

#include "Elementary.h"
#include "Special.h"
#include "SpecialCoefficients.h"

using namespace mlir;
using namespace mlir::wax::formula;

namespace {
/// I(x)/xⁿ near 0, and √x·e⁻ˣ·I(x) in the two intervals beyond.
struct Pieces {
  const Polynomial &near, &middle, &far;
};
} // namespace

/// e⁻ˣ·I(x) for x = `size` ≥ 0, with `factor` near 0.
static Real scaledBessel(Real size, Real factor, const Pieces &pieces) {
  Condition near = size < 8.0;
  Real x = select(near, size, 0.0);
  Real nearby = exp(-x) * factor * evaluate(pieces.near, x * x * 0.25);
  Real v = 8.0 / size;
  Real beyond = select(v > 0.25, evaluate(pieces.middle, v - 0.625),
                       evaluate(pieces.far, v));
  return select(near, nearby, beyond / sqrt(size));
}

Real mlir::wax::formula::i0e(Real x) {
  Pieces pieces{bessel0Near, bessel0Middle, bessel0Far};
  return scaledBessel(abs(x), x.like(1.0), pieces);
}

Real mlir::wax::formula::i1e(Real x) {
  Pieces pieces{bessel1Near, bessel1Middle, bessel1Far};
  Real size = abs(x);
  return copySign(scaledBessel(size, size, pieces), x);
}
