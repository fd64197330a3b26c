//===- ProductSquares.h - Products of squares in registers ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTSQUARES_H
#define WAX_PASSES_LIB_PRODUCTSQUARES_H

#include "ProductBuilder.h"

namespace mlir::wax {

/// The sums of a tile of `TileShape::isOfSquares`, which loops carry in
/// registers: a square for each 16 rows and 16 columns.
class SquareSums : ProductBuilder {
public:
  SquareSums(ImplicitLocOpBuilder &builder, Product product)
      : ProductBuilder(builder, product) {}

  /// Zeros, of `count` squares of rows.
  Values start(int64_t count);
  /// With the products of `down`, a square for each of rows, whose rows have
  /// turns side by side, and `across`, for each of columns, whose rows are
  /// turns.
  Values addProducts(ValueRange sums, ArrayRef<Value> down,
                     ArrayRef<Value> across);
  /// A square of them, row by row.
  Value getWords(Value square);
  int64_t getSquaresAcross() const { return product.tile.lanes / squareSide; }

private:
  Value call(StringRef name, ValueRange operands);
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTSQUARES_H
