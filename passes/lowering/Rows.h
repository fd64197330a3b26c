//===- Rows.h - What is read along rows, vector by vector -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is a tensor's elements along its last dims, which lie next to each
// other; the dims before number the rows.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_ROWS_H
#define WAX_PASSES_LOWERING_ROWS_H

#include "Lowering.h"

#include "llvm/ADT/MapVector.h"

#include <functional>

namespace mlir::wax {

/// The indices of row `number` in the dims of `sizes`.
SmallVector<Value> getRowIndices(OpBuilder &builder, Location loc, Value number,
                                 ArrayRef<OpFoldResult> sizes);

/// `tensor` with its last `along` dims as one.
Value mergeRow(OpBuilder &builder, Location loc, Value tensor, int64_t along);

/// The loop that computes each element of one tensor, if the operation is one.
linalg::GenericOp getPointwise(Operation *op);

/// Whether the operations of a pointwise loop take less than what it makes
/// takes to be written and read. Sums of what `mayBeProduct` are not done
/// again: in one place products may be contracted with them, and not in
/// another, and what is compared with the largest of a row would be none of it.
bool isCheap(linalg::GenericOp generic,
             llvm::function_ref<bool(Value)> mayBeProduct);

/// Whether loops make a tensor of constants alone, and it is better kept for
/// all calls than made by what reads it.
bool isMadeOnce(Value tensor);

/// Tensors of one shape that are read along rows. What pointwise loops make
/// for this reader alone, and for each other, is not read but made where it is
/// needed, unless vectors cannot.
class RowReader {
public:
  /// `rank` loops, the last `along` of which run along rows, in `reader`.
  /// `isLate` where what is of `math` is no function any more that is yet to be
  /// computed by others: then vectors take it, and booleans, as bytes.
  RowReader(Operation *reader, int64_t rank, int64_t along, bool isLate = false)
      : reader(reader), rank(rank), along(along), isLate(isLate) {}

  /// Whether what other loops read besides is made in place too, if that costs
  /// little: they do the same, and then nobody writes it to memory.
  bool sharesProducers = false;

  /// Adds all tensors that are read. False when vectors cannot read them.
  bool add(ValueRange read);
  /// Adds tensors that are read, of which just those that `made` make are made
  /// in place, and the rows of those in `held` are somewhere else.
  bool add(ValueRange read, ArrayRef<Operation *> made, ArrayRef<Value> held);
  /// Adds what a pointwise loop makes, to be made in place whoever else needs
  /// it. False when vectors cannot.
  bool addMade(linalg::GenericOp generic);

  /// Whether vectors can make what a pointwise loop makes.
  bool isPossible(linalg::GenericOp generic) const;

  /// Whether a tensor is larger than all that it is made of, as the terms of a
  /// matmul are: IREE has code of its own for these.
  bool hasExpansion() const { return foundExpansion; }
  /// Whether anything is made in place.
  bool hasProducers() const { return !producers.empty(); }
  /// Whether a tensor is read that a pointwise loop makes for this reader
  /// alone.
  bool hasProducersLeft() const { return foundProducerLeft; }
  /// Whether this is so of the body of one of the loops made in place.
  bool isMadeBy(llvm::function_ref<bool(Block &)> is) const;
  /// Whether a tensor is read that shows every second element of another, or
  /// every third or fourth, or one of each row of so many.
  bool readsEveryFew() const;
  /// All that is read, and from where: `map` is from the loops to its dims.
  void
  walkReads(llvm::function_ref<void(Value tensor, AffineMap map)> visit) const;
  /// The types of all that is read.
  ArrayRef<Type> getElements() const { return elements; }

  /// Makes each tensor's row a single dim, ahead of the loops, and bytes of
  /// booleans that are read once a row. Of what `isTold` there is no tensor,
  /// but its elements will be told.
  void mergeRows(OpBuilder &builder, Location loc,
                 llvm::function_ref<bool(Value tensor)> isTold = {});

  /// Tells the element of a row that a tensor has, which is then not read.
  void setElement(Value tensor, Value element) { known[tensor] = element; }
  /// Tells where the row of a tensor is that is held: in `row`, at `place`.
  void setHeld(Value tensor, Value row, ValueRange place) {
    rows[tensor] = {row, llvm::to_vector(place)};
  }
  /// Tells the elements of a tensor that is held, where it is read next.
  void setVector(Value tensor, Value vector) { given[tensor] = vector; }

  /// Has `load` read all that is read, vectors of `lanes` elements of what has
  /// these loops, in place of rows.
  using Load =
      std::function<Value(OpBuilder &, Location, Value tensor, AffineMap map)>;
  void setLoad(Load load, int64_t lanes) {
    this->loadInstead = std::move(load);
    this->lanes = lanes;
  }

  /// What is read of tensors once a row, and the tensors that are read along
  /// rows.
  auto getReadOnce() const { return llvm::make_first_range(reads); }
  auto getReadAlong() const { return llvm::make_first_range(merged); }

  /// What does not change along the row with these indices. To be called before
  /// the loop along the row.
  void startRow(OpBuilder &builder, Location loc, ValueRange indices,
                int64_t lanes);
  /// `lanes` elements of each tensor added, from `first` on along the row.
  SmallVector<Value> read(OpBuilder &builder, Location loc, Value first,
                          Value mask);

private:
  /// How the tensor is read along rows; `map` is from the loops to its dims.
  enum class Access { None, Once, Along };
  Access getAccess(Value tensor, AffineMap map) const;
  /// The pointwise loop that is to be emitted in place of reading its result.
  linalg::GenericOp getProducer(Value tensor, Operation *user) const;
  void findOwn(ValueRange read);
  bool addInputs(linalg::GenericOp generic);
  bool addRead(Value tensor, AffineMap map);
  bool add(Value tensor, Operation *user);
  Value emit(OpBuilder &builder, Location loc, Value tensor, Value first,
             Value mask, llvm::DenseMap<Value, Value> &made);
  Value load(OpBuilder &builder, Location loc, Value tensor, AffineMap map,
             Value first, Value mask);

  Operation *reader;
  int64_t rank, along;
  bool isLate;
  SmallVector<Value> tensors;
  SmallVector<Type> elements;
  llvm::MapVector<Value, linalg::GenericOp> producers;
  /// Loops that the reader reads, or others of these, and nothing else.
  llvm::SmallPtrSet<Operation *, 8> own;
  /// Whether others are read, even if nobody else does.
  bool isClosed = false;
  bool foundExpansion = false, foundProducerLeft = false;

  /// Each tensor that is read along rows, with these merged.
  llvm::MapVector<Value, Value> merged;
  /// Where the rows of tensors are that are held, and elements that are known.
  struct Held {
    Value row;
    SmallVector<Value> place;
  };
  llvm::MapVector<Value, Held> rows;
  llvm::DenseMap<Value, Value> known, given;
  /// Tensors of booleans that are read once a row, as bytes.
  llvm::DenseMap<Value, Value> bytes;
  /// What is read once a row, by its tensor and how it is read.
  llvm::SmallVector<std::pair<Value, AffineMap>> reads;
  llvm::DenseMap<std::pair<Value, AffineMap>, Value> splats;
  SmallVector<Value> rowIndices;
  int64_t lanes = 0;
  Load loadInstead;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_ROWS_H
