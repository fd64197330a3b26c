//===- ProductWindows.cpp - Windows of a factor of a product --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductWindows.h"

#include "../lowering/Convolve.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Two loops, one inside the other, and the dims that they go along.
struct Pair {
  unsigned outer, inner;
  /// The factor with windows, and its first dim of two.
  unsigned factor, dim;
  /// The first dim of the other factor.
  unsigned otherDim;
};

} // namespace

/// Whether a loop goes along one dim alone, this one.
static bool goesAlong(AffineMap map, unsigned dim, unsigned loop) {
  return map.getResult(dim).isFunctionOfDim(loop) &&
         llvm::count_if(map.getResults(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(loop);
         }) == 1;
}

/// A dim's expression without a loop.
static AffineExpr remove(AffineExpr expr, unsigned loop) {
  MLIRContext *context = expr.getContext();
  return expr.replace(getAffineDimExpr(loop, context),
                      getAffineConstantExpr(0, context));
}

/// Whether a loop's turns are a dim's next elements, and no other's.
static bool isNext(AffineMap map, unsigned dim, unsigned loop) {
  AffineExpr expr = map.getResult(dim);
  AffineExpr next =
      remove(expr, loop) + getAffineDimExpr(loop, map.getContext());
  auto simplify = [&](AffineExpr one) {
    return simplifyAffineExpr(one, map.getNumDims(), 0);
  };
  return goesAlong(map, dim, loop) && simplify(next) == simplify(expr);
}

static std::optional<Pair> findPair(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  for (unsigned factor : {0, 1}) {
    AffineMap map = maps[factor], other = maps[1 - factor];
    if (map.isProjectedPermutation() || !other.isProjectedPermutation())
      continue;
    auto type = cast<RankedTensorType>(op.getInputs()[factor].getType());
    for (unsigned otherDim : llvm::seq(other.getNumResults() - 1)) {
      unsigned outer = other.getDimPosition(otherDim);
      unsigned inner = other.getDimPosition(otherDim + 1);
      if (!llvm::is_contained(summed, outer) ||
          !llvm::is_contained(summed, inner) ||
          ShapedType::isDynamic(sizes[inner]))
        continue;
      for (unsigned dim : llvm::seq(map.getNumResults() - 1))
        if (isa<AffineDimExpr>(map.getResult(dim + 1)) &&
            goesAlong(map, dim + 1, inner) && isNext(map, dim, outer) &&
            type.getDimSize(dim + 1) == sizes[inner])
          return Pair{outer, inner, factor, dim, otherDim};
    }
  }
  return std::nullopt;
}

linalg::GenericOp mlir::wax::mergeWindows(linalg::GenericOp op,
                                          RewriterBase &rewriter) {
  std::optional<Pair> pair = findPair(op);
  if (!pair)
    return nullptr;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs = op.getInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto merge = [&](unsigned factor, unsigned dim, AffineExpr expr) {
    SmallVector<AffineExpr> dims(maps[factor].getResults());
    inputs[factor] = tensor::CollapseShapeOp::create(
        rewriter, loc, inputs[factor],
        convolution::getGroups(dims.size() - 1, dim));
    dims[dim] = expr;
    dims.erase(dims.begin() + dim + 1);
    maps[factor] = AffineMap::get(op.getNumLoops(), 0, dims, op.getContext());
  };
  AffineExpr outer = rewriter.getAffineDimExpr(pair->outer);
  AffineExpr start =
      remove(maps[pair->factor].getResult(pair->dim), pair->outer);
  merge(pair->factor, pair->dim,
        start * op.getStaticLoopRanges()[pair->inner] + outer);
  merge(1 - pair->factor, pair->otherDim, outer);

  // Without the inner loop.
  SmallVector<AffineExpr> loops;
  for (unsigned loop : llvm::seq(op.getNumLoops()))
    loops.push_back(
        rewriter.getAffineDimExpr(loop > pair->inner ? loop - 1 : loop));
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(loops, {}, op.getNumLoops() - 1, 0);
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  types.erase(types.begin() + pair->inner);
  auto merged = linalg::GenericOp::create(rewriter, loc, op.getResultTypes(),
                                          inputs, op.getOutputs(), maps, types);
  IRMapping mapping;
  op.getRegion().cloneInto(&merged.getRegion(), mapping);
  return merged;
}
