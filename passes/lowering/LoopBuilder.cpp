//===- LoopBuilder.cpp - Loops and their indices --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"

#include "Dispatch.h"

using namespace mlir;
using namespace mlir::wax;

SmallVector<Value> LoopBuilder::emitAt(OpBuilder &other,
                                       llvm::function_ref<Values()> emit) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(other.saveInsertionPoint());
  Values made = emit();
  other.restoreInsertionPoint(builder.saveInsertionPoint());
  return made;
}

SmallVector<Value>
LoopBuilder::loop(Value from, Value to, int64_t step, ValueRange carried,
                  llvm::function_ref<Values(Value, ValueRange)> body) {
  return emitLoop(
      builder, builder.getLoc(), from, to, constant(step), carried,
      [&](OpBuilder &inside, Location, Value index, ValueRange values) {
        return emitAt(inside, [&] { return body(index, values); });
      });
}
