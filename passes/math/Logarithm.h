//===- Logarithm.h - What functions of log share ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_LOGARITHM_H
#define WAX_PASSES_MATH_LOGARITHM_H

#include "DoubleWord.h"

namespace mlir::wax::formula {

/// log x as k·ln 2 + fraction, with a few bits to spare.
struct Logarithm {
  DoubleWord fraction;
  Integer k;
};

/// Of x + low, for a finite x > 0 and |low| at most the last bit of x.
Logarithm logarithm(Real x, std::optional<Real> low = std::nullopt);

/// k·ln 2 + fraction.
Real assemble(Logarithm logarithm);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_LOGARITHM_H
