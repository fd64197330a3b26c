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

/// A number on the unit circle.
struct Root {
  long double re, im;
};

/// `exp(2πi · numerator / n)`, exact to the last bit of a double: the angle is
/// reduced in integers to an eighth of the circle. `numerator` may be negative.
Root getRoot(int64_t numerator, int64_t n);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFTPLAN_H
