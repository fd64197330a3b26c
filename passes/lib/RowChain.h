//===- RowChain.h - What is done row by row --------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain has reductions along rows, maps of rows and maps of one element a
// row, of which none needs another row than its own. A row is gone through in
// turns: what needs the result of a reduction is of a later turn than that.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_ROWCHAIN_H
#define WAX_PASSES_LIB_ROWCHAIN_H

#include "../lowering/Rows.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::wax {

class RowChain {
public:
  /// The chain of a reduction; none where nothing is won by it.
  static std::optional<RowChain> of(ReduceOp seed);

  /// One time through a row.
  struct Turn {
    SmallVector<ReduceOp> folds;
    /// What is written of each row: results, and what is kept for later turns.
    SmallVector<Value> written;
    /// The maps that are made in place, and what earlier turns wrote.
    llvm::SetVector<Operation *> made;
    llvm::SetVector<Value> held;
  };

  int64_t getRank() const { return rank; }
  int64_t getAlong() const { return along; }
  ArrayRef<Turn> getTurns() const { return turns; }
  ArrayRef<Operation *> getMembers() const { return members.getArrayRef(); }
  /// What stands before the last member and reads one of them.
  ArrayRef<Operation *> getReaders() const { return readers; }
  /// What others read: of all rows, and of their elements.
  ArrayRef<Value> getRows() const { return rows; }
  ArrayRef<Value> getElements() const { return elements; }
  /// What is kept for later turns, with the result whose memory that takes
  /// before it is written; without one it has its own.
  ArrayRef<std::pair<Value, Value>> getKept() const { return kept; }

private:
  RowChain(ReduceOp seed);

  /// Whether a member's result has rows, and not one element of each.
  bool isRow(Value value) const {
    return cast<RankedTensorType>(value.getType()).getRank() == rank;
  }
  bool isRowMap(Operation *op) const;
  bool isElementMap(Operation *op) const;
  bool isCheapBesideRow(linalg::GenericOp map) const;
  bool readsItsRow(Operation *op) const;
  bool hasShapeOfRows(Operation *op) const;
  bool canJoin(Operation *op) const;
  void addSharedProducers();
  bool addReaders();
  void addProducers();
  bool plan();
  void removeLast();
  bool isWorth() const;
  bool isWritten(Value value) const {
    return llvm::is_contained(rows, value) || keeps.contains(value);
  }
  bool isMadeAgain(linalg::GenericOp map) const;
  Value visit(Value value, int64_t number);
  bool placeKept();
  void sort();

  ReduceOp seed;
  int64_t rank, along;
  RankedTensorType type;
  llvm::SetVector<Operation *> members;
  SmallVector<Operation *> readers;
  SmallVector<Turn> turns;
  SmallVector<Value> rows, elements;
  llvm::SetVector<Value> keeps;
  SmallVector<std::pair<Value, Value>> kept;
  /// The turn of each member, and the last one that reads what is kept.
  llvm::DenseMap<Operation *, int64_t> turnOf;
  llvm::DenseMap<Value, int64_t> lastRead;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_ROWCHAIN_H
