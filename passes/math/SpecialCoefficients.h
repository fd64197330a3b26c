//===- SpecialCoefficients.h - Polynomials of special functions -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each is, and on what interval, stands in
// scripts/special_coefficients.py.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_SPECIALCOEFFICIENTS_H
#define WAX_PASSES_MATH_SPECIALCOEFFICIENTS_H

#include "DoubleWord.h"
#include "Scalars.h"

namespace mlir::wax::formula {
#include "SpecialCoefficients.inc"
} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_SPECIALCOEFFICIENTS_H
