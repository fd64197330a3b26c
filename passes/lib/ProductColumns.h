//===- ProductColumns.h - The factor that is copied to panels ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTCOLUMNS_H
#define WAX_PASSES_LIB_PRODUCTCOLUMNS_H

#include "FactorReader.h"
#include "ProductBuilder.h"

namespace mlir::wax {

/// The factor with columns: in panels as wide as a tile, by rows of what is
/// multiplied at one turn.
class ColumnFactor : ProductBuilder {
public:
  /// Emits what makes all panels at once, if that is worth it.
  ColumnFactor(ImplicitLocOpBuilder &builder, Product product);

  /// What of all that is summed up a panel has: turns of the last loop, in each
  /// of some turns of the loops around it.
  struct Piece {
    Value firstWindow, endWindow, from, end;
    /// Whether it is not the first one, where that needs to be asked.
    Value hasBegun;
  };
  /// Where a panel is: a tensor, and its place in it.
  struct Panel {
    Value tensor;
    Values at;
  };

  /// How many turns of the last loop, and of those around it, a panel has.
  int64_t getLength() const { return length; }
  int64_t getWindowCount() const { return panelWindows; }
  /// Whether panels are made before.
  bool isPacked() const { return packed != nullptr; }
  /// Whether one panel has all that is summed up.
  bool isOnePanel() const { return hasAll; }
  /// What a panel takes on the stack.
  int64_t getStackBytes() const;

  /// The panel of a tile's columns from `column` on, those where `mask`, if
  /// any, is set; `indices` tell of the loops around.
  Panel getPanel(const LoopIndices &indices, const Piece &piece, Value column,
                 Value mask);
  /// Goes through the loops around the last one that is summed up; `body` is
  /// told which row of a panel belongs to the first turn.
  Values emitWindows(const LoopIndices &indices, const Piece &piece,
                     ValueRange carried,
                     llvm::function_ref<Values(LoopIndices at, Value first,
                                               ValueRange carried)>
                         body);
  /// The row of a panel that belongs to the first turn of a piece.
  Value getFirstRow(const Piece &piece);
  Value readRow(const Panel &panel, Value row);
  /// The square of a row, and those after it, that is the `number`th across.
  Value readSquare(const Panel &panel, Value row, int64_t number);

private:
  /// Copies columns from `column` on to `panel`, and returns its tensor.
  using CopyBody =
      llvm::function_ref<Value(const Panel &panel, Value column, Value mask)>;
  /// Goes through the columns of what is copied to `tensor`, a panel's at a
  /// time.
  using Columns = llvm::function_ref<Value(Value tensor, CopyBody body)>;

  void pack();
  Value copy(Value tensor, LoopIndices at, Value first, Value from, Value size,
             Columns columns);
  Value copyRows(Value tensor, LoopIndices at, Value first, Value from,
                 Value size, Columns columns);
  Value copySquares(Value tensor, LoopIndices at, Value first, Value from,
                    Value size, Columns columns);
  Value write(Value units, Panel to, Value row, Value column);

  unsigned number;
  FactorReader reader;
  int64_t lanes, length, panelWindows = 1;
  bool hasAll;
  /// The loops of its dims that are neither columns nor summed up.
  SmallVector<unsigned> others;
  /// All panels: its other dims, then those of all columns, each with all that
  /// is summed up, `packedTurns` in each turn of the loops around.
  Value packed, packedTurns;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTCOLUMNS_H
