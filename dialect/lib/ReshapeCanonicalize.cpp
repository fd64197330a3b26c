//===- ReshapeCanonicalize.cpp - Simpler reshapes -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "SizeRule.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

static ArrayRef<int64_t> getGroup(ArrayAttr groups, size_t i) {
  return cast<DenseI64ArrayAttr>(groups[i]).asArrayRef();
}

/// Whether nothing is left to be checked when the program runs.
static bool isProved(ReshapeOp op) {
  FailureOr<ShapeRelation> relation = op.getShapeRelation();
  return succeeded(relation) && relation->constraints.empty();
}

/// The product of some static sizes, or kDynamic; 0 if one of them is 0, as
/// the shape rule has it.
static int64_t getProduct(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  bool isDynamic = false;
  for (int64_t dim : dims) {
    if (type.getDimSize(dim) == 0)
      return 0;
    if (type.isDynamicDim(dim))
      isDynamic = true;
    else
      product *= type.getDimSize(dim);
  }
  return isDynamic ? ShapedType::kDynamic : product;
}

/// For each result dim, the entry of `sizes` that it takes, if it takes one.
static SmallVector<Value> getSizeOfDims(ReshapeOp op) {
  SmallVector<Value> sizes(op.getType().getRank());
  ValueRange given = op.getSizes();
  for (size_t i : llvm::seq(op.getSourceGroups().size())) {
    ArrayRef<int64_t> group = getGroup(op.getResultGroups(), i);
    int64_t product = getProduct(getTensor(op.getOperand()),
                                 getGroup(op.getSourceGroups(), i));
    for (int64_t dim : group) {
      if (!op.getType().isDynamicDim(dim) ||
          (group.size() == 1 && ShapedType::isDynamic(product)))
        continue;
      sizes[dim] = given.front();
      given = given.drop_front();
    }
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
      constant && getType().hasStaticShape())
    return constant.reshape(getType());
  if (getOperand().getType() != getType())
    return {};
  // With at most one dynamic dim a group, equal products are equal sizes.
  bool isSame = getType().hasStaticShape() ||
                (getSourceGroups() == getResultGroups() &&
                 llvm::all_of(getResultGroups(), [&](Attribute group) {
                   ArrayRef<int64_t> dims =
                       cast<DenseI64ArrayAttr>(group).asArrayRef();
                   return getProduct(getType(), dims) != 0 &&
                          llvm::count_if(dims, [&](int64_t dim) {
                            return getType().isDynamicDim(dim);
                          }) <= 1;
                 }));
  return isSame && isProved(*this) ? getOperand() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

namespace {
/// Groups of two reshapes, one after the other, as those of one.
struct ComposedGroups {
  ComposedGroups(ReshapeOp inner, ReshapeOp outer) {
    size_t innerEnd = inner.getSourceGroups().size();
    size_t outerEnd = outer.getSourceGroups().size();
    size_t i = 0, j = 0;
    while (i < innerEnd || j < outerEnd) {
      SmallVector<int64_t> &from = source.emplace_back();
      SmallVector<int64_t> &to = result.emplace_back();
      // How many dims between the two reshapes each side has used up.
      size_t made = 0, taken = 0, outerGroups = 0;
      auto takeInner = [&] {
        llvm::append_range(from, getGroup(inner.getSourceGroups(), i));
        made += getGroup(inner.getResultGroups(), i++).size();
      };
      auto takeOuter = [&] {
        llvm::append_range(to, getGroup(outer.getResultGroups(), j));
        taken += getGroup(outer.getSourceGroups(), j++).size();
        ++outerGroups;
      };
      if (i == innerEnd ||
          (j < outerEnd && getGroup(outer.getSourceGroups(), j).empty()))
        takeOuter();
      else
        takeInner();
      while (made != taken)
        made < taken ? takeInner() : takeOuter();
      mergesOuter |= outerGroups > 1;
    }
  }

  SmallVector<SmallVector<int64_t>> source, result;
  /// Groups of the outer reshape were put together.
  bool mergesOuter = false;
};

ArrayAttr getGroupsAttr(Builder &builder,
                        ArrayRef<SmallVector<int64_t>> groups) {
  return builder.getArrayAttr(
      llvm::map_to_vector(groups, [&](ArrayRef<int64_t> group) -> Attribute {
        return builder.getDenseI64ArrayAttr(group);
      }));
}

/// A reshape of a reshape is one, unless that would lose a check of sizes or
/// need a size that nobody has.
struct ComposeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner || !isProved(inner))
      return failure();
    ComposedGroups groups(inner, op);
    if (groups.mergesOuter && !isProved(op))
      return failure();

    RankedTensorType source = getTensor(inner.getOperand());
    SmallVector<Value> known = getSizeOfDims(op), sizes;
    for (auto [from, to] : llvm::zip(groups.source, groups.result)) {
      bool followsSource =
          to.size() == 1 && ShapedType::isDynamic(getProduct(source, from));
      for (int64_t dim : to) {
        if (!op.getType().isDynamicDim(dim))
          continue;
        if (followsSource == bool(known[dim]))
          return failure();
        if (known[dim])
          sizes.push_back(known[dim]);
      }
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        op, op.getType(), inner.getOperand(), sizes,
        getGroupsAttr(rewriter, groups.source),
        getGroupsAttr(rewriter, groups.result));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Static sizes
//===----------------------------------------------------------------------===//

/// Result dims become static where the operand before a `tensor.cast`, or a
/// constant entry of `sizes`, says so.
struct RefineReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    Value operand = op.getOperand();
    if (auto cast = operand.getDefiningOp<tensor::CastOp>();
        cast && tensor::canFoldIntoConsumerOp(cast))
      operand = cast.getSource();
    SmallVector<Value> known = getSizeOfDims(op), sizes;
    SmallVector<int64_t> shape(op.getType().getShape());
    for (size_t i : llvm::seq(op.getSourceGroups().size())) {
      ArrayRef<int64_t> group = getGroup(op.getResultGroups(), i);
      int64_t product =
          getProduct(getTensor(operand), getGroup(op.getSourceGroups(), i));
      for (int64_t dim : group) {
        if (!ShapedType::isDynamic(shape[dim]))
          continue;
        if (!known[dim]) {
          shape[dim] = product;
          continue;
        }
        std::optional<int64_t> constant = getConstantIntValue(known[dim]);
        if (constant && *constant >= 0)
          shape[dim] = *constant;
        else
          sizes.push_back(known[dim]);
      }
      // A contradiction is for the check at run time to report.
      int64_t refined = getProduct(op.getType().clone(shape), group);
      if (!ShapedType::isDynamic(product) && !ShapedType::isDynamic(refined) &&
          product != refined)
        return failure();
    }
    auto type = op.getType().clone(shape);
    if (operand == op.getOperand() && type == op.getType())
      return failure();
    Value refined =
        ReshapeOp::create(rewriter, op.getLoc(), type, operand, sizes,
                          op.getSourceGroups(), op.getResultGroups());
    rewriter.replaceOp(op, rewriter.createOrFold<tensor::CastOp>(
                               op.getLoc(), op.getType(), refined));
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ComposeReshapes, RefineReshape>(context);
}
