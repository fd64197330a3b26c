//===- Elementary.h - Elementary functions, by their operations -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas that need an elementary function say `log(x)` and emit the operation
// of `math`, whole. `wax-expand-math` comes after them where the target has no
// good one of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MATH_ELEMENTARY_H
#define WAX_PASSES_MATH_ELEMENTARY_H

#include "Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

namespace mlir::wax::formula {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

#define WAX_ELEMENTARY(name, OpTy)                                             \
  inline Real name(Real x) {                                                   \
    return {*x.emitter, x.emitter->make<math::OpTy>(x.value)};                 \
  }
WAX_ELEMENTARY(exp, ExpOp)
WAX_ELEMENTARY(expm1, ExpM1Op)
WAX_ELEMENTARY(log, LogOp)
WAX_ELEMENTARY(log1p, Log1pOp)
WAX_ELEMENTARY(sin, SinOp)
WAX_ELEMENTARY(cos, CosOp)
WAX_ELEMENTARY(erfc, ErfcOp)
#undef WAX_ELEMENTARY

inline Real atan2(Real y, Real x) {
  return {*x.emitter, x.emitter->make<math::Atan2Op>(y.value, x.value)};
}
inline Real pow(Real x, Real y) {
  return {*x.emitter, x.emitter->make<math::PowFOp>(x.value, y.value)};
}

inline Condition isInfinite(Real x) { return abs(x) == infinity; }

} // namespace mlir::wax::formula

#endif // WAX_PASSES_MATH_ELEMENTARY_H
