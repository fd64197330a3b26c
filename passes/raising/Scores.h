//===- Scores.h - How well queries match keys, recognised -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_SCORES_H
#define WAX_PASSES_RAISING_SCORES_H

#include "Elements.h"

namespace mlir::wax {

/// Keys are seen up to the index of a dim of the result, and an offset.
struct Causal {
  int64_t dim, offset;
};

/// The scores of attention: the operands as tensors, of which mask and bias may
/// be null, and what is done with them.
struct Scores {
  Element query, key, mask, bias;
  SmallVector<int64_t> width;
  double scale = 1;
  std::optional<double> fill;
  std::optional<Causal> causal;
};

/// Reads a resolved element as a score of the key at index `key`. Indices below
/// `rank` are those of the result.
std::optional<Scores> readScores(Reader &reader, const Element &element,
                                 int64_t key, int64_t rank);

/// Reads a resolved element as a score that is negative infinity for keys which
/// are not seen, whatever it is for others.
std::optional<Causal> readHidden(Reader &reader, const Element &element,
                                 int64_t key, int64_t rank);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_SCORES_H
