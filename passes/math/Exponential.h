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

/// eˣ as 2^k·(1 + fraction), −0.3 < fraction < 0.42. Far beyond where eˣ
/// underflows and overflows both are unspecified; NaN gives a NaN fraction.
struct Exponential {
  Real fraction;
  Integer k;
};

/// e^(x + low) for |low| below the last bit of x.
Exponential exponential(Real x, std::optional<Real> low = std::nullopt);

/// 2^k·(1 + fraction), the exponential of about x, 0 and infinity included.
Real assemble(Exponential e, Real x);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_EXPONENTIAL_H
