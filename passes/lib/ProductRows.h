//===- ProductRows.h - The factor that is read by elements ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTROWS_H
#define WAX_PASSES_LIB_PRODUCTROWS_H

#include "ProductBuilder.h"

namespace mlir::wax {

/// The factor whose elements are multiplied with a panel's rows: as it lies, or
/// rearranged before.
class RowFactor : ProductBuilder {
public:
  /// Emits what rearranges it, if that is worth it.
  RowFactor(ImplicitLocOpBuilder &builder, Product product);

  /// The elements, as they are multiplied, of `count` rows of one tile from
  /// `row` on, its first one where there are several; `indices` tell of all
  /// other loops.
  Value read(ArrayRef<Value> indices, Value row, int64_t count);

private:
  bool isWorthPacking();
  void pack();
  Value readElement(ArrayRef<Value> indices);

  /// The loops of its other dims.
  SmallVector<unsigned> others;
  /// Rearranged: its other dims, then tiles of rows, what is summed up, and
  /// the rows of a tile.
  Value packed;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTROWS_H
