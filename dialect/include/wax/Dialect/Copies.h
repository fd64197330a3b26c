//===- Copies.h - What broadcasts only copy ---------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_COPIES_H
#define WAX_DIALECT_COPIES_H

#include "mlir/IR/PatternMatch.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {

/// Has a broadcast read an operand of a broadcast that only copies it. Dims
/// that are made up there become free, unless other operands have them: then
/// `isSizeOf` must know that their sizes agree, as nothing compares them any
/// more. Null if there is nothing to read through.
BroadcastOp readThroughCopy(
    BroadcastOp op, RewriterBase &rewriter,
    llvm::function_ref<bool(OpFoldResult size, Value tensor, int64_t dim)>
        isSizeOf);

} // namespace mlir::wax

#endif // WAX_DIALECT_COPIES_H
