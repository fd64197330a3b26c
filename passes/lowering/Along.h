//===- Along.h - Tensors seen along one dim ---------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What works along one dim sees tensors as outer × along × inner: the dims
// before it are merged, and those after it. An outer or inner dim of size 1 is
// left out of the tensors: IREE 3.13 takes dims of size 1 out of loops, and
// fails.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_ALONG_H
#define WAX_PASSES_LOWERING_ALONG_H

#include "Lowering.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::wax {

/// Tensors of some sizes, seen along one dim.
class Along {
public:
  Along(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
        int64_t dim);

  OpFoldResult outer, along, inner;
  bool hasOuter, hasInner;

  /// Of something said of outer, along and inner, what is said of the dims that
  /// are not left out.
  template <typename T>
  SmallVector<T> select(T ofOuter, T ofAlong, T ofInner) const {
    SmallVector<T> selected;
    if (hasOuter)
      selected.push_back(ofOuter);
    selected.push_back(ofAlong);
    if (hasInner)
      selected.push_back(ofInner);
    return selected;
  }
  SmallVector<OpFoldResult> getSizes() const {
    return select(outer, along, inner);
  }

  /// `tensor` as outer × along × inner.
  Value merge(OpBuilder &builder, Location loc, Value tensor) const;
  /// `merged` with all of its dims again, of `type`.
  Value split(OpBuilder &builder, Location loc, LoweringTarget target,
              Value merged, RankedTensorType type) const;

private:
  SmallVector<OpFoldResult> sizes;
  /// The dims that each dim is merged from.
  SmallVector<ReassociationIndices> groups;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_ALONG_H
