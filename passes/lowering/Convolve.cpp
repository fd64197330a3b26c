//===- Convolve.cpp - convolve --------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convolve.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::convolution;

SmallVector<ReassociationIndices>
convolution::getGroups(int64_t rank, std::optional<int64_t> split,
                       int64_t parts) {
  SmallVector<ReassociationIndices> groups(rank);
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    for (int64_t part = 0, end = dim == split ? parts : 1; part < end; ++part)
      groups[dim].push_back(next++);
  return groups;
}

void convolution::splitDim(OpBuilder &builder, Location loc, Shaped &shaped,
                           int64_t dim, ArrayRef<OpFoldResult> sizes) {
  if (sizes.size() == 1)
    return;
  Type element = getElementTypeOrSelf(shaped.value);
  Value known =
      castTo(builder, loc, getTensorType(shaped.sizes, element), shaped.value);
  SmallVector<OpFoldResult> split(shaped.sizes);
  split.erase(split.begin() + dim);
  split.insert(split.begin() + dim, sizes.begin(), sizes.end());
  shaped.value = tensor::ExpandShapeOp::create(
      builder, loc, getTensorType(split, element), known,
      getGroups(shaped.sizes.size(), dim, sizes.size()), split);
  shaped.sizes = split;
}

namespace {

OpFoldResult divide(OpBuilder &builder, Location loc, OpFoldResult size,
                    int64_t divisor) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return builder.getIndexAttr(*constant / divisor);
  Value parts = arith::ConstantIndexOp::create(builder, loc, divisor);
  return arith::DivUIOp::create(builder, loc, cast<Value>(size), parts)
      .getResult();
}

SmallVector<OpFoldResult> splitSize(OpBuilder &builder, Location loc,
                                    ArrayRef<OpFoldResult> sizes, int64_t dim,
                                    int64_t groups) {
  SmallVector<OpFoldResult> split(sizes);
  split[dim] = divide(builder, loc, sizes[dim], groups);
  split.insert(split.begin() + dim, builder.getIndexAttr(groups));
  return split;
}

/// Makes dim `dim` two: the group, and what is in it.
void splitGroups(OpBuilder &builder, Location loc, Shaped &shaped, int64_t dim,
                 int64_t groups) {
  if (groups > 1)
    splitDim(builder, loc, shaped, dim,
             {builder.getIndexAttr(groups),
              divide(builder, loc, shaped.sizes[dim], groups)});
}

/// A scalar in a type as wide or wider; integers are signed.
Value widen(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IntegerType>(type))
    return arith::ExtSIOp::create(builder, loc, type, value);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, type, value);
  Type part = cast<ComplexType>(type).getElementType();
  Value re = complex::ReOp::create(builder, loc, value);
  Value im = complex::ImOp::create(builder, loc, value);
  return complex::CreateOp::create(builder, loc, type,
                                   widen(builder, loc, re, part),
                                   widen(builder, loc, im, part));
}

Value multiplyAndAdd(OpBuilder &builder, Location loc, Value lhs, Value rhs,
                     Value sum) {
  if (isa<IntegerType>(sum.getType())) {
    Value product = arith::MulIOp::create(builder, loc, lhs, rhs);
    return arith::AddIOp::create(builder, loc, sum, product);
  }
  if (isa<FloatType>(sum.getType())) {
    Value product = arith::MulFOp::create(builder, loc, lhs, rhs);
    return arith::AddFOp::create(builder, loc, sum, product);
  }
  Value product = complex::MulOp::create(builder, loc, lhs, rhs);
  return complex::AddOp::create(builder, loc, sum, product);
}

} // namespace

Value convolution::emitNest(RewriterBase &rewriter, Location loc,
                            LoweringContext &context, const Nest &nest,
                            Type element, Value zero) {
  int64_t parallel = nest.sizes.size();
  RankedTensorType type = getTensorType(nest.sizes, element);
  Value start = createFilled(rewriter, loc, type, nest.sizes, zero);
  SmallVector<utils::IteratorType> types(parallel,
                                         utils::IteratorType::parallel);
  types.append(nest.count - parallel, utils::IteratorType::reduction);
  AffineMap resultMap =
      getSelectionMap(rewriter.getContext(), nest.count,
                      llvm::to_vector(llvm::seq<int64_t>(parallel)));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, {nest.lhs.value, nest.rhs.value}, start,
      ArrayRef<AffineMap>{nest.lhsMap, nest.rhsMap, resultMap}, types,
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        Value sum =
            multiplyAndAdd(body, loc, widen(body, loc, scalars[0], element),
                           widen(body, loc, scalars[1], element), scalars[2]);
        linalg::YieldOp::create(body, loc, sum);
      });
  if (context.getTarget() == LoweringTarget::IREE) {
    SmallVector<SizedLoop> summed;
    for (auto [expr, size] :
         llvm::zip_equal(nest.rhsMap.getResults(), nest.rhs.sizes))
      if (int64_t loop = cast<AffineDimExpr>(expr).getPosition();
          loop >= parallel)
        summed.push_back({loop, size});
    hideConstantSteps(rewriter, generic, summed, context.getTarget());
  }
  return generic.getResult(0);
}

namespace {

/// Pads, splits the groups off, and multiplies and adds in one loop nest.
struct LowerConvolve
    : LowerableOpInterface::ExternalModel<LowerConvolve, ConvolveOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto convolve = cast<ConvolveOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(convolve.getResult().getType());
    Type element = type.getElementType();
    auto shapedOf = [&](Value value) {
      return Shaped{value, context.getSizes(rewriter, loc, value)};
    };
    Shaped lhs = shapedOf(convolve.getLhs()), rhs = shapedOf(convolve.getRhs());
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, convolve.getResult());
    Value zero = createZero(rewriter, loc, element);
    // What is padded is multiplied too: NaN in a kernel is one in the result.
    pad(rewriter, convolve, lhs);
    if (isKnownEmpty(lhs.sizes) || isKnownEmpty(rhs.sizes))
      return SmallVector<Value>{castTo(
          rewriter, loc, type, createFilled(rewriter, loc, type, sizes, zero))};
    cropToOne(rewriter, convolve, lhs, rhs.sizes, sizes);
    int64_t batchGroups = convolve.getBatchGroups();
    int64_t featureGroups = convolve.getFeatureGroups();
    int64_t outDim = convolve.getResultDims()[ConvolveOp::kFeature];
    splitGroups(rewriter, loc, lhs, convolve.getLhsDims()[ConvolveOp::kBatch],
                batchGroups);
    splitGroups(rewriter, loc, lhs, convolve.getLhsDims()[ConvolveOp::kFeature],
                featureGroups);
    splitGroups(rewriter, loc, rhs, convolve.getRhsDims()[ConvolveOp::kOut],
                batchGroups * featureGroups);

    Loops loops(convolve);
    SmallVector<OpFoldResult> splitSizes = sizes;
    if (loops.group)
      splitSizes =
          splitSize(rewriter, loc, sizes, outDim, batchGroups * featureGroups);
    SmallVector<AffineMap> maps = getMaps(rewriter, convolve, loops);
    Nest nest{lhs, rhs, maps[0], maps[1], splitSizes, loops.count};
    std::optional<Value> arranged;
    if (context.getTarget() == LoweringTarget::IREE)
      arranged =
          emitArranged(rewriter, convolve, context, loops, nest, element, zero);
    Value result = arranged
                       ? *arranged
                       : emitNest(rewriter, loc, context, nest, element, zero);
    if (loops.group)
      result = tensor::CollapseShapeOp::create(
          rewriter, loc, getTensorType(sizes, element), result,
          getGroups(sizes.size(), outDim));
    return SmallVector<Value>{castTo(rewriter, loc, type, result)};
  }

  /// Puts zeros around and between the elements of `lhs`, or crops it.
  static void pad(OpBuilder &builder, ConvolveOp convolve, Shaped &lhs) {
    int64_t rank = lhs.sizes.size();
    SmallVector<int64_t> low(rank), high(rank), interior(rank);
    for (auto [i, dim] : llvm::enumerate(
             convolve.getLhsDims().drop_front(ConvolveOp::kSpatial))) {
      low[dim] = convolve.getLow()[i];
      high[dim] = convolve.getHigh()[i];
      interior[dim] = convolve.getLhsDilations()[i] - 1;
    }
    Location loc = convolve.getLoc();
    Padding padding{low, high, interior};
    SmallVector<OpFoldResult> sizes =
        getPaddedSizes(builder, loc, lhs.sizes, padding);
    Value zero =
        createZero(builder, loc, getElementTypeOrSelf(lhs.value.getType()));
    lhs.value =
        createPadded(builder, loc, lhs.value, lhs.sizes, zero, padding, sizes);
    lhs.sizes = sizes;
  }

  /// Takes what lies behind the only window away: with the loop over it
  /// upstream drops its term, and then wants what is read to end where it does.
  static void cropToOne(OpBuilder &builder, ConvolveOp convolve, Shaped &lhs,
                        ArrayRef<OpFoldResult> rhsSizes,
                        ArrayRef<OpFoldResult> resultSizes) {
    SmallVector<OpFoldResult> sizes(lhs.sizes), elements;
    SmallVector<int64_t> dims, none, between;
    for (auto [i, dim] : llvm::enumerate(
             convolve.getLhsDims().drop_front(ConvolveOp::kSpatial))) {
      int64_t role = ConvolveOp::kSpatial + i;
      // Windows side by side leave nothing behind the last one.
      if (convolve.getStrides()[i] == 1 ||
          !isOneInteger(resultSizes[convolve.getResultDims()[role]]))
        continue;
      dims.push_back(dim);
      none.push_back(0);
      elements.push_back(rhsSizes[convolve.getRhsDims()[role]]);
      between.push_back(convolve.getRhsDilations()[i] - 1);
    }
    Location loc = convolve.getLoc();
    SmallVector<OpFoldResult> spans =
        getPaddedSizes(builder, loc, elements, {none, none, between});
    for (auto [dim, span] : llvm::zip_equal(dims, spans))
      sizes[dim] = span;
    if (isEqualConstantIntOrValueArray(sizes, lhs.sizes))
      return;
    SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
    lhs.value = tensor::ExtractSliceOp::create(builder, loc, lhs.value, zeros,
                                               sizes, ones);
    lhs.sizes = sizes;
  }

  static SmallVector<AffineMap> getMaps(OpBuilder &builder, ConvolveOp convolve,
                                        const Loops &loops) {
    auto loop = [&](int64_t number) {
      return builder.getAffineDimExpr(number);
    };
    auto makeMap = [&](ArrayRef<int64_t> dims,
                       function_ref<SmallVector<AffineExpr>(int64_t)> get) {
      SmallVector<AffineExpr> exprs;
      for (int64_t dim = 0, rank = dims.size(); dim < rank; ++dim)
        llvm::append_range(exprs, get(llvm::find(dims, dim) - dims.begin()));
      return AffineMap::get(loops.count, 0, exprs, builder.getContext());
    };
    auto grouped = [&](bool isGrouped, int64_t number) {
      SmallVector<AffineExpr> exprs;
      if (isGrouped)
        exprs.push_back(loop(*loops.group));
      exprs.push_back(loop(number));
      return exprs;
    };

    AffineMap lhs = makeMap(convolve.getLhsDims(), [&](int64_t role) {
      if (role == ConvolveOp::kBatch)
        return grouped(convolve.getBatchGroups() > 1, loops.batch);
      if (role == ConvolveOp::kFeature)
        return grouped(convolve.getFeatureGroups() > 1, loops.in);
      int64_t i = role - ConvolveOp::kSpatial;
      return SmallVector<AffineExpr>{
          loop(loops.positions[i]) * convolve.getStrides()[i] +
          loop(loops.elements[i]) * convolve.getRhsDilations()[i]};
    });
    AffineMap rhs = makeMap(convolve.getRhsDims(), [&](int64_t role) {
      if (role == ConvolveOp::kIn)
        return grouped(false, loops.in);
      if (role == ConvolveOp::kOut)
        return grouped(loops.group.has_value(), loops.out);
      return grouped(false, loops.elements[role - ConvolveOp::kSpatial]);
    });
    return {lhs, rhs};
  }
};

} // namespace

void mlir::wax::attachConvolveLowerings(MLIRContext *context) {
  ConvolveOp::attachInterface<LowerConvolve>(*context);
}
