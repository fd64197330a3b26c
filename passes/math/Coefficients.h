//===- Coefficients.h - Polynomials and constants ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each is, and on what interval, stands in scripts/minimax.py.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_COEFFICIENTS_H
#define WAX_PASSES_MATH_COEFFICIENTS_H

#include "DoubleWord.h"
#include "Scalars.h"

namespace mlir::wax::formula {
#include "Coefficients.inc"
} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_COEFFICIENTS_H
