//===- FactorReader.h - A product's factor, by vectors ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_FACTORREADER_H
#define WAX_PASSES_LIB_FACTORREADER_H

#include "ProductTiles.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {

/// Whether cheap maps make the factor with columns, for the product alone, of
/// narrower elements: weights of a byte each, times a scale, of each column or
/// of groups. It is then made where it is read, and takes no memory.
bool isMadeOfLess(Product product);

/// Reads a factor, or makes it. To be made where the dispatch is to be.
class FactorReader {
public:
  FactorReader(ImplicitLocOpBuilder &builder, Product product, unsigned number);

  /// `lanes` elements from `place` on, along the last dim; 0 where `mask`, if
  /// any, is not set.
  Value read(OpBuilder &builder, ArrayRef<Value> place, int64_t lanes,
             Value mask);

private:
  Location loc;
  Value factor;
  std::optional<RowReader> maps;
  /// What joins dims of what the maps make.
  tensor::CollapseShapeOp join;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_FACTORREADER_H
