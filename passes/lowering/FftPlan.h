//===- FftPlan.h - How a transform is put together --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_FFTPLAN_H
#define WAX_PASSES_LOWERING_FFTPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::wax {

/// Factors of `n` of 2 to 31, the largest first, whose small transforms make
/// that of `n` with the least work; none where a prime factor is larger. No
/// factors for 1.
std::optional<llvm::SmallVector<int64_t>> getRadices(int64_t n);

/// A length of at least `least` that has radices, for a convolution.
int64_t getConvolutionLength(int64_t least);

/// The product of numbers.
int64_t getProduct(llvm::ArrayRef<int64_t> factors);

/// Merges neighbouring radices into as few groups as possible whose products
/// stay within `most`, where the radices themselves do.
llvm::SmallVector<int64_t> groupRadices(llvm::ArrayRef<int64_t> radices,
                                        int64_t most);

/// How a row is transformed by vectors of its columns: as a matrix, down its
/// columns, then across its rows. A short row may be one column.
struct RowPlan {
  /// Where what stands between both sides is.
  enum class Between {
    /// Where the result comes to, since both sides are multiples of a vector.
    InResult,
    /// On the dispatch's stack, since it is small.
    OnStack,
    /// In memory that a workgroup has for one row.
    InWorkspace,
  };

  /// The radices of both, in the order of their steps.
  llvm::SmallVector<int64_t> down, across;
  Between between = Between::InResult;

  bool isInPlace() const { return between == Between::InResult; }
  int64_t getRows() const { return getProduct(down); }
  int64_t getColumns() const { return getProduct(across); }
  int64_t getLength() const { return getRows() * getColumns(); }
};

/// The best plan for rows of `n` numbers of `bytes` each and vectors of `lanes`
/// of them; none where a prime factor is large, or a side shorter than a vector
/// or too long for a dispatch's stack.
std::optional<RowPlan> planRow(int64_t n, int64_t lanes, int64_t bytes);

/// The plan for a row of its own in each lane, as one column; none where it is
/// too long for what a dispatch's stack has.
std::optional<RowPlan> planShortRow(int64_t n, int64_t lanes, int64_t bytes);

/// The same for a dim that others follow, along which vectors need not be: a
/// short transform is one column.
std::optional<RowPlan> planColumn(int64_t n);

/// The best length of at least `least` that has such a plan.
std::optional<int64_t> getConvolutionLength(int64_t least, int64_t lanes,
                                            int64_t bytes);

/// A number on the unit circle.
struct Root {
  long double re, im;
};

/// `exp(2πi · numerator / n)`, exact to the last bit of a double: the angle is
/// reduced in integers to an eighth of the circle. `numerator` may be negative.
Root getRoot(int64_t numerator, int64_t n);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFTPLAN_H
