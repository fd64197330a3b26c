//===- MapSquares.h - Maps that read across rows ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_MAPSQUARES_H
#define WAX_PASSES_LIB_MAPSQUARES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {

/// A map whose last loop goes along its result's last dim, and across what it
/// reads in another order.
struct SquareMap {
  linalg::GenericOp op;
  /// The loop along the last dim of what is read across.
  unsigned across;
  /// The rows, and the columns, of a square.
  int64_t side;

  /// Nothing where nothing is read across, or squares cannot.
  static std::optional<SquareMap> of(linalg::GenericOp op);

  unsigned getLast() { return op.getNumLoops() - 1; }
  /// Whether squares are made of an operand, number `operand`.
  bool isAcross(unsigned operand);
};

/// One dispatch that makes the result of a map.
Value emitSquares(RewriterBase &rewriter, SquareMap map);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_MAPSQUARES_H
