//===- Special.h - Formulas of the special functions ------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_SPECIAL_H
#define WAX_PASSES_MATH_SPECIAL_H

#include "Scalars.h"

namespace mlir::wax::formula {

Real lgamma(Real x);
Real polygamma(int64_t order, Real x);
Real erfInv(Real x);
Real erfcInv(Real x);
Real igamma(Real a, Real x);
Real igammac(Real a, Real x);
Real i0e(Real x);
Real i1e(Real x);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_SPECIAL_H
