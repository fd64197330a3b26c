//===- SortDigits.h - Numbers sorted digit by digit -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a comparator is the order of numbers, none have to be compared: they
// are put in the order of their last eight bits, then of those before, and so
// on, stably (H. H. Seward, 1954). It is known by what it computes: of integers
// `<` or `>`, of floating-point numbers the order in which NaN is the greatest
// and zeros are equal.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_SORTDIGITS_H
#define WAX_PASSES_LOWERING_SORTDIGITS_H

#include "SortLoops.h"

namespace mlir::wax {

/// The order of numbers, by which a sort goes.
struct NumberOrder {
  /// The operand that has the numbers.
  unsigned operand;
  bool isSigned, isDescending;
};

/// The order of numbers that the comparator is, if it is one.
std::optional<NumberOrder> getNumberOrder(SortOp sort);

/// Rows shorter than this are sorted sooner by comparing.
int64_t getShortestByDigits(SortOp sort, NumberOrder order);

/// Sorts row `row` of the inputs into the first half of row `local` of
/// `outputs`.
SmallVector<Value> sortByDigits(SortLoops &loops, NumberOrder order, Value row,
                                Value local, ValueRange outputs);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_SORTDIGITS_H
