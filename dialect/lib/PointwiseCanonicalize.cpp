//===- PointwiseCanonicalize.cpp - Simpler maps and broadcasts ------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "SizeRule.h"

#include "wax/Dialect/Copies.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

static bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

OpFoldResult MapOp::fold(FoldAdaptor adaptor) {
  if (getForwardedArgument(getKernel()) && getOperand().getType() == getType())
    return getOperand();
  auto dims = llvm::to_vector(llvm::seq(getType().getRank()));
  return foldKernel(getKernel(), getType(), adaptor.getOperand(),
                    [&](unsigned) { return ArrayRef(dims); });
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && isIdentity(getOperandDims(0)) &&
      getForwardedArgument(getKernel()) &&
      getInputs().front().getType() == getType())
    return getInputs().front();
  return foldKernel(getKernel(), getType(), adaptor.getInputs(),
                    [&](unsigned i) { return getOperandDims(i); });
}

//===----------------------------------------------------------------------===//
// Broadcasts over other operands
//===----------------------------------------------------------------------===//

namespace {
/// What a broadcast reads, in a form that is easy to change.
struct Reading {
  explicit Reading(BroadcastOp op) : sizes(op.getType().getRank()) {
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      inputs.push_back(input);
      dims.emplace_back(op.getOperandDims(i));
    }
    for (auto [dim, size] : llvm::zip(op.getFreeDims(), op.getMixedSizes()))
      sizes[dim] = size;
  }

  /// Puts the kernel of `op`, which must take these operands, over them.
  BroadcastOp replace(BroadcastOp op, RewriterBase &rewriter) {
    SmallVector<OpFoldResult> freeSizes(
        llvm::make_filter_range(sizes, [](OpFoldResult s) { return bool(s); }));
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> staticSizes;
    dispatchIndexOpFoldResults(freeSizes, dynamicSizes, staticSizes);
    SmallVector<Attribute> dimMaps =
        llvm::map_to_vector(dims, [&](ArrayRef<int64_t> map) -> Attribute {
          return rewriter.getDenseI64ArrayAttr(map);
        });
    auto made = BroadcastOp::create(
        rewriter, op.getLoc(), op.getType(), inputs, dynamicSizes,
        rewriter.getArrayAttr(dimMaps), staticSizes);
    rewriter.inlineRegionBefore(op.getKernel(), made.getKernel(),
                                made.getKernel().end());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, made);
    return made;
  }

  SmallVector<Value> inputs;
  SmallVector<SmallVector<int64_t>> dims;
  /// For each result dim its size, if it is free; null otherwise.
  SmallVector<OpFoldResult> sizes;
};

/// One operand read twice in the same way is read once.
struct MergeOperands : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Reading reading(op);
    Block &kernel = op.getKernel().front();
    for (unsigned j : llvm::seq<unsigned>(1, reading.inputs.size()))
      for (unsigned i : llvm::seq<unsigned>(0, j)) {
        if (reading.inputs[i] != reading.inputs[j] ||
            reading.dims[i] != reading.dims[j])
          continue;
        rewriter.replaceAllUsesWith(kernel.getArgument(j),
                                    kernel.getArgument(i));
        rewriter.modifyOpInPlace(op, [&] { kernel.eraseArgument(j); });
        reading.inputs.erase(reading.inputs.begin() + j);
        reading.dims.erase(reading.dims.begin() + j);
        reading.replace(op, rewriter);
        return success();
      }
    return failure();
  }
};

/// An operand that the kernel does not use goes; dims that only it has become
/// free. It stays where its sizes must still be compared with another's.
struct DropUnusedOperand : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Block &kernel = op.getKernel().front();
    if (op.getInputs().size() < 2)
      return failure();
    for (BlockArgument argument : kernel.getArguments()) {
      unsigned i = argument.getArgNumber();
      if (!argument.use_empty() || !canDrop(op, i))
        continue;
      Reading reading(op);
      Value dropped = reading.inputs[i];
      SmallVector<int64_t> dims = reading.dims[i];
      reading.inputs.erase(reading.inputs.begin() + i);
      reading.dims.erase(reading.dims.begin() + i);
      for (auto [dim, resultDim] : llvm::enumerate(dims)) {
        if (llvm::any_of(reading.dims, [&](ArrayRef<int64_t> other) {
              return llvm::is_contained(other, resultDim);
            }))
          continue;
        reading.sizes[resultDim] =
            tensor::getMixedSize(rewriter, op.getLoc(), dropped, dim);
      }
      rewriter.modifyOpInPlace(op, [&] { kernel.eraseArgument(i); });
      reading.replace(op, rewriter);
      return success();
    }
    return failure();
  }

  static bool canDrop(BroadcastOp op, unsigned i) {
    SizeSources sizes(op.getContext(), op->getOperands());
    Value dropped = op.getInputs()[i];
    for (auto [dim, resultDim] : llvm::enumerate(op.getOperandDims(i)))
      for (auto [j, other] : llvm::enumerate(op.getInputs())) {
        if (i == j)
          continue;
        const int64_t *found = llvm::find(op.getOperandDims(j), resultDim);
        if (found == op.getOperandDims(j).end())
          continue;
        int64_t otherDim = found - op.getOperandDims(j).begin();
        if (sizes.dim(dropped, dim) != sizes.dim(other, otherDim))
          return false;
      }
    return true;
  }
};

} // namespace

/// Has an operand of a broadcast be what another one copies.
static bool readThroughCopy(
    BroadcastOp op, Reading &reading, unsigned i,
    llvm::function_ref<bool(OpFoldResult, Value, int64_t)> isSizeOf) {
  auto inner = reading.inputs[i].getDefiningOp<BroadcastOp>();
  if (!inner || inner.getInputs().size() != 1 ||
      !getForwardedArgument(inner.getKernel()))
    return false;
  SmallVector<std::pair<int64_t, OpFoldResult>> made;
  for (auto [dim, size] :
       llvm::zip(inner.getFreeDims(), inner.getMixedSizes())) {
    int64_t resultDim = reading.dims[i][dim];
    bool covered = false;
    for (auto [j, other] : llvm::enumerate(reading.inputs)) {
      const int64_t *found = llvm::find(reading.dims[j], resultDim);
      if (i == j || found == reading.dims[j].end())
        continue;
      covered = true;
      if (!isSizeOf(size, other, found - reading.dims[j].begin()))
        return false;
    }
    if (!covered)
      made.push_back({resultDim, size});
  }
  for (auto [dim, size] : made)
    reading.sizes[dim] = size;
  SmallVector<int64_t> dims =
      llvm::map_to_vector(inner.getOperandDims(0),
                          [&](int64_t dim) { return reading.dims[i][dim]; });
  reading.inputs[i] = inner.getInputs().front();
  reading.dims[i] = dims;
  return true;
}

BroadcastOp mlir::wax::readThroughCopy(
    BroadcastOp op, RewriterBase &rewriter,
    llvm::function_ref<bool(OpFoldResult, Value, int64_t)> isSizeOf) {
  Reading reading(op);
  for (unsigned i : llvm::seq<unsigned>(0, reading.inputs.size()))
    if (::readThroughCopy(op, reading, i, isSizeOf))
      return reading.replace(op, rewriter);
  return nullptr;
}

namespace {
/// Reads through a permute, or through a broadcast that only copies.
struct ReadThrough : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Reading reading(op);
    for (unsigned i : llvm::seq<unsigned>(0, reading.inputs.size()))
      if (throughPermute(reading, i)) {
        reading.replace(op, rewriter);
        return success();
      }
    return success(bool(readThroughCopy(op, rewriter, isSizeOf)));
  }

  static bool throughPermute(Reading &reading, unsigned i) {
    auto permute = reading.inputs[i].getDefiningOp<PermuteOp>();
    if (!permute)
      return false;
    SmallVector<int64_t> dims(reading.dims[i].size());
    for (auto [from, to] : llvm::zip(reading.dims[i], permute.getPermutation()))
      dims[to] = from;
    reading.inputs[i] = permute.getOperand();
    reading.dims[i] = dims;
    return true;
  }

  static bool isSizeOf(OpFoldResult size, Value tensor, int64_t dim) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return *constant == type.getDimSize(dim);
    auto dimOp = cast<Value>(size).getDefiningOp<tensor::DimOp>();
    return dimOp && dimOp.getSource() == tensor &&
           dimOp.getConstantIndex() == dim;
  }
};

/// Sizes that are constants become static; the result's type follows. Sizes
/// that it refuses stay, for the check at run time.
struct StaticSizes : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    if (failed(foldDynamicIndexList(sizes, /*onlyNonNegative=*/true)))
      return failure();
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> staticSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    BroadcastOp::Properties properties = op.getProperties();
    properties.static_sizes = rewriter.getDenseI64ArrayAttr(staticSizes);
    properties.operandSegmentSizes[1] = dynamicSizes.size();
    SmallVector<Value> operands(op.getInputs());
    llvm::append_range(operands, dynamicSizes);
    if (!isValidWith(op, operands, properties))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      op.getProperties() = properties;
    });
    return success();
  }
};

/// A broadcast of one operand that adds no dim is a permute, a map, or both;
/// it is written as one of them where it is only one.
struct SingleOperand : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || !op.getStaticSizes().empty())
      return failure();
    Value operand = op.getInputs().front();
    ArrayRef<int64_t> dims = op.getOperandDims(0);
    if (isIdentity(dims)) {
      auto map = MapOp::create(rewriter, op.getLoc(), op.getType(), operand);
      rewriter.inlineRegionBefore(op.getKernel(), map.getKernel(),
                                  map.getKernel().end());
      rewriter.replaceOp(op, map);
      return success();
    }
    if (!getForwardedArgument(op.getKernel()))
      return failure();
    SmallVector<int64_t> permutation(dims.size());
    for (auto [dim, resultDim] : llvm::enumerate(dims))
      permutation[resultDim] = dim;
    rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getType(), operand,
                                           permutation);
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<MergeOperands, DropUnusedOperand, ReadThrough, StaticSizes,
              SingleOperand>(context);
}
