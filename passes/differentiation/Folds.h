//===- Folds.h - Derivatives of operations that fold --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATION_FOLDS_H
#define WAX_PASSES_DIFFERENTIATION_FOLDS_H

#include "Rules.h"
#include "ScalarRules.h"

namespace mlir::wax {

/// Whether each accumulator is added to, by what does not depend on any: a sum
/// of a function of the elements.
bool isSum(Region &fold, unsigned inputCount);

/// Whether the fold is one that chooses between element and accumulator: the
/// operation is a maximum or minimum of floats.
bool isExtremum(Region &fold);

/// The kernel that adds accumulators, for as many as there are.
SmallVector<Value> addAccumulators(OpBuilder &builder, Location loc,
                                   ValueRange arguments);

/// The places of the accumulators that have derivatives.
SmallVector<unsigned> getDifferentiable(TypeRange accumulators);

/// What an operation folds.
struct Folding {
  Operation *op;
  SmallVector<Value> inputs, inits;
  Region &fold, &combine;

  SmallVector<Type> accumulators() const {
    return llvm::map_to_vector(
        inits, [](Value init) { return getElementTypeOrSelf(init.getType()); });
  }
};

template <typename OpTy> Folding getFolding(OpTy op, ValueRange inputs) {
  return {op, SmallVector<Value>(inputs), SmallVector<Value>(op.getInits()),
          op.getFold(), op.getCombine()};
}

/// The tangents of an operation that folds. `create` makes one like it, of
/// other results, inputs and starts, whose regions are filled here. Unless the
/// fold is a sum, it takes the operation's place.
Derivatives
pushFold(OpBuilder &builder, const Folding &folding, ArrayRef<Value> tangents,
         function_ref<Operation *(TypeRange, ValueRange, ValueRange)> create);

/// How the cotangents of a scan's results come to its inputs.
struct ScanPull {
  const Folding &folding;
  int64_t dim;
  bool exclusive, reverse;
  /// Of each accumulator's result; null is zero.
  ArrayRef<Value> cotangents;
  /// The accumulators before each element, for all accumulators.
  ArrayRef<Value> before;
  const llvm::SmallBitVector &wanted;

  Derivatives run(OpBuilder &builder) const;
};

/// The accumulators before each element, by an exclusive scan.
SmallVector<Value> createPrefixes(OpBuilder &builder, const Folding &folding,
                                  int64_t dim, bool reverse);

/// The cotangents of elements of a sum, from the cotangents of the accumulators
/// as they meet each element.
Derivatives pullSum(OpBuilder &builder, const Folding &folding,
                    ArrayRef<Operand> cotangents,
                    const llvm::SmallBitVector &wanted);

/// The cotangent of a start that is added to everything below: the sum of the
/// results' cotangents.
Value sumToStart(OpBuilder &builder, Location loc, Value cotangent);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATION_FOLDS_H
