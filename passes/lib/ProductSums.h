//===- ProductSums.h - What a tile of a product sums up ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTSUMS_H
#define WAX_PASSES_LIB_PRODUCTSUMS_H

#include "ProductBuilder.h"

namespace mlir::wax {

/// The sums of a tile, which loops carry in registers: of products of elements
/// as one vector of two dims, by rows and lanes, since IREE's passes go through
/// each operation of a dispatch; of instructions' dot products as a vector for
/// each register.
class TileSums : ProductBuilder {
public:
  TileSums(ImplicitLocOpBuilder &builder, Product product)
      : ProductBuilder(builder, product) {}

  /// A vector of what there is to add to, for a row.
  using RowStart = llvm::function_ref<Value(int64_t row)>;

  /// What they are before anything is added, of `count` rows.
  Values start(int64_t count, RowStart getStart);
  /// With the products of each row's element, or word of them, and a panel's
  /// row of these.
  Values addProducts(ValueRange sums, ArrayRef<Value> elements, Value row);
  /// A row of the result. What registers sum up in another type is added to
  /// what there is here.
  Value finish(ValueRange sums, int64_t row, RowStart getStart);

  /// What is to be taken from each row's sums, since bytes of the other factor
  /// are raised to be unsigned: of `size` of a panel's rows, which `readRow`
  /// reads. Null where none are.
  Value createExcess(Value size,
                     llvm::function_ref<Value(Value place)> readRow);

private:
  int64_t getRegisterWords() const { return product.tile.hasMasks ? 16 : 8; }
  Values split(Value row);
  Value getRow(ValueRange sums, int64_t row);
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTSUMS_H
