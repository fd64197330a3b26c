//===- Box.h - Boxes in tensors, and reads through them ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_BOX_H
#define WAX_PASSES_LOWERING_BOX_H

#include "Lowering.h"

namespace mlir::wax {

/// `max(0, min(offset, size - span))`, the start that keeps a box of
/// `boxSize` elements inside of a dim of `size`. A static offset fits as it is.
OpFoldResult clampOffset(OpBuilder &builder, Location loc, OpFoldResult offset,
                         OpFoldResult boxSize, int64_t stride,
                         OpFoldResult size);

/// The element of `tensor` at `position`, in the body of a loop. What is a box
/// of another tensor is read there: IREE 3.13 fails on elements of a strided
/// view, and has no need to make one.
Value extractElement(OpBuilder &builder, Location loc, Value tensor,
                     ValueRange position);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_BOX_H
