//===- Simplify.cpp - Canonicalization of the basis -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Carries.h"
#include "../building/Tensors.h"
#include "UnitDims.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "wax/Dialect/ExactFolding.h"
#include "wax/Dialect/MaxSteps.h"
#include "wax/Passes/IREE.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SIMPLIFY
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
/// Stands for the driver's own folding.
struct FoldExactly : RewritePattern {
  explicit FoldExactly(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(),
                       std::numeric_limits<uint16_t>::max() - 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    // Of the elements of a tensor, upstream makes a constant of `arith`, where
    // the basis has its own.
    if (isa<tensor::FromElementsOp>(op) || !foldsExactly(op))
      return failure();
    SmallVector<Value> results;
    rewriter.startOpModification(op);
    if (failed(rewriter.tryFold(op, results))) {
      rewriter.cancelOpModification(op);
      return failure();
    }
    rewriter.finalizeOpModification(op);
    if (!results.empty())
      rewriter.replaceOp(op, results);
    return success();
  }
};

/// A tensor that is inserted into itself, as one of another type, replaces all
/// of it by what it was. IREE would copy it onto itself, which it refuses.
struct InsertIntoItself : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getSourceType().getRank() != op.getDestType().getRank() ||
        withoutCasts(op.getSource()) != withoutCasts(op.getDest()))
      return failure();
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

/// A slice of what is the same everywhere is that in fewer places. Of a size
/// that IREE 3.13 does not know it would be written outside of every dispatch.
/// Upstream's `SwapExtractSliceOfFill` leaves fills that others read too.
struct SliceOfFill : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto fill = op.getSource().getDefiningOp<linalg::FillOp>();
    if (!fill)
      return failure();
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
      if (!dropped[dim])
        sizes.push_back(size);
    Location loc = op.getLoc();
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          op.getType().getElementType());
    Value made = linalg::FillOp::create(rewriter, loc, fill.getInputs(), empty)
                     .getResult(0);
    if (made.getType() != op.getType())
      made = tensor::CastOp::create(rewriter, loc, op.getType(), made);
    rewriter.replaceOp(op, made);
    return success();
  }
};

/// The sizes of a pad of which there are no elements. MLIR's own passes would
/// take a slice at an offset that it has not.
static std::optional<SmallVector<OpFoldResult>>
getSizesOfNothing(OpBuilder &builder, tensor::PadOp op) {
  if (!iree::hasNoElements(op.getResultType()))
    return std::nullopt;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, op.getSource());
  for (auto [size, low, high] :
       llvm::zip_equal(sizes, op.getMixedLowPad(), op.getMixedHighPad()))
    size = addSizes(builder, loc, addSizes(builder, loc, size, low), high);
  return sizes;
}

/// Of what is computed and cast: of what is filled IREE 3.13 would make a
/// constant that cannot be loaded.
static std::optional<SmallVector<OpFoldResult>>
getSizesOfNothing(OpBuilder &builder, tensor::CastOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !iree::hasNoElements(type) ||
      !op.getSource().getDefiningOp<linalg::LinalgOp>())
    return std::nullopt;
  return getSizes(builder, op.getLoc(), op.getSource());
}

/// Of dims that were merged: of no rows of an open number MLIR's own
/// bufferization makes a merged dim of size 0, where it goes on with an open
/// one.
static std::optional<SmallVector<OpFoldResult>>
getSizesOfNothing(OpBuilder &builder, tensor::CollapseShapeOp op) {
  if (!iree::hasNoElements(op.getSrcType()))
    return std::nullopt;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> given = getSizes(builder, loc, op.getSrc()), sizes;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    OpFoldResult size = builder.getIndexAttr(1);
    for (int64_t dim : group) {
      if (op.getSrcType().getDimSize(dim) == 0) {
        size = builder.getIndexAttr(0);
        break;
      }
      size = builder.createOrFold<arith::MulIOp>(
          loc, getValueOrCreateConstantIndexOp(builder, loc, size),
          getValueOrCreateConstantIndexOp(builder, loc, given[dim]));
    }
    sizes.push_back(size);
  }
  return sizes;
}

/// Of pieces: MLIR's own bufferization takes slices of a whole with other open
/// dims that begin where it ends.
static std::optional<SmallVector<OpFoldResult>>
getSizesOfNothing(OpBuilder &builder, tensor::ConcatOp op) {
  if (!iree::hasNoElements(op.getResultType()))
    return std::nullopt;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      getSizes(builder, loc, op.getInputs().front());
  OpFoldResult &along = sizes[op.getDim()];
  for (Value piece : op.getInputs().drop_front())
    along = addSizes(builder, loc, along,
                     getSizes(builder, loc, piece)[op.getDim()]);
  return sizes;
}

/// Whether all that reads a map takes parts of it, which have no more elements
/// together than it has.
static bool isReadInParts(MapOp map) {
  RankedTensorType type = map.getType();
  if (map->hasOneUse())
    return true;
  if (!type.hasStaticShape())
    return false;
  int64_t count = 0;
  return llvm::all_of(map->getUsers(), [&](Operation *user) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || !slice.getType().hasStaticShape())
      return false;
    count += slice.getType().getNumElements();
    return count <= type.getNumElements();
  });
}

/// A part of what a map makes is made of parts.
struct SliceOfMap : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto map = slice.getOperand().getDefiningOp<MapOp>();
    // A loop may take the same part in several turns.
    if (!map || map->getBlock() != slice->getBlock() || !isReadInParts(map))
      return failure();
    RankedTensorType type = slice.getType();
    auto part = cast<SliceOp>(rewriter.clone(*slice));
    rewriter.modifyOpInPlace(part, [&] {
      part.getOperandMutable().assign(map.getOperand());
      part.getResult().setType(cast<RankedTensorType>(
          type.clone(getElementTypeOrSelf(map.getOperand()))));
    });
    auto made = cast<MapOp>(rewriter.clone(*map));
    rewriter.modifyOpInPlace(made, [&] {
      made.getOperandMutable().assign(part);
      made.getResult().setType(type);
    });
    rewriter.replaceOp(slice, made);
    return success();
  }
};

/// What has no elements is not made of others.
template <typename Op> struct MakeOfNothing : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<SmallVector<OpFoldResult>> sizes =
        getSizesOfNothing(rewriter, op);
    if (!sizes)
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (auto [size, known] : llvm::zip_equal(*sizes, type.getShape()))
      if (!ShapedType::isDynamic(known))
        size = rewriter.getIndexAttr(known);
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), *sizes,
                                          type.getElementType());
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, empty);
    return success();
  }
};

/// Around what has no elements stands what is padded, and nothing else. The dim
/// may be open, and known to be empty since all of the result's is padding.
struct PadAroundNothing : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    RankedTensorType type = op.getResultType();
    SmallVector<OpFoldResult> low = op.getMixedLowPad();
    SmallVector<OpFoldResult> high = op.getMixedHighPad();
    auto isPadding = [&](int64_t dim) {
      std::optional<int64_t> before = getConstantIntValue(low[dim]);
      std::optional<int64_t> after = getConstantIntValue(high[dim]);
      return op.getSourceType().getDimSize(dim) == 0 ||
             (before && after && *before + *after == type.getDimSize(dim));
    };
    if (!padding || iree::hasNoElements(type) ||
        llvm::none_of(llvm::seq(type.getRank()), isPadding))
      return failure();
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getSource());
    auto add = [&](OpFoldResult lhs, OpFoldResult rhs) -> OpFoldResult {
      return rewriter.createOrFold<arith::AddIOp>(
          loc, getValueOrCreateConstantIndexOp(rewriter, loc, lhs),
          getValueOrCreateConstantIndexOp(rewriter, loc, rhs));
    };
    for (int64_t dim : llvm::seq(type.getRank()))
      sizes[dim] = type.isDynamicDim(dim)
                       ? add(add(sizes[dim], low[dim]), high[dim])
                       : rewriter.getIndexAttr(type.getDimSize(dim));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, padding, empty);
    return success();
  }
};

/// Loops that turn for no element leave what was there. Of such sizes, which
/// may show only where casts are folded, IREE 3.13 makes a division by 0.
struct LoopsOfNoTurn : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !llvm::is_contained(op.getStaticLoopRanges(), 0))
      return failure();
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
};

/// An input that a nest does not read, next to one that it does along the same
/// dims, is none. Of what it is made for nobody IREE 3.13 takes away so late
/// that a dispatch is left with its empty tensor.
struct UnreadInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
    for (auto [place, input] : llvm::enumerate(inputs)) {
      auto replacesIt = [&](OpOperand *other) {
        return op.payloadUsesValueFromOperand(other) &&
               maps[other->getOperandNumber()] == maps[place];
      };
      if (op.payloadUsesValueFromOperand(input) ||
          llvm::none_of(inputs, replacesIt))
        continue;
      maps.erase(maps.begin() + place);
      rewriter.modifyOpInPlace(op, [&, place = place] {
        op.getInputsMutable().erase(place);
        op.getBody()->eraseArgument(place);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// A nest that reads nothing, and gives one number everywhere, is a fill. Of
/// what is gathered from a nest, in an order of dims, IREE 3.13 makes a
/// transposition of the places, once it finds that all that may be read is the
/// same.
struct FillByNest : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.getInputs().empty() ||
        op->getNumResults() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        !op.getIndexingMapsArray().front().isIdentity())
      return failure();
    Value number = op.getBody()->getTerminator()->getOperand(0);
    if (!number.getType().isIntOrFloat() ||
        !matchPattern(number, m_Constant()) ||
        number.getParentBlock() == op.getBody())
      return failure();
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, number, op.getOutputs());
    return success();
  }
};

/// Pieces whose sizes a cast forgets tell that of the whole. IREE 3.13 finds it
/// out by itself, and then has one result of two types.
struct ConcatOfCasts : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> pieces;
    // The sizes that all pieces have, unless casts contradict each other.
    RankedTensorType type = op.getResultType();
    SmallVector<int64_t> known(type.getRank(), ShapedType::kDynamic);
    for (Value piece : op.getInputs()) {
      auto cast = piece.getDefiningOp<tensor::CastOp>();
      bool forgets = cast && tensor::preservesStaticInformation(
                                 piece.getType(), cast.getSource().getType());
      pieces.push_back(forgets ? cast.getSource() : piece);
      auto shape =
          mlir::cast<RankedTensorType>(pieces.back().getType()).getShape();
      for (auto [dim, size] : llvm::enumerate(shape)) {
        if (dim == op.getDim() || ShapedType::isDynamic(size))
          continue;
        if (!ShapedType::isDynamic(known[dim]) && known[dim] != size)
          return failure();
        known[dim] = size;
      }
    }
    if (llvm::equal(pieces, op.getInputs()))
      return failure();
    auto made = tensor::ConcatOp::inferResultType(
        op.getDim(), llvm::to_vector(ValueRange(pieces).getTypes()));
    if (!tensor::CastOp::areCastCompatible(TypeRange(made), TypeRange(type)))
      return failure();
    Value whole = tensor::ConcatOp::create(rewriter, op.getLoc(), made,
                                           op.getDim(), pieces);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, whole);
    return success();
  }
};

/// Upstream's patterns make loops anew, without what is said of them besides.
struct KeepMaxSteps : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override {
    for (Value value : replacement)
      if (Operation *made = value ? value.getDefiningOp() : nullptr;
          made && made->getName() == op->getName())
        keepMaxSteps(op, made);
  }
};

struct Simplify : wax::impl::SimplifyBase<Simplify> {
  using SimplifyBase::SimplifyBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    all.add<ConcatOfCasts, FoldExactly, InsertIntoItself, LoopsOfNoTurn,
            MakeOfNothing<tensor::CastOp>,
            MakeOfNothing<tensor::CollapseShapeOp>,
            MakeOfNothing<tensor::ConcatOp>, MakeOfNothing<tensor::PadOp>,
            PadAroundNothing, SliceOfFill, SliceOfMap, UnreadInput, FillByNest>(
        context);
    populateCarryPatterns(all);
    populateUnitDimPatterns(all);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    // Of two transposes of which one has static sizes it makes one of another
    // type than it should.
    SmallVector<StringRef> wrong{"FoldTransposeWithTranspose"};
    if (keepBranches)
      wrong.append({"ConvertTrivialIfToSelect", "CombineIfs"});
    // Compilers spell the names of patterns in two ways.
    SmallVector<std::string> disabled;
    for (StringRef scope : {"", "(anonymous namespace)::", "{anonymous}::"})
      for (StringRef pattern : wrong)
        disabled.push_back((scope + pattern).str());
    patterns = FrozenRewritePatternSet(std::move(all), disabled);
    config.enableFolding(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    return success();
  }

  void runOnOperation() override {
    KeepMaxSteps listener;
    GreedyRewriteConfig config = this->config;
    config.setListener(&listener);
    // What does not settle in the usual number of turns is right as it is.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

  FrozenRewritePatternSet patterns;
  GreedyRewriteConfig config;
};
} // namespace
