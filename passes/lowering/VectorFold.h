//===- VectorFold.h - A reduction by vectors --------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_VECTORFOLD_H
#define WAX_PASSES_LOWERING_VECTORFOLD_H

#include "Dispatch.h"
#include "Rows.h"
#include "Vectors.h"

namespace mlir::wax {

/// Which elements lie side by side in vectors.
enum class Layout { Rows, Columns };

/// Elements beyond which a turn of a loop folds by itself longer than a
/// dispatch costs.
inline constexpr int64_t mostOfTurn = 512;

/// A reduction with `combine`, along dims beside each other.
struct VectorFold {
  ReduceOp reduce;
  Layout layout;
  int64_t rank;
  ScalarCode fold, combine;
  SmallVector<Attribute> constants;
  RowReader reader;
  SmallVector<OpFoldResult> sizes;
  int64_t lanes = 0;
  /// The accumulators whose results are needed.
  SmallVector<unsigned> needed;

  VectorFold(OpBuilder &builder, ReduceOp reduce, Layout layout, int64_t rank)
      : reduce(reduce), layout(layout), rank(rank),
        fold(builder, reduce.getFold(), getConstants(reduce)),
        combine(builder, reduce.getCombine()), constants(getConstants(reduce)),
        reader(reduce, rank,
               layout == Layout::Rows ? reduce.getDims().size()
                                      : rank - reduce.getDims().back() - 1) {}

  static SmallVector<Attribute> getConstants(ReduceOp reduce);
  /// The product of sizes that are all known.
  static std::optional<int64_t> getProduct(ArrayRef<OpFoldResult> sizes);

  /// The operands that are no constants.
  SmallVector<Value> getRead();

  bool isPossible();
  bool isShort();

  /// The sizes of the dims before the reduced ones, of these, and after.
  ArrayRef<OpFoldResult> getOuter() {
    return ArrayRef(sizes).take_front(reduce.getDims().front());
  }
  ArrayRef<OpFoldResult> getReduced() {
    return ArrayRef(sizes).slice(reduce.getDims().front(),
                                 reduce.getDims().size());
  }
  ArrayRef<OpFoldResult> getInner() {
    return ArrayRef(sizes).drop_front(reduce.getDims().back() + 1);
  }

  /// Whether the turn of a loop folds so little that the loop may become one
  /// dispatch, which `wax-dispatch-loops` sees by `linalg`.
  bool isOfTurn();

  /// Whether IREE's own code is as good, or, if none is to be left for it,
  /// better by far.
  bool isBetterLeft(OpFoldResult along, bool isAlone);

  /// Whether it may be done row by row with what reads its result.
  bool isWorthChains(bool isAlone);

  /// Whether rows, as many and as long, are cut into pieces.
  bool isCut(std::optional<int64_t> rows, std::optional<int64_t> along) const;
  /// The pieces that a row is cut into; none where it is folded as a whole.
  std::optional<OpFoldResult> choosePieces(OpBuilder &builder, Location loc,
                                           OpFoldResult count,
                                           OpFoldResult along);

  void chooseLanes(OpFoldResult along);

  /// The columns of a block.
  OpFoldResult chooseBlock(OpBuilder &builder, Location loc,
                           OpFoldResult along);

  SmallVector<Value> createInits(OpBuilder &builder, Location loc);

  SmallVector<Value> step(OpBuilder &builder, Location loc, Value first,
                          Value mask, ValueRange accumulators);
  /// Folds vectors of the operands that are no constants.
  SmallVector<Value> foldVectors(OpBuilder &builder, Location loc,
                                 ValueRange read, ValueRange accumulators);
  /// What lanes of a row have, of which those beyond its end, if there is a
  /// mask, stay as they were before.
  static SmallVector<Value> keepBeyond(OpBuilder &builder, Location loc,
                                       SmallVector<Value> folded,
                                       ValueRange before, Value mask);
  /// Folds the lanes of accumulators into one.
  SmallVector<Value> joinLanes(OpBuilder &builder, Location loc,
                               SmallVector<Value> accumulators);

  /// Folds `size` elements of a row into lanes, and these into one.
  SmallVector<Value> foldRow(OpBuilder &builder, Location loc,
                             ValueRange indices, Value start,
                             OpFoldResult size);

  /// The accumulators that are needed, of vectors of one lane.
  SmallVector<Value> select(OpBuilder &builder, Location loc,
                            ArrayRef<Value> vectors);

  /// Folds a piece of a row, of which there are `pieces`.
  SmallVector<Value> foldPiece(OpBuilder &builder, Location loc,
                               ValueRange indices, Value number, Value pieces,
                               OpFoldResult along);

  /// Folds what pieces of row `row` were folded into.
  SmallVector<Value> foldPieces(OpBuilder &builder, Location loc, Value row,
                                Value pieces, ValueRange folded);

  /// Folds rows piece by piece into `outputs`.
  SmallVector<Value> emitInPieces(OpBuilder &builder, Location loc,
                                  LoweringContext &context, OpFoldResult count,
                                  OpFoldResult along, OpFoldResult ofRow,
                                  ArrayRef<RowsOutput> outputs);

  SmallVector<Value> load(OpBuilder &builder, Location loc, ValueRange tensors,
                          ValueRange place, Value mask);

  SmallVector<Value> store(OpBuilder &builder, Location loc, ValueRange vectors,
                           ValueRange tensors, ValueRange place, Value mask);

  /// Whether nothing is won by accumulators in memory: there is one vector of
  /// them, or rows are all taken at once.
  bool fitsRegisters(OpFoldResult width);

  /// As `foldBlock`, with accumulators in registers for all rows.
  SmallVector<Value> foldInRegisters(OpBuilder &builder, Location loc,
                                     ValueRange indices, Value first,
                                     OpFoldResult width, ValueRange outputs,
                                     ArrayRef<Value> position);

  /// Folds `width` columns from `first` on into their accumulators in
  /// `outputs`, at `position`.
  SmallVector<Value> foldBlock(OpBuilder &builder, Location loc,
                               ValueRange indices, Value first,
                               OpFoldResult width, ValueRange outputs,
                               ArrayRef<Value> position);

  /// Folds all columns into row `at` of `outputs`, block by block.
  SmallVector<Value> foldColumns(OpBuilder &builder, Location loc,
                                 ValueRange indices, OpFoldResult along,
                                 OpFoldResult block, ValueRange outputs,
                                 Value at);
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_VECTORFOLD_H
