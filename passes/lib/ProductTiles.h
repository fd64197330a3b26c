//===- ProductTiles.h - The loops of a product of matrices ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTTILES_H
#define WAX_PASSES_LIB_PRODUCTTILES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {

/// A sum of products over three loops, and over others that are gone through
/// around them, or have one turn.
struct Product {
  linalg::GenericOp op;
  /// The number of the factor that has rows; the other one has columns.
  unsigned rowFactor;
  /// The loops of rows, of columns, which the result has as its last dim, and
  /// of what is summed up. The other factor's last dim is one of the latter
  /// two.
  unsigned row, column, summed;
  SmallVector<unsigned> others;
};

/// What sums are made of, and what they are multiplied in.
Type getProductSumType(Product product);
Type getProductType(Product product);

/// How many columns a tile of the result has.
int64_t getProductLanes(Product product);

/// The result of a product, computed in one dispatch, which may be preceded by
/// one that rearranges a factor.
Value emitTiles(RewriterBase &rewriter, Product product);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTTILES_H
