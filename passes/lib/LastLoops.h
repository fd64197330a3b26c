//===- LastLoops.h - Loops over few elements --------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where few elements are all that a program has left for IREE, these take less
// time one by one than IREE takes to be loaded.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_LASTLOOPS_H
#define WAX_PASSES_LIB_LASTLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// All loops outside of dispatches that IREE would make code of, as such.
SmallVector<linalg::GenericOp> findLast(ModuleOp module,
                                        RewriterBase &rewriter);

/// The loops with the maps that they alone read, as far as these can be taken
/// into them, which are left unread then.
linalg::GenericOp fuseMaps(linalg::GenericOp op, RewriterBase &rewriter);

/// What loops of known sizes make, one element after the other in a dispatch;
/// nothing if it is not known how, or they are not few.
std::optional<SmallVector<Value>> emitElements(linalg::GenericOp op,
                                               RewriterBase &rewriter);

/// A slice whose elements lie apart, copied by a dispatch; null if it is not
/// known how.
Value copySlice(tensor::ExtractSliceOp slice, RewriterBase &rewriter);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_LASTLOOPS_H
