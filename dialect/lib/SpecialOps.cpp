//===- SpecialOps.cpp - Special functions of scalars
//-----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants fold only where the value is exact. Everything else is left to the
// one place that computes these functions, so that a program gives the same
// numbers whether an operand is known to the compiler or not.
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

using namespace mlir;
using namespace mlir::wax;

/// A constant operand; null if it is not known.
static FloatAttr getKnown(Attribute operand) {
  return dyn_cast_or_null<FloatAttr>(operand);
}

/// `value`, exact in every float type, as a constant of `like`'s type.
static FloatAttr makeExact(FloatAttr like, double value) {
  return FloatAttr::get(like.getType(), value);
}

static FloatAttr makeInfinity(FloatAttr like, bool negative) {
  return FloatAttr::get(
      like.getType(),
      APFloat::getInf(like.getValue().getSemantics(), negative));
}

LogicalResult PolygammaOp::verify() {
  int64_t order = getOrder();
  if (order < 0 || order > maxOrder)
    return emitOpError("[polygamma_c1] the order ")
           << order << " does not lie from 0 to " << maxOrder;
  return success();
}

OpFoldResult LgammaOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN())
    return x;
  if (x.getValue().isInfinity() || x.getValue().isZero())
    return makeInfinity(x, /*negative=*/false);
  if (x.getValue().isExactlyValue(1.0) || x.getValue().isExactlyValue(2.0))
    return makeExact(x, 0.0);
  return {};
}

OpFoldResult PolygammaOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN())
    return x;
  bool isEven = getOrder() % 2 == 0;
  if (x.getValue().isZero())
    return makeInfinity(x, isEven && !x.getValue().isNegative());
  return {};
}

OpFoldResult ErfInvOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN() || x.getValue().isZero())
    return x;
  if (abs(x.getValue()).isExactlyValue(1.0))
    return makeInfinity(x, x.getValue().isNegative());
  return {};
}

OpFoldResult ErfcInvOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN())
    return x;
  if (x.getValue().isZero() || x.getValue().isExactlyValue(2.0))
    return makeInfinity(x, !x.getValue().isZero());
  if (x.getValue().isExactlyValue(1.0))
    return makeExact(x, 0.0);
  return {};
}

/// `atZero` for a positive finite `a` and `x = 0`.
static OpFoldResult foldIncompleteGamma(Attribute first, Attribute second,
                                        double atZero) {
  FloatAttr a = getKnown(first), x = getKnown(second);
  if (!a || !x)
    return {};
  bool isPositive =
      a.getValue().isFiniteNonZero() && !a.getValue().isNegative();
  return isPositive && x.getValue().isZero() ? makeExact(x, atZero)
                                             : OpFoldResult();
}

OpFoldResult IgammaOp::fold(FoldAdaptor operands) {
  return foldIncompleteGamma(operands.getA(), operands.getX(), 0.0);
}

OpFoldResult IgammacOp::fold(FoldAdaptor operands) {
  return foldIncompleteGamma(operands.getA(), operands.getX(), 1.0);
}

OpFoldResult I0eOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN())
    return x;
  if (x.getValue().isZero() || x.getValue().isInfinity())
    return makeExact(x, x.getValue().isZero() ? 1.0 : 0.0);
  return {};
}

OpFoldResult I1eOp::fold(FoldAdaptor operands) {
  FloatAttr x = getKnown(operands.getX());
  if (!x || x.getValue().isNaN() || x.getValue().isZero())
    return x;
  if (x.getValue().isInfinity())
    return makeExact(x, x.getValue().isNegative() ? -0.0 : 0.0);
  return {};
}
