//===- LoopRows.h - Rows that no turn of a loop mixes -----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_LOOPROWS_H
#define WAX_PASSES_LIB_LOOPROWS_H

#include "../building/Walks.h"

#include "wax/Dialect/Wax.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {

/// A dim of a tensor.
using TensorDim = std::pair<Value, int64_t>;

/// The dims of a loop's tensors, in classes of those that are the same: what is
/// at an index of one is computed from what is at this index of the others. A
/// class that nothing needs whole is rows that do not mix: an axis, of which
/// one or more are chosen.
class LoopRows {
public:
  explicit LoopRows(scf::ForOp loop) : loop(loop) {}

  /// Finds the classes. False where the loop does what is no dispatch anyway.
  bool collect();
  /// Dims of what is carried, one of each class of rows that do not mix.
  SmallVector<TensorDim> getAxes();
  /// Takes these as the rows.
  void choose(ArrayRef<TensorDim> axes) {
    rows.assign(axes.begin(), axes.end());
  }

  unsigned getAxisCount() const { return rows.size(); }
  int64_t getSize(unsigned axis) const { return getSize(rows[axis]); }
  /// The dim of a tensor that is an axis of the rows, if one is.
  std::optional<int64_t> getDim(Value tensor, unsigned axis) const;
  /// Whether a tensor is of some rows only.
  bool isOfRows(Value tensor) const;
  /// Whether what is carried at a place is the sum over all rows of an axis.
  bool isSummed(unsigned place, unsigned axis) const;
  bool isSummed(unsigned place) const;
  bool hasSums() const;
  /// Whether each sum over an axis is over the others too, or apart for their
  /// rows: else blocks of others would add it up again.
  bool hasWholeSums();

  /// What of the program around the loop its turns read.
  ArrayRef<Value> getCaptured() const { return captured.getArrayRef(); }
  /// Whether turns read slices only of a tensor from around the loop.
  bool isOnlySliced(Value tensor) const;

private:
  bool collect(Operation &op);
  void collectWalk(Operation &op, const Walk &walk);
  void collectReshape(ReshapeOp reshape);
  void collectConcat(ConcatOp concat);
  /// What `part` is of `whole`, a box, or what replaces one.
  void collectBox(Value part, Value whole, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<int64_t> strides);
  std::optional<unsigned> findAccumulator(ReduceOp reduce);

  void unite(Value one, int64_t dim, Value other, int64_t otherDim) {
    classes.unionSets(TensorDim(one, dim), TensorDim(other, otherDim));
  }
  void uniteAll(Value one, Value other);
  /// Keeps a dim whole, or all dims.
  void fix(Value tensor, int64_t dim) {
    classes.insert(TensorDim(tensor, dim));
    fixed.push_back(TensorDim(tensor, dim));
  }
  void fixAll(ValueRange values);
  static int64_t getSize(const TensorDim &dim);
  /// Whether a dim's class is rows that do not mix.
  bool areRows(const TensorDim &dim);
  /// How many dims of a tensor are of a class.
  int64_t count(Value tensor, const TensorDim &of) const;

  scf::ForOp loop;
  llvm::EquivalenceClasses<TensorDim> classes;
  SmallVector<TensorDim> fixed;
  /// A dim that a sum is over, and the place of the accumulator that is all it
  /// is for.
  SmallVector<std::pair<TensorDim, unsigned>> sums;
  llvm::SetVector<Value> captured;
  SmallVector<TensorDim> rows;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_LOOPROWS_H
