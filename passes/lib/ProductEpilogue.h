//===- ProductEpilogue.h - What is made of sums of products -----*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bias, a residual, an activation: where nobody else reads the sums, they are
// computed while these are in the nearest cache, and the sums go to memory
// never.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTEPILOGUE_H
#define WAX_PASSES_LIB_PRODUCTEPILOGUE_H

#include "../lowering/Rows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {

/// Maps that read a product's result and what others of them make, which nobody
/// else reads but what the last one makes. There may be none.
class ProductEpilogue {
public:
  ProductEpilogue() = default;
  /// Of a product whose result is as good as a tensor with a dim for each of
  /// `dims`, the last of which vectors lie along.
  ProductEpilogue(linalg::GenericOp product,
                  ArrayRef<ReassociationIndices> dims);

  bool isEmpty() const { return maps.empty(); }
  ArrayRef<linalg::GenericOp> getMaps() const { return maps; }
  /// What the last map makes, of which there is one.
  Type getElementType() const;

  /// Brings all maps to where the last one is.
  void gather(RewriterBase &rewriter);
  /// Leaves out the last maps, or all, until elements of the product's type are
  /// made: what sums are written to before they are complete.
  void keepType();
  /// To be called where the dispatch is to be that `apply` is for.
  void begin(OpBuilder &builder, Location loc);
  /// What becomes of `sums`, a vector from `place` on, in the result's merged
  /// dims; of its lanes where `mask`, if any, is set.
  Value apply(OpBuilder &builder, Location loc, ValueRange place, Value sums,
              Value mask);
  /// Puts `made` into the place of the last map's result: it has the shape of
  /// the product's, which the first map reads as it is, or split.
  void replace(RewriterBase &rewriter, Value made);

private:
  Value getSums() const { return maps.front()->getOperand(firstInput); }

  SmallVector<linalg::GenericOp> maps;
  /// How many of them make elements of the product's type.
  size_t numOfType = 0;
  SmallVector<ReassociationIndices> dims;
  /// Where the first map, which stands before the others, reads the product's
  /// result.
  unsigned firstInput = 0;
  SmallVector<OpFoldResult> sizes;
  std::optional<RowReader> reader;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTEPILOGUE_H
