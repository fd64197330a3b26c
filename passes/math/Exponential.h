//===- Exponential.h - What functions of eˣ share ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_EXPONENTIAL_H
#define WAX_PASSES_MATH_EXPONENTIAL_H

#include "Scalars.h"

namespace mlir::wax::formula {

/// eˣ as 2^k·(1 + fraction), −0.3 < fraction < 0.42. Where eˣ underflows or
/// overflows, whatever k and fraction give that; NaN gives a NaN fraction.
struct Exponential {
  Real fraction;
  Integer k;
};

/// e^(x + low) for |low| at most the last bit of x.
Exponential exponential(Real x, std::optional<Real> low = std::nullopt);

/// 2^k·(1 + fraction).
Real assemble(Exponential e);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_EXPONENTIAL_H
