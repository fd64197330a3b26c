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

  /// Where rows of one tile are.
  struct Rows {
    /// The tile, and the first of them in it.
    Value tile, first;
    /// The indices of the loops of each.
    SmallVector<LoopIndices> indices;
  };

  /// `count` rows of a tile from `row` on, its first one where there are
  /// several; `indices` tell of the loops around.
  Rows getRows(ArrayRef<Value> indices, Value row, int64_t count);
  /// What of each row is multiplied at one turn of the loops of what is summed
  /// up, which `indices` tell.
  Values read(const Rows &rows, ArrayRef<Value> indices);
  /// The same of as many turns as a square has: a square of words for each 16
  /// rows.
  Values readSquares(const Rows &rows, ArrayRef<Value> indices);

private:
  bool isPlain() { return getMap(product.rowFactor).isProjectedPermutation(); }
  /// Whether elements of one loop follow each other in memory.
  bool isAlong(unsigned loop);
  bool isSummedAlong() { return isAlong(product.summed.back()); }
  void convertFactor();
  bool isWorthPacking();
  void pack();
  /// Whether a tile's rows of a turn are read, as they follow each other in
  /// memory, with one vector.
  bool hasRowsTogether();
  Value copyTile(Value tile, Value first, ValueRange places, Value written);
  Value createMask(Value size, Value first, int64_t count);
  Value readAlong(ArrayRef<Value> indices, int64_t count, Value mask = {});
  Value writeRows(LoopIndices indices, Value row, Value written, Values at);
  Value writeRun(LoopIndices indices, Value written, Values at);
  Value writeTurned(LoopIndices indices, Value row, Value written, Values at);
  Value raise(Value words);
  Value readUnit(ArrayRef<Value> indices);
  Value readWord(LoopIndices indices);

  Value factor;
  /// The loops of its dims that are neither rows nor the last one summed up.
  SmallVector<unsigned> others;
  /// Rearranged: its other dims, then tiles of rows, runs of turns of what is
  /// summed up, the rows of a tile, and the turns of a run unless it is one.
  /// Squares have these two as one dim.
  Value packed;
  int64_t tileRows, run = 1;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTROWS_H
