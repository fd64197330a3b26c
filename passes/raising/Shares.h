//===- Shares.h - What each key has of a query, recognised ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_SHARES_H
#define WAX_PASSES_RAISING_SHARES_H

#include "Scores.h"

namespace mlir::wax {

/// `exp(s − max s)`, of the scores of one query.
struct Share {
  Element score;
  /// The fold that finds the largest score.
  Operation *maximum;
  /// Whether that counts as 0 where it is infinite.
  bool isGuarded;
};

/// Reads a resolved element as the share of the key at `indices`, which count
/// up to `sizes`.
std::optional<Share> readShare(Reader &reader, const Element &element,
                               ArrayRef<int64_t> indices,
                               ArrayRef<int64_t> sizes);

/// The sum of a query's shares.
struct Total {
  /// The fold that sums them up, and what it sums up at the share's indices.
  Operation *sum;
  Element term;
  /// Whether 0 counts as 1.
  bool isGuarded;
};

/// Reads a resolved element as the sum of all such shares.
std::optional<Total> readTotal(Reader &reader, const Element &element,
                               const Element &share, ArrayRef<int64_t> indices,
                               ArrayRef<int64_t> sizes);

/// Values, mixed by shares that are 0 for keys which a query does not see.
struct CausalMix {
  /// Of the queries' dim of the result.
  Causal causal;
  /// The folds over keys that it is made of, and where they are written down,
  /// the shares.
  SmallVector<Operation *> folds;
  Value shares;
  /// The tensor of the values.
  Value values;
};

/// Reads a sum of products.
std::optional<CausalMix> readCausalMix(Reader &reader, Value mixed);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_SHARES_H
