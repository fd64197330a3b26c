//===- ScalarTable.h - The linear map that a derivative is ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_SCALARTABLE_H
#define WAX_PASSES_DIFFERENTIATION_SCALARTABLE_H

#include "mlir/IR/Builders.h"

#include <functional>

namespace mlir::wax {

/// The derivative of a scalar operation by an operand.
class Derivative {
public:
  using Map = std::function<Value(OpBuilder &, Location, Value)>;

  /// No map at all: the operation is not differentiable by the operand.
  static Derivative none() { return {Kind::None, {}, {}}; }
  static Derivative zero() { return {Kind::Zero, {}, {}}; }
  static Derivative map(Map apply, Map transpose) {
    return {Kind::Map, std::move(apply), std::move(transpose)};
  }
  /// A map that is its own transpose.
  static Derivative symmetric(Map apply) { return map(apply, apply); }

  bool isNone() const { return kind == Kind::None; }
  bool isZero() const { return kind == Kind::Zero; }

  /// The tangent of the result.
  Value apply(OpBuilder &builder, Location loc, Value tangent) const {
    return forward(builder, loc, tangent);
  }
  /// The cotangent of the operand.
  Value transpose(OpBuilder &builder, Location loc, Value cotangent) const {
    return backward(builder, loc, cotangent);
  }

private:
  enum class Kind { None, Zero, Map };
  Derivative(Kind kind, Map forward, Map backward)
      : kind(kind), forward(std::move(forward)), backward(std::move(backward)) {
  }

  Kind kind;
  Map forward, backward;
};

/// The derivative of `op`, which stands where the builder builds, by operand
/// `i`. What the map reads is emitted by the map.
Derivative getDerivative(Operation *op, unsigned i);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_SCALARTABLE_H
