//===- Convolve.h - The loop nest of a convolution --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_CONVOLVE_H
#define WAX_PASSES_LOWERING_CONVOLVE_H

#include "Lowering.h"

namespace mlir::wax::convolution {

/// A tensor and its sizes, in which static ones are known.
struct Shaped {
  Value value;
  SmallVector<OpFoldResult> sizes;
};

/// The dims of a tensor whose dim `split`, if any, becomes `parts`.
SmallVector<ReassociationIndices>
getGroups(int64_t rank, std::optional<int64_t> split, int64_t parts = 2);

/// Makes dim `dim` several, of `sizes`.
void splitDim(OpBuilder &builder, Location loc, Shaped &shaped, int64_t dim,
              ArrayRef<OpFoldResult> sizes);

/// The loop that each dim of the convolution's tensors is: those of the
/// result's dims in their order, a group's before that of its outs, and then
/// those that are summed over, in the order of the kernel's dims.
struct Loops {
  Loops(ConvolveOp op)
      : positions(op.getStrides().size()), elements(op.getStrides().size()) {
    for (int64_t dim = 0, rank = op.getType().getRank(); dim < rank; ++dim) {
      int64_t role =
          llvm::find(op.getResultDims(), dim) - op.getResultDims().begin();
      if (role == ConvolveOp::kFeature &&
          (op.getFeatureGroups() > 1 || op.getBatchGroups() > 1))
        group = count++;
      (role == ConvolveOp::kBatch ? batch
       : role == ConvolveOp::kFeature
           ? out
           : positions[role - ConvolveOp::kSpatial]) = count++;
    }
    parallel = count;
    for (int64_t dim = 0, rank = op.getType().getRank(); dim < rank; ++dim) {
      int64_t role = llvm::find(op.getRhsDims(), dim) - op.getRhsDims().begin();
      if (role != ConvolveOp::kOut)
        (role == ConvolveOp::kIn ? in : elements[role - ConvolveOp::kSpatial]) =
            count++;
    }
  }

  int64_t count = 0, parallel = 0;
  int64_t batch = 0, out = 0, in = 0;
  std::optional<int64_t> group;
  SmallVector<int64_t> positions, elements;
};

/// What is multiplied and added in a nest of loops: operands, and which of
/// their elements each iteration reads.
struct Nest {
  Shaped lhs, rhs;
  AffineMap lhsMap, rhsMap;
  /// Of the result, whose dims are the parallel loops.
  SmallVector<OpFoldResult> sizes;
  int64_t count;
};

/// The sums, which start at the rank 0 tensor `zero`.
Value emitNest(RewriterBase &rewriter, Location loc, LoweringContext &context,
               const Nest &nest, Type element, Value zero);

/// The result of `nest`, whose loops are `loops`, by one that IREE makes better
/// code of, and copies. Nothing where it is as good as it is, where too little
/// is known, and where copies would cost too much.
std::optional<Value> emitArranged(RewriterBase &rewriter, ConvolveOp op,
                                  LoweringContext &context, const Loops &loops,
                                  const Nest &nest, Type element, Value zero);

} // namespace mlir::wax::convolution

#endif // WAX_PASSES_LOWERING_CONVOLVE_H
