//===- Gamma.h - What functions of the gamma family share -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_GAMMA_H
#define WAX_PASSES_MATH_GAMMA_H

#include "Scalars.h"

namespace mlir::wax::formula {

/// |Γ(x)| as product·exp(rest), or as exp(rest)/product.
struct GammaFactors {
  Real product;
  Condition divides;
  Real rest;
};

/// For −½ < x < 9. The rest is 0 at 1 and 2, and exact near them.
GammaFactors factorGamma(Real x);

/// log Γ(1 + a) for 0 ≤ a < 1, exact relative to itself near 0.
Real logGammaOfOneMore(Real a);

/// log Γ(x) − (x − ½) log x + x − ½ log 2π for x ≥ 8, given 1/x.
Real stirlingRest(Real reciprocal);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_GAMMA_H
