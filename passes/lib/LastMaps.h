//===- LastMaps.h - What is left for IREE, as maps --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LASTMAPS_H
#define WAX_PASSES_LASTMAPS_H

#include "wax/Passes/Processor.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// What a program has left for IREE to make loops of, as maps: transpositions
/// and, for processors that machine code is made for, maps. Then it need not be
/// asked for any: a program that is ours all through is compiled in a third of
/// the time, and a small one in a tenth.
/// `isForUs` tells of transpositions and maps whether vectors do them.
SmallVector<linalg::GenericOp>
takeLast(ModuleOp module, Processor processor, RewriterBase &rewriter,
         llvm::function_ref<bool(linalg::LinalgOp)> isForUs);

} // namespace mlir::wax

#endif // WAX_PASSES_LASTMAPS_H
