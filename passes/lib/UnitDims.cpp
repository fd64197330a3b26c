//===- UnitDims.cpp - Reshapes that add dims of one element ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitDims.h"

#include "wax/Dialect/Wax.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

/// The dims that a reshape adds, where it does nothing else and nothing is left
/// to be checked.
static std::optional<llvm::SmallBitVector> getAddedDims(ReshapeOp reshape) {
  FailureOr<ShapeRelation> relation = reshape.getShapeRelation();
  if (failed(relation) || !relation->constraints.empty())
    return std::nullopt;
  llvm::SmallBitVector added(reshape.getType().getRank());
  for (auto [from, to] :
       llvm::zip_equal(reshape.getSourceGroups(), reshape.getResultGroups())) {
    ArrayRef<int64_t> source = cast<DenseI64ArrayAttr>(from).asArrayRef();
    ArrayRef<int64_t> result = cast<DenseI64ArrayAttr>(to).asArrayRef();
    if (source.empty() && llvm::all_of(result, [&](int64_t dim) {
          return reshape.getType().getDimSize(dim) == 1;
        }))
      for (int64_t dim : result)
        added.set(dim);
    else if (source.size() != 1 || result.size() != 1)
      return std::nullopt;
  }
  return added;
}

/// `value` with the dims in `added`, where `type` has them.
static Value addDims(OpBuilder &builder, Location loc, Value value,
                     RankedTensorType type, const llvm::SmallBitVector &added) {
  SmallVector<Attribute> source, result;
  int64_t next = 0;
  for (int64_t dim : llvm::seq(type.getRank())) {
    result.push_back(builder.getDenseI64ArrayAttr(dim));
    source.push_back(builder.getDenseI64ArrayAttr(
        added[dim] ? ArrayRef<int64_t>() : ArrayRef<int64_t>(next)));
    next += !added[dim];
  }
  return ReshapeOp::create(builder, loc, type, value, ValueRange(),
                           builder.getArrayAttr(source),
                           builder.getArrayAttr(result));
}

namespace {

/// The operands of a pointwise operation without the dims that are added to
/// them.
struct WithoutAdded {
  SmallVector<Value> inputs;
  SmallVector<SmallVector<int64_t>> dims;
  llvm::SmallBitVector added;

  /// `dims` are those of the result that each operand has.
  static std::optional<WithoutAdded> of(RankedTensorType type,
                                        ValueRange inputs,
                                        ArrayRef<ArrayRef<int64_t>> dims) {
    WithoutAdded made;
    made.added.resize(type.getRank(), true);
    SmallVector<llvm::SmallBitVector> ofInputs;
    for (auto [input, own] : llvm::zip_equal(inputs, dims)) {
      auto reshape = input.getDefiningOp<ReshapeOp>();
      std::optional<llvm::SmallBitVector> found;
      if (reshape)
        found = getAddedDims(reshape);
      ofInputs.push_back(found ? *found : llvm::SmallBitVector(own.size()));
      for (auto [place, dim] : llvm::enumerate(own))
        if (!ofInputs.back()[place])
          made.added.reset(dim);
    }
    if (made.added.none())
      return std::nullopt;
    for (auto [input, own, found] : llvm::zip_equal(inputs, dims, ofInputs)) {
      SmallVector<int64_t> &left = made.dims.emplace_back();
      for (auto [place, dim] : llvm::enumerate(own)) {
        if (found[place] != made.added[dim])
          return std::nullopt;
        if (!found[place])
          left.push_back(dim - countBelow(made.added, dim));
      }
      made.inputs.push_back(
          found.any() ? input.getDefiningOp<ReshapeOp>().getOperand() : input);
    }
    return made;
  }

  RankedTensorType getType(RankedTensorType type) const {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!added[dim])
        shape.push_back(size);
    return type.clone(shape);
  }

private:
  static int64_t countBelow(const llvm::SmallBitVector &bits, int64_t end) {
    return llvm::count_if(bits.set_bits(),
                          [&](unsigned bit) { return bit < end; });
  }
};

/// Replaces `op` by `made`, which has its kernel, with dims added.
template <typename Op>
void replaceBy(PatternRewriter &rewriter, Op op, Op made,
               const WithoutAdded &without) {
  rewriter.inlineRegionBefore(op.getKernel(), made.getKernel(),
                              made.getKernel().end());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(
      op, addDims(rewriter, op.getLoc(), made, op.getType(), without.added));
}

struct MapWithoutUnitDims : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    auto all = llvm::to_vector(llvm::seq(op.getType().getRank()));
    auto without =
        WithoutAdded::of(op.getType(), op.getOperand(), ArrayRef<int64_t>(all));
    if (!without)
      return failure();
    replaceBy(rewriter, op,
              MapOp::create(rewriter, op.getLoc(),
                            without->getType(op.getType()),
                            without->inputs.front()),
              *without);
    return success();
  }
};

struct BroadcastWithoutUnitDims : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMixedSizes().empty())
      return failure();
    SmallVector<ArrayRef<int64_t>> dims;
    for (unsigned i : llvm::seq<unsigned>(op.getInputs().size()))
      dims.push_back(op.getOperandDims(i));
    auto without = WithoutAdded::of(op.getType(), op.getInputs(), dims);
    if (!without)
      return failure();
    SmallVector<Attribute> maps = llvm::map_to_vector(
        without->dims, [&](ArrayRef<int64_t> own) -> Attribute {
          return rewriter.getDenseI64ArrayAttr(own);
        });
    replaceBy(rewriter, op,
              BroadcastOp::create(
                  rewriter, op.getLoc(), without->getType(op.getType()),
                  without->inputs, ValueRange(), rewriter.getArrayAttr(maps),
                  ArrayRef<int64_t>()),
              *without);
    return success();
  }
};

} // namespace

void mlir::wax::populateUnitDimPatterns(RewritePatternSet &patterns) {
  patterns.add<MapWithoutUnitDims, BroadcastWithoutUnitDims>(
      patterns.getContext());
}
