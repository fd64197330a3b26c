//===- ProductAnalysis.h - Sums that are products of matrices ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the sums of products that are products of matrices, or of stacks of
// them in any order of dims, and decides which are worth tiles.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTANALYSIS_H
#define WAX_PASSES_LIB_PRODUCTANALYSIS_H

#include "ProductTiles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::wax {

/// What extends each element of a tensor, and makes this one of them.
Operation *getExtension(Value tensor);
/// Whether the body adds the product of the two inputs' elements, which may be
/// extended, to what there is, and does nothing else.
bool addsProducts(linalg::GenericOp op);
/// Whether vectors multiply such elements exactly as scalars would: integers
/// of a byte do so in f32, as long as not too many are summed up.
bool hasVectors(linalg::GenericOp op);

/// The loops of a sum of products.
class ProductAnalysis {
public:
  explicit ProductAnalysis(linalg::GenericOp op);

  /// Runs of loops that are one loop, of tensors with fewer dims.
  SmallVector<ReassociationIndices> getRuns() const;
  /// The product, if it is one that tiles make faster, or strips.
  std::optional<Product> getProduct(ArrayRef<ReassociationIndices> runs) const;
  /// Has a product use what a processor has. `isCaptured`: whether its factor
  /// with columns is the same in all calls.
  void fit(Product &product, ArrayRef<ReassociationIndices> runs,
           Processor processor, bool isCaptured) const;
  /// What is made of a product before it is written. Nothing where it may turn
  /// out that there is nothing to sum up.
  ProductEpilogue getEpilogue(const Product &product,
                              ArrayRef<ReassociationIndices> runs) const;

private:
  /// What a loop goes through.
  enum class Role { Stack, Rows, Columns, Summed };

  int64_t getLikelySize(ArrayRef<int64_t> run) const;
  int64_t getLikelySize(ArrayRef<ReassociationIndices> runs,
                        ArrayRef<unsigned> numbers) const;
  bool isOpen(ArrayRef<int64_t> run) const;
  bool isKnownBelow(ArrayRef<ReassociationIndices> runs,
                    ArrayRef<unsigned> numbers, int64_t least) const;
  SmallVector<unsigned> getRows(ArrayRef<ReassociationIndices> runs,
                                Role role) const;
  SmallVector<unsigned> getSummed(ArrayRef<ReassociationIndices> runs,
                                  AffineMap across, AffineMap down) const;
  int64_t getFewestRows(const Product &product, bool isByRows) const;
  bool isWorthStrips(const Product &product,
                     ArrayRef<ReassociationIndices> runs, bool isByRows) const;

  linalg::GenericOp op;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  /// None of loops that are no product's.
  SmallVector<std::optional<Role>> roles;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTANALYSIS_H
