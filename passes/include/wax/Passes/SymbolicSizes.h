//===- SymbolicSizes.h - The sizes of a function's values -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every size in a function, followed back through shape relations to what it
// is made of: the function's symbols, dims of arguments, and index values that
// only the running program knows. Two sizes are equal when their expressions
// are.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_SYMBOLICSIZES_H
#define WAX_PASSES_SYMBOLICSIZES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "wax/Dialect/ShapeRelation.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace mlir::wax {

/// The symbol `s_k` of this class's expressions is the k-th root. Values must
/// be asked for in program order, so that no chain of relations is followed
/// deeper than one step.
class SymbolicSizes {
public:
  /// What a size is made of: a dim of a tensor, or an index value.
  struct Root {
    Value value;
    /// The dim of a tensor `value`; -1 when `value` is the index itself.
    int64_t dim;
    int64_t min, max;
    /// What the user calls it; empty where nobody named it.
    std::string name;
  };

  explicit SymbolicSizes(FunctionOpInterface function);

  AffineExpr getSize(Value tensor, int64_t dim);
  AffineExpr getIndex(Value index);
  /// The size of an argument's dim as it is, whatever `wax.dims` promises.
  AffineExpr getActualSize(BlockArgument argument, int64_t dim) {
    return getRoot(argument, dim);
  }
  /// True when `expr` says no more of `index` than that it is itself.
  bool isItself(AffineExpr expr, Value index) const;

  /// What an operation requires of its sizes and does not follow from what is
  /// known of the roots.
  SmallVector<SizeConstraint> getOpenConstraints(Operation *op);

  /// True when the constraint follows from the bounds of the roots.
  bool isKnown(const SizeConstraint &constraint) const;
  /// True when the bounds of the roots rule the constraint out.
  bool isRefuted(const SizeConstraint &constraint) const;

  /// The value of `expr`, made at the function's start when it is known there,
  /// else at the builder's insertion point.
  OpFoldResult materialize(OpBuilder &builder, Location loc, AffineExpr expr);

  /// A builder at the end of what has been placed at the function's start.
  OpBuilder atStart();
  bool isKnownAtStart(AffineExpr expr) const;

  /// Remembers that `to` takes the place of `from`, which is about to go.
  void replace(Value from, Value to);

  /// `expr` in the words of the function's symbols and arguments.
  std::string describe(AffineExpr expr) const;
  /// "argument 'x'", or "argument 3" where it has no name.
  std::string describeArgument(unsigned index) const;

  ArrayRef<Root> getRoots() const { return roots; }
  /// The number of roots that are symbols of `wax.symbols`; they come first.
  unsigned getNumSymbols() const { return numSymbols; }

private:
  struct Interval {
    int64_t min, max;
  };

  void takeSymbols();
  AffineExpr getRoot(Value value, int64_t dim);
  AffineExpr evaluate(AffineExpr expr, ArrayRef<AffineExpr> sources) const;
  SmallVector<AffineExpr> getSources(Operation *op);
  void computeResults(Operation *op);

  // ControlSizes.cpp
  struct Carried;
  /// Finds the sizes of what a branch or a loop gives and carries, if `tensor`
  /// is of that.
  bool computeControl(Value tensor);
  void computeBranches(scf::IfOp op);
  void computeChoice(Value result, std::array<Value, 2> values, Operation *op);
  void computeLoop(Operation *op);
  /// The sizes of a tensor in words that hold outside of `op`; roots of its own
  /// for the others, as a dim of `as`.
  SmallVector<AffineExpr> getSizesOutside(Value tensor, Operation *op,
                                          Value as);
  bool isKnownOutside(AffineExpr expr, Operation *op) const;
  void forgetSizesIn(Operation *op);
  AffineExpr simplify(AffineExpr expr) const;
  Interval getBounds(AffineExpr expr) const;
  Value emit(OpBuilder &builder, Location loc, AffineExpr expr);
  Value emitAtStart(Location loc, AffineExpr expr);

  /// Interfaces have no const methods.
  mutable FunctionOpInterface function;
  MLIRContext *context;
  SmallVector<Root> roots;
  unsigned numSymbols = 0;
  DenseMap<std::pair<Value, int64_t>, unsigned> rootNumbers;
  DenseMap<Value, SmallVector<AffineExpr>> sizes;
  DenseMap<AffineExpr, Value> startValues;
  Operation *lastAtStart = nullptr;
};

} // namespace mlir::wax

#endif // WAX_PASSES_SYMBOLICSIZES_H
