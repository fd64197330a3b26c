//===- Complex.h - Complex numbers as pairs of real ones --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_COMPLEX_H
#define WAX_PASSES_MATH_COMPLEX_H

#include "Scalars.h"

namespace mlir::wax::formula {

struct Complex {
  Real re, im;
};

inline Complex select(Condition condition, Complex then, Complex otherwise) {
  return {select(condition, then.re, otherwise.re),
          select(condition, then.im, otherwise.im)};
}

/// i·z and −i·z, which are exact.
inline Complex timesI(Complex z) { return {-z.im, z.re}; }
inline Complex timesMinusI(Complex z) { return {z.im, -z.re}; }

// Arithmetic (ComplexArithmetic.cpp).

/// |z|, which overflows only where the result does.
Real modulus(Complex z);
/// log |z|, given |z|² − 1, of which account is taken where it is small.
Real logModulus(Complex z, Real excess);
/// z/|z|; a zero is left alone.
Complex direction(Complex z);
Complex multiply(Complex z, Complex w);
Complex divide(Complex z, Complex w);
Complex squareRoot(Complex z);
Complex integerPower(Complex z, Value exponent);

// Functions (ComplexFunctions.cpp).

Complex exponential(Complex z);
Complex exponentialMinusOne(Complex z);
Complex logarithm(Complex z);
Complex logarithmOfOneMore(Complex z);
Complex power(Complex z, Complex w);
Complex hyperbolicSine(Complex z);
Complex hyperbolicCosine(Complex z);
Complex hyperbolicTangent(Complex z);

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_COMPLEX_H
