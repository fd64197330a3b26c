//===- ErrorInverse.cpp - erf_inv and erfc_inv ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quotient erf_inv(x)/x is a smooth function of w = −log(1 − x²): of w
// itself in the center, of √w outside (Giles, "Approximating the erfinv
// function", 2010). Since 1 − x² is (1 − x)(1 + x), which is y·(2 − y) for
// y = 1 − x, the same polynomials serve erfc_inv down to the least number.
//
//===----------------------------------------------------------------------===//

#include "Elementary.h"
#include "Special.h"
#include "SpecialCoefficients.h"

using namespace mlir;
using namespace mlir::wax::formula;

/// The quotient at w up to 39, or to as far as there are numbers.
static Real quotient(Real w, bool isFar) {
  Real s = sqrt(w);
  Real result = select(w <= 6.25, evaluate(erfInvCenter, w - 3.125),
                       evaluate(erfInvNear, s - 3.25));
  if (w.isDouble() || isFar)
    result = select(s > 4.0, evaluate(erfInvMiddle, s - 5.125), result);
  if (isFar)
    result = select(s > 6.25, evaluate(erfInvFar, s - 9.0), result);
  if (isFar && w.isDouble())
    result = select(s > 13.0, evaluate(erfInvFarthest, s - 20.0), result);
  return result;
}

Real mlir::wax::formula::erfInv(Real x) {
  Real w = -log((1.0 - x) * (x + 1.0));
  Real result = x * quotient(w, /*isFar=*/false);
  return select(abs(x) == 1.0, x * infinity, result);
}

Real mlir::wax::formula::erfcInv(Real x) {
  Real w = -log(x * (2.0 - x));
  Real result = (1.0 - x) * quotient(w, /*isFar=*/true);
  result = select(x == 0.0, infinity, result);
  return select(x == 2.0, -infinity, result);
}
