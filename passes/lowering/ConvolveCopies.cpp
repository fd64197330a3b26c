//===- ConvolveCopies.cpp - Convolutions in forms that IREE is fast at ----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convolve.h"
#include "Dispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::convolution;

namespace {

/// Makes `count` dims from `first` on one.
void mergeDims(OpBuilder &builder, Location loc, Shaped &shaped, int64_t first,
               int64_t count) {
  if (count == 1)
    return;
  SmallVector<OpFoldResult> sizes(shaped.sizes);
  for (int64_t dim = first + 1; dim < first + count; ++dim)
    sizes[first] = multiply(builder, loc, {sizes[first], sizes[dim]});
  sizes.erase(sizes.begin() + first + 1, sizes.begin() + first + count);
  shaped.value = tensor::CollapseShapeOp::create(
      builder, loc, getTensorType(sizes, getElementTypeOrSelf(shaped.value)),
      shaped.value, getGroups(sizes.size(), first, count));
  shaped.sizes = sizes;
}

/// IREE 3.13 makes good code of two spatial dims with the features behind them,
/// and of products of matrices. Other nests are brought into such a form by
/// copies, in which what the kernel sees along dims that are unfolded is
/// features, and along dims that stay it is as it was.
class Arrangement {
public:
  static std::optional<Arrangement> get(ConvolveOp op, const Loops &loops,
                                        ArrayRef<OpFoldResult> loopSizes);

  /// The result of `nest`, whose loops are `loops`.
  Value emit(RewriterBase &rewriter, LoweringContext &context, const Nest &nest,
             Type element, Value zero);

private:
  Arrangement(ConvolveOp op, const Loops &loops,
              ArrayRef<OpFoldResult> loopSizes)
      : op(op), loops(loops), loopSizes(loopSizes) {}

  Shaped copy(OpBuilder &builder, LoweringContext &context, Shaped source,
              AffineMap map, ArrayRef<int64_t> order,
              ArrayRef<OpFoldResult> sizes);

  ConvolveOp op;
  Loops loops;
  SmallVector<OpFoldResult> loopSizes;
  /// Spatial dims.
  SmallVector<int64_t> unfolded, staying;
};

std::optional<Arrangement> Arrangement::get(ConvolveOp op, const Loops &loops,
                                            ArrayRef<OpFoldResult> loopSizes) {
  if (isa<ComplexType>(getElementTypeOrSelf(op.getType())) ||
      isKnownEmpty(loopSizes))
    return std::nullopt;
  auto sizeOf = [&](int64_t loop) {
    return getConstantIntValue(loopSizes[loop]);
  };
  Arrangement made(op, loops, loopSizes);
  SmallVector<int64_t> wide;
  int64_t copies = 1;
  bool overlaps = false;
  for (auto [i, element] : llvm::enumerate(loops.elements)) {
    std::optional<int64_t> size = sizeOf(element);
    if (!size)
      return std::nullopt;
    (*size == 1 ? made.unfolded : wide).push_back(i);
    overlaps |= *size > op.getStrides()[i];
  }
  bool depthwise =
      loops.group && sizeOf(loops.in) == 1 && sizeOf(loops.out) == 1;
  if (depthwise) {
    made.unfolded.clear();
    made.staying = llvm::to_vector(llvm::seq<int64_t>(loops.elements.size()));
    return made;
  }
  if (!loops.group && wide.empty())
    return std::nullopt;
  size_t stay = !loops.group && overlaps ? std::min<size_t>(wide.size(), 2) : 0;
  for (int64_t i : ArrayRef<int64_t>(wide).drop_back(stay)) {
    made.unfolded.push_back(i);
    copies *= llvm::divideCeil(*sizeOf(loops.elements[i]), op.getStrides()[i]);
  }
  made.staying.assign(wide.end() - stay, wide.end());
  llvm::sort(made.unfolded);
  constexpr int64_t mostCopies = 64;
  if (copies > mostCopies)
    return std::nullopt;
  return made;
}

/// The dim that `loop` is in.
int64_t getDimOf(AffineMap map, int64_t loop) {
  int64_t dim = 0;
  while (!map.getResult(dim).isFunctionOfDim(loop))
    ++dim;
  return dim;
}

/// `source`, read by `map` as loops of `sizes` say, with the loops `order` for
/// dims.
Shaped Arrangement::copy(OpBuilder &builder, LoweringContext &context,
                         Shaped source, AffineMap map, ArrayRef<int64_t> order,
                         ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  // Loops that are not dims have one iteration.
  SmallVector<AffineExpr> dims(map.getNumDims(),
                               builder.getAffineConstantExpr(0));
  Shaped made;
  for (auto [dim, loop] : llvm::enumerate(order)) {
    dims[loop] = builder.getAffineDimExpr(dim);
    made.sizes.push_back(sizes[loop]);
  }
  AffineMap read = map.replaceDimsAndSymbols(dims, {}, order.size(), 0);
  RankedTensorType type =
      getTensorType(made.sizes, getElementTypeOrSelf(source.value));
  if (read.isIdentity()) {
    made.value = castTo(builder, loc, type, source.value);
    return made;
  }
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(made.sizes, dynamicSizes, staticSizes);
  // Within the nest, IREE would read what is copied in strides.
  made.value = emitDispatch(
      builder, loc, context, type, dynamicSizes, [&](OpBuilder &inside) {
        Value empty = tensor::EmptyOp::create(inside, loc, made.sizes,
                                              type.getElementType());
        SmallVector<AffineMap> maps{
            read, inside.getMultiDimIdentityMap(order.size())};
        SmallVector<utils::IteratorType> types(order.size(),
                                               utils::IteratorType::parallel);
        return SmallVector<Value>{
            linalg::GenericOp::create(
                inside, loc, type, source.value, empty, maps, types,
                [](OpBuilder &body, Location loc, ValueRange scalars) {
                  linalg::YieldOp::create(body, loc, scalars[0]);
                })
                .getResult(0)};
      })[0];
  return made;
}

Value Arrangement::emit(RewriterBase &rewriter, LoweringContext &context,
                        const Nest &nest, Type element, Value zero) {
  Location loc = op.getLoc();
  int64_t stay = staying.size();
  OpFoldResult one = rewriter.getIndexAttr(1);
  auto isOne = [&](int64_t loop) { return isOneInteger(loopSizes[loop]); };

  // What is summed over and unfolded, in the order of the kernel's dims.
  SmallVector<int64_t> summed, stayingElements, batches{loops.batch}, kept;
  for (int64_t i : unfolded)
    batches.push_back(loops.positions[i]);
  for (int64_t i : staying) {
    kept.push_back(loops.positions[i]);
    stayingElements.push_back(loops.elements[i]);
  }
  for (int64_t loop = loops.parallel; loop < loops.count; ++loop)
    if (!llvm::is_contained(stayingElements, loop))
      summed.push_back(loop);

  // The operand: batches, spatial dims that stay, groups, summed.
  SmallVector<int64_t> order;
  bool groupFirst = loops.group && !stay;
  if (groupFirst)
    order.push_back(*loops.group);
  llvm::append_range(order, batches);
  llvm::append_range(order, kept);
  if (loops.group && !groupFirst)
    order.push_back(*loops.group);
  int64_t firstSummed = order.size();
  for (int64_t loop : summed)
    if (!isOne(loop) || loop == loops.in)
      order.push_back(loop);
  SmallVector<AffineExpr> exprs(nest.lhsMap.getResults());
  SmallVector<OpFoldResult> sizes(loopSizes);
  for (int64_t i : staying) {
    int64_t dim = getDimOf(nest.lhsMap, loops.positions[i]);
    exprs[dim] = rewriter.getAffineDimExpr(loops.positions[i]);
    sizes[loops.positions[i]] = nest.lhs.sizes[dim];
  }
  AffineMap lhsMap =
      AffineMap::get(loops.count, 0, exprs, rewriter.getContext());
  Shaped lhs = copy(rewriter, context, nest.lhs, lhsMap, order, sizes);
  mergeDims(rewriter, loc, lhs, firstSummed, order.size() - firstSummed);
  mergeDims(rewriter, loc, lhs, groupFirst, batches.size());

  // The kernel.
  SmallVector<int64_t> rhsOrder;
  for (AffineExpr expr : nest.rhsMap.getResults())
    rhsOrder.push_back(cast<AffineDimExpr>(expr).getPosition());
  auto first = llvm::search(rhsOrder, summed);
  if (stay || first == rhsOrder.end()) {
    rhsOrder = stayingElements;
    llvm::append_range(rhsOrder, summed);
    if (loops.group)
      rhsOrder.push_back(*loops.group);
    rhsOrder.push_back(loops.out);
  }
  Shaped rhs =
      copy(rewriter, context, nest.rhs, nest.rhsMap, rhsOrder, loopSizes);
  int64_t rhsSummed = llvm::search(rhsOrder, summed) - rhsOrder.begin();
  mergeDims(rewriter, loc, rhs, rhsSummed, summed.size());

  // Where one spatial dim stays, another, of one element, goes before it.
  int64_t units = stay == 1 ? 1 : 0;
  int64_t batchDim = groupFirst ? 1 : 0;
  if (units) {
    splitDim(rewriter, loc, lhs, batchDim, {lhs.sizes[batchDim], one});
    splitDim(rewriter, loc, rhs, 0, {one, rhs.sizes[0]});
  }

  // Loops: those of `outer`, the batches merged, and outs; elements, summed.
  int64_t firstStaying = batchDim + 1 + units;
  int64_t group = groupFirst ? 0 : firstStaying + stay;
  int64_t out = firstStaying + stay + (loops.group && !groupFirst ? 1 : 0);
  int64_t firstElement = out + 1 + units;
  int64_t sum = firstElement + stay, count = sum + 1;
  auto loop = [&](int64_t number) { return rewriter.getAffineDimExpr(number); };

  Nest made{lhs, rhs, {}, {}, lhs.sizes, count};
  SmallVector<AffineExpr> lhsExprs, rhsExprs;
  for (int64_t dim = 0; dim < out; ++dim)
    lhsExprs.push_back(loop(dim));
  lhsExprs.push_back(loop(sum));
  for (auto [n, i] : llvm::enumerate(staying)) {
    lhsExprs[firstStaying + n] =
        loop(firstStaying + n) * op.getStrides()[i] +
        loop(firstElement + n) * op.getRhsDilations()[i];
    made.sizes[firstStaying + n] = loopSizes[loops.positions[i]];
  }
  made.sizes.back() = loopSizes[loops.out];
  if (units) {
    lhsExprs[firstStaying - 1] =
        loop(firstStaying - 1) + loop(firstElement - 1);
    rhsExprs.push_back(loop(firstElement - 1));
  }
  for (int64_t old : rhsOrder) {
    if (old == summed.front())
      rhsExprs.push_back(loop(sum));
    else if (old == loops.group)
      rhsExprs.push_back(loop(group));
    else if (old == loops.out)
      rhsExprs.push_back(loop(out));
    else if (auto *found = llvm::find(stayingElements, old);
             found != stayingElements.end())
      rhsExprs.push_back(
          loop(firstElement + (found - stayingElements.begin())));
  }
  made.lhsMap = AffineMap::get(count, 0, lhsExprs, rewriter.getContext());
  made.rhsMap = AffineMap::get(count, 0, rhsExprs, rewriter.getContext());
  Shaped sums{{}, made.sizes};
  if (units) {
    // Outside of a dispatch, IREE removes the dim again.
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> staticSizes;
    dispatchIndexOpFoldResults(made.sizes, dynamicSizes, staticSizes);
    sums.value =
        emitDispatch(rewriter, loc, context, getTensorType(made.sizes, element),
                     dynamicSizes, [&](OpBuilder &) {
                       return SmallVector<Value>{emitNest(
                           rewriter, loc, context, made, element, zero)};
                     })[0];
    mergeDims(rewriter, loc, sums, batchDim, 2);
  } else {
    sums.value = emitNest(rewriter, loc, context, made, element, zero);
  }

  // Back into the order of the result's dims.
  SmallVector<int64_t> resultOrder(
      ArrayRef<int64_t>(order).take_front(firstSummed));
  resultOrder.push_back(loops.out);
  splitDim(rewriter, loc, sums, batchDim,
           llvm::map_to_vector(batches,
                               [&](int64_t loop) { return loopSizes[loop]; }));
  AffineMap map =
      getSelectionMap(rewriter.getContext(), loops.parallel, resultOrder);
  if (map.isIdentity())
    return sums.value;
  RankedTensorType type = getTensorType(nest.sizes, element);
  Value empty = tensor::EmptyOp::create(rewriter, loc, nest.sizes, element);
  SmallVector<AffineMap> maps{map,
                              rewriter.getMultiDimIdentityMap(loops.parallel)};
  SmallVector<utils::IteratorType> types(loops.parallel,
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, type, sums.value, empty, maps, types,
             [](OpBuilder &body, Location loc, ValueRange scalars) {
               linalg::YieldOp::create(body, loc, scalars[0]);
             })
      .getResult(0);
}

} // namespace

std::optional<Value>
convolution::emitArranged(RewriterBase &rewriter, ConvolveOp op,
                          LoweringContext &context, const Loops &loops,
                          const Nest &nest, Type element, Value zero) {
  SmallVector<OpFoldResult> sizes(nest.sizes);
  sizes.resize(loops.count);
  for (auto [expr, size] :
       llvm::zip_equal(nest.rhsMap.getResults(), nest.rhs.sizes))
    sizes[cast<AffineDimExpr>(expr).getPosition()] = size;
  std::optional<Arrangement> arrangement = Arrangement::get(op, loops, sizes);
  if (!arrangement)
    return std::nullopt;
  return arrangement->emit(rewriter, context, nest, element, zero);
}
