//===- LoopBuilder.h - Loops and their indices ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_LOOPBUILDER_H
#define WAX_PASSES_LOWERING_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::wax {

/// Emits indices and loops by one builder, which goes along into their bodies.
class LoopBuilder {
protected:
  using Values = SmallVector<Value>;

  explicit LoopBuilder(ImplicitLocOpBuilder &builder) : builder(builder) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  template <typename Op> Value compute(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(lhs, rhs);
  }
  Value add(Value lhs, Value rhs) { return compute<arith::AddIOp>(lhs, rhs); }
  Value add(Value lhs, int64_t rhs) { return add(lhs, constant(rhs)); }
  Value subtract(Value lhs, Value rhs) {
    return compute<arith::SubIOp>(lhs, rhs);
  }
  Value multiply(Value lhs, Value rhs) {
    return compute<arith::MulIOp>(lhs, rhs);
  }
  Value multiply(Value lhs, int64_t rhs) {
    return multiply(lhs, constant(rhs));
  }
  /// The number of pieces of `length` that `size` takes.
  Value divideUp(Value size, Value length) {
    return compute<arith::CeilDivUIOp>(size, length);
  }

  /// A loop whose body uses this builder.
  Values loop(Value from, Value to, int64_t step, ValueRange carried,
              llvm::function_ref<Values(Value, ValueRange)> body);
  /// What `emit` makes with this builder where another one stands.
  Values emitAt(OpBuilder &other, llvm::function_ref<Values()> emit);

  ImplicitLocOpBuilder &builder;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_LOOPBUILDER_H
