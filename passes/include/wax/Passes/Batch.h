//===- Batch.h - Functions over batches -----------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BATCH_H
#define WAX_PASSES_BATCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::wax {

/// How a function is batched. A batched value has one more dim, in front.
struct Batching {
  /// The arguments that are batched, in increasing order.
  SmallVector<unsigned> arguments;
  /// The results that are to be batched even where they are the same for the
  /// whole batch.
  SmallVector<unsigned> results;
  /// The results that are summed up over the batch, and are then not batched.
  SmallVector<unsigned> sums;
  /// The size of the batch, or that it is dynamic: that of the arguments.
  int64_t size;
  /// What collectives call the batch, if anything.
  StringRef axis;
};

/// The symbol of a batched function that is called in the place of one whose
/// calls stay calls, and whose results are then all batched; null after an
/// error. The bits are those of the operands that are batched.
using BatchedCallees =
    function_ref<StringAttr(func::CallOp, const llvm::SmallBitVector &)>;

/// A function that does for a batch what another does for one.
struct BatchedFunction {
  OwningOpRef<func::FuncOp> function;
  /// Which results are batched: those that depend on what is batched, and those
  /// that the spec names.
  llvm::SmallBitVector results;
};

/// Makes of a function one over batches: `(x…) → (y…)` for each row, of batched
/// arguments, and of others that are the same for all rows. No loop is made for
/// the batch, and what does not depend on it is computed once.
FailureOr<BatchedFunction> batch(func::FuncOp function, const Batching &spec,
                                 BatchedCallees callees = {});

} // namespace mlir::wax

#endif // WAX_PASSES_BATCH_H
