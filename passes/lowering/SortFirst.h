//===- SortFirst.h - The first elements of what is sorted -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where only the first few elements of sorted rows are read, as of the greatest
// ones, no row is sorted: each of its elements is compared with the last of the
// first ones so far, before which few go.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_SORTFIRST_H
#define WAX_PASSES_LOWERING_SORTFIRST_H

#include "SortLoops.h"

namespace mlir::wax {

/// How many elements along its dim are read of a sort's results, if these are
/// so few that it is not to be sorted.
std::optional<int64_t> getFirstCount(SortOp sort);

/// The operands that count along the sort's dim: no loop has to read them.
SmallVector<bool> getCounters(SortOp sort);

/// Writes the first `count` elements of row `row` of the inputs into row
/// `local` of `outputs`, which have no more along.
SmallVector<Value> sortFirst(SortLoops &loops, int64_t count,
                             ArrayRef<bool> areCounters, Value row, Value local,
                             ValueRange outputs);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_SORTFIRST_H
