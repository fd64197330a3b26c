//===- WindowCanonicalize.cpp - Simpler windows and convolutions ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "SizeRule.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// window
//===----------------------------------------------------------------------===//

OpFoldResult WindowOp::fold(FoldAdaptor adaptor) {
  if (getDims().empty() && getOperand().getType() == getType())
    return getOperand();
  if (Attribute constant =
          foldToSplat(getType(), getSplatElement(adaptor.getOperand())))
    return constant;
  ConstantElements elements(adaptor.getOperand());
  if (!elements)
    return {};
  int64_t rank = getTensor(getOperand()).getRank();
  return foldToElements(getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index.take_front(rank));
    for (auto [i, dim, stride, dilation] :
         llvm::enumerate(getDims(), getStrides(), getDilations()))
      source[dim] = index[dim] * stride + index[rank + i] * dilation;
    return elements[source];
  });
}

namespace {
/// Windows of one element each, one at each position, are dims of size 1.
struct DropUnitWindows : OpRewritePattern<WindowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowOp op,
                                PatternRewriter &rewriter) const override {
    auto isOne = [](int64_t entry) { return entry == 1; };
    if (op.getDims().empty() || !llvm::all_of(op.getSizes(), isOne) ||
        !llvm::all_of(op.getStrides(), isOne))
      return failure();
    int64_t rank = getTensor(op.getOperand()).getRank();
    SmallVector<Attribute> source, result;
    for (int64_t dim : llvm::seq(op.getType().getRank())) {
      auto group = rewriter.getDenseI64ArrayAttr(dim);
      source.push_back(dim < rank ? group : rewriter.getDenseI64ArrayAttr({}));
      result.push_back(group);
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        op, op.getType(), op.getOperand(), /*sizes=*/ValueRange(),
        rewriter.getArrayAttr(source), rewriter.getArrayAttr(result));
    return success();
  }
};

/// Windows along later dims of a tensor that shows windows already.
struct ComposeWindows : OpRewritePattern<WindowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<WindowOp>();
    if (!inner || inner.getDims().empty() || op.getDims().empty() ||
        op.getDims().front() <= inner.getDims().back() ||
        op.getDims().back() >= getTensor(inner.getOperand()).getRank())
      return failure();
    auto join = [](ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
      return llvm::to_vector(llvm::concat<const int64_t>(lhs, rhs));
    };
    rewriter.replaceOpWithNewOp<WindowOp>(
        op, op.getType(), inner.getOperand(),
        join(inner.getDims(), op.getDims()),
        join(inner.getSizes(), op.getSizes()),
        join(inner.getStrides(), op.getStrides()),
        join(inner.getDilations(), op.getDilations()));
    return success();
  }
};
} // namespace

void WindowOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<DropUnitWindows, ComposeWindows>(context);
}

//===----------------------------------------------------------------------===//
// fold
//===----------------------------------------------------------------------===//

namespace {
/// Without windowed dims each element is folded once, into `init`.
struct FoldEachOnce : OpRewritePattern<FoldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FoldOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDims().empty())
      return failure();
    Attribute dims[] = {rewriter.getDenseI64ArrayAttr(
                            llvm::to_vector(llvm::seq(op.getType().getRank()))),
                        rewriter.getDenseI64ArrayAttr({})};
    auto broadcast = BroadcastOp::create(
        rewriter, op.getLoc(), op.getType(),
        ValueRange{op.getOperand(), op.getInit()}, /*sizes=*/ValueRange(),
        rewriter.getArrayAttr(dims), rewriter.getDenseI64ArrayAttr({}));
    rewriter.inlineRegionBefore(op.getFold(), broadcast.getKernel(),
                                broadcast.getKernel().end());
    rewriter.replaceOp(op, broadcast);
    return success();
  }
};

/// Where there is nothing to fold, all is `init`.
struct FoldNoWindow : OpRewritePattern<FoldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FoldOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ShapeRelation> relation = op.getShapeRelation();
    if (failed(relation) || !relation->constraints.empty() ||
        !llvm::is_contained(getTensor(op.getOperand()).getShape(), 0))
      return failure();
    SizeSources sizes(op.getContext(), op->getOperands());
    SmallVector<OpFoldResult> shape =
        llvm::map_to_vector(relation->results.front(), [&](AffineExpr dim) {
          return materializeSize(rewriter, op.getLoc(), dim, sizes);
        });
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, op.getInit(), SmallVector<int64_t>(), shape,
        [](OpBuilder &, Location, ValueRange arguments) {
          return SmallVector<Value>(arguments);
        });
    return success();
  }
};
} // namespace

void FoldOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<FoldEachOnce, FoldNoWindow>(context);
}

//===----------------------------------------------------------------------===//
// convolve
//===----------------------------------------------------------------------===//

/// Whether a constant's element is a zero that adds nothing and has no sign.
static bool isZero(Attribute element) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(element))
    return integer.getValue().isZero();
  if (auto number = dyn_cast_if_present<FloatAttr>(element))
    return number.getValue().isPosZero();
  auto complex = dyn_cast_if_present<ArrayAttr>(element);
  return complex && llvm::all_of(complex, isZero);
}

namespace {
/// Zeros that are put around or between the spatial dims are the convolution's
/// own.
struct TakePadding : OpRewritePattern<ConvolveOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvolveOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getLhs().getDefiningOp<PadOp>();
    DenseElementsAttr value;
    if (!pad || !pad->hasOneUse() ||
        !matchPattern(pad.getValue(), m_Constant(&value)) ||
        !isZero(getSplatElement(value)))
      return failure();
    SmallVector<int64_t> low(op.getLow()), high(op.getHigh());
    SmallVector<int64_t> dilations(op.getLhsDilations());
    for (auto [role, dim] : llvm::enumerate(op.getLhsDims())) {
      int64_t before = pad.getLow()[dim], after = pad.getHigh()[dim];
      int64_t interior = pad.getInterior()[dim];
      if (before == 0 && after == 0 && interior == 0)
        continue;
      // What is cropped does not come back as zeros.
      if (role < ConvolveOp::kSpatial || before < 0 || after < 0)
        return failure();
      unsigned i = role - ConvolveOp::kSpatial;
      if (dilations[i] != 1)
        return failure();
      low[i] += before;
      high[i] += after;
      dilations[i] += interior;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().assign(pad.getOperand());
      op.setLow(low);
      op.setHigh(high);
      op.setLhsDilations(dilations);
    });
    return success();
  }
};
} // namespace

void ConvolveOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                             MLIRContext *context) {
  results.add<TakePadding>(context);
}
