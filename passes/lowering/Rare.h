//===- Rare.h - Branches that are seldom taken ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What few numbers need, and much is to be computed for, as the remainder of a
// great angle, is an `scf.if` with the attribute `rare`: its results are given
// without it, but for those few. Vectors take it where one of their lanes does;
// elsewhere it is straight code again, of which others make vectors.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_RARE_H
#define WAX_PASSES_LOWERING_RARE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {

/// What `compute` emits where `condition` holds, and `usual` elsewhere.
scf::IfOp createRare(OpBuilder &builder, Location loc, Value condition,
                     ValueRange usual,
                     llvm::function_ref<SmallVector<Value>()> compute);

/// The branch, if it is one that is seldom taken.
scf::IfOp getRare(Operation *op);

/// Whether one of the block's operations is such a branch.
bool hasRare(Block &block);

/// Makes the branch one like others.
void forgetRare(scf::IfOp branch);

/// Computes both sides of the branch, and selects.
void inlineRare(RewriterBase &rewriter, scf::IfOp branch);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_RARE_H
