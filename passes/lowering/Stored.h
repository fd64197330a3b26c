//===- Stored.h - Elements as memory holds them -----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops write to is memory of bytes: IREE 3.13 cannot insert an i1.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_STORED_H
#define WAX_PASSES_LOWERING_STORED_H

#include "mlir/IR/Builders.h"

namespace mlir::wax {

/// The type that IREE's memory holds elements of `element` in.
Type getStoredType(Type element);

/// A scalar, a vector or a tensor, of elements or of what memory holds for
/// them, as one of `element`, which is the other or the same.
Value convertStored(OpBuilder &builder, Location loc, Value value,
                    Type element);

using ElementBody =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange scalars)>;

/// A `linalg.generic` that makes a tensor of `element` of each element of
/// `tensor`; `scalars` are that and what the result held.
Value createElementwise(OpBuilder &builder, Location loc, Value tensor,
                        Type element, ElementBody body);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_STORED_H
