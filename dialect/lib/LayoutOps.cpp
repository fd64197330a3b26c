//===- LayoutOps.cpp - permute, reshape, pad and concat -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// permute
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(PermuteOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (!isPermutation(permutation, getTensor(op.getOperand()).getRank()))
    return fault("permute_c1", list(permutation),
                 " is not a permutation of the dims of ",
                 op.getOperand().getType());
  RelationBuilder builder(sizes, fault);
  builder.addResult(
      llvm::map_to_vector(permutation, [&](int64_t dim) -> AffineExpr {
        return sizes.dim(op.getOperand(), dim);
      }));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(PermuteOp)
WAX_INFER_FROM_RULE(PermuteOp)

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

static LogicalResult checkGroups(ArrayAttr groups, int64_t rank, Fault fault,
                                 StringRef side) {
  int64_t next = 0;
  for (Attribute group : groups)
    for (int64_t dim : cast<DenseI64ArrayAttr>(group).asArrayRef())
      if (dim != next++)
        return fault("reshape_c1", "the groups of the ", side, " list dim ",
                     dim, " where dim ", next - 1, " comes next");
  if (next != rank)
    return fault("reshape_c1", "the groups of the ", side, " list ",
                 count(next, "dim"), ", but it has rank ", rank);
  return success();
}

/// The result's type says which of its dims are static.
static FailureOr<ShapeRelation> relate(ReshapeOp::Adaptor op,
                                       RankedTensorType result,
                                       const SizeSources &sizes, Fault fault) {
  RankedTensorType operand = getTensor(op.getOperand());
  if (op.getSourceGroups().size() != op.getResultGroups().size())
    return fault("reshape_c1", thereAre(op.getSourceGroups().size(), "group"),
                 " on the left, but ",
                 count(op.getResultGroups().size(), "group"), " on the right");
  if (failed(checkGroups(op.getSourceGroups(), operand.getRank(), fault,
                         "operand")) ||
      failed(
          checkGroups(op.getResultGroups(), result.getRank(), fault, "result")))
    return failure();
  if (operand.getElementType() != result.getElementType())
    return fault("reshape_c4", "the operand's element type is ",
                 operand.getElementType(), ", but the result's is ",
                 result.getElementType());

  RelationBuilder builder(sizes, fault);
  ValueRange given = op.getSizes();
  SmallVector<AffineExpr> dims;
  for (auto [sourceGroup, resultGroup] :
       llvm::zip(op.getSourceGroups(), op.getResultGroups())) {
    ArrayRef<int64_t> source =
        cast<DenseI64ArrayAttr>(sourceGroup).asArrayRef();
    ArrayRef<int64_t> group = cast<DenseI64ArrayAttr>(resultGroup).asArrayRef();
    AffineExpr sourceProduct = sizes.constant(1);
    for (int64_t dim : source)
      sourceProduct = sourceProduct * sizes.dim(op.getOperand(), dim);
    AffineExpr resultProduct = sizes.constant(1);
    for (int64_t dim : group) {
      AffineExpr size;
      if (!result.isDynamicDim(dim)) {
        size = sizes.constant(result.getDimSize(dim));
      } else if (group.size() == 1 && !isa<AffineConstantExpr>(sourceProduct)) {
        size = sourceProduct;
      } else if (given.empty()) {
        return fault("reshape_c3", "there is no entry of sizes for result dim ",
                     dim);
      } else {
        size = sizes.size(given.front());
        given = given.drop_front();
        if (failed(builder.requireAtMost(sizes.constant(0), size, "reshape_c3",
                                         "the size of result dim ", dim,
                                         " is negative")))
          return failure();
      }
      resultProduct = resultProduct * size;
      dims.push_back(size);
    }
    if (failed(builder.requireEqual(
            sourceProduct, resultProduct, "reshape_c2", "operand dims ",
            list(source), " of ", operand, " do not have as many elements as ",
            "result dims ", list(group), " of ", result)))
      return failure();
  }
  if (!given.empty())
    return fault("reshape_c3", thereAre(given.size(), "entry"),
                 " of sizes more than is taken");
  builder.addResult(std::move(dims));
  return builder.take();
}

FailureOr<ShapeRelation> ReshapeOp::getShapeRelation() {
  return relate(Adaptor(*this), getType(),
                SizeSources(getContext(), (*this)->getOperands()),
                Fault(std::nullopt, getOperationName()));
}

LogicalResult
ReshapeOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  return reifyRelation(*this, builder, shapes);
}

LogicalResult ReshapeOp::verify() {
  return relate(Adaptor(*this), getType(),
                SizeSources(getContext(), (*this)->getOperands()),
                Fault(getLoc(), getOperationName()));
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(PadOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RankedTensorType operand = getTensor(op.getOperand());
  int64_t rank = operand.getRank();
  auto checkRank = [&](ArrayRef<int64_t> values, StringRef name) {
    if (static_cast<int64_t>(values.size()) == rank)
      return success();
    return LogicalResult(fault("pad_c1", name, " is ", list(values),
                               ", but the operand has rank ", rank));
  };
  if (failed(checkRank(op.getLow(), "low")) ||
      failed(checkRank(op.getHigh(), "high")) ||
      failed(checkRank(op.getInterior(), "interior")))
    return failure();
  if (operand.getElementType() != getTensor(op.getValue()).getElementType())
    return fault("pad_c4", "the value is of ", op.getValue().getType(),
                 ", but the operand of ", operand);

  RelationBuilder builder(sizes, fault);
  if (failed(builder.requireWithin(op.getInterior(), 0, kGreatestAmount,
                                   "pad_c2", "interior")) ||
      failed(builder.requireWithin(op.getLow(), -kGreatestAmount,
                                   kGreatestAmount, "pad_c6", "low")) ||
      failed(builder.requireWithin(op.getHigh(), -kGreatestAmount,
                                   kGreatestAmount, "pad_c6", "high")))
    return failure();
  SmallVector<AffineExpr> dims;
  for (int64_t dim : llvm::seq(rank)) {
    int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
    int64_t interior = op.getInterior()[dim];
    AffineExpr size = sizes.dim(op.getOperand(), dim);
    AffineExpr padded = size + (low + high);
    if (interior > 0) {
      if (operand.isDynamicDim(dim)) {
        // The size is affine only where there is something to lie between.
        if (failed(builder.requireAtMost(sizes.constant(1), size, "pad_c5",
                                         "dim ", dim, " has no element")))
          return failure();
        padded = padded + (size - 1) * interior;
      } else if (int64_t known = getStaticSize(size); known > 0) {
        if (known - 1 > kMostElements / interior)
          return fault("pad_c2", "interior ", interior, " makes dim ", dim,
                       " of size ", known, " larger than 2^47");
        padded = padded + (size - 1) * interior;
      }
    }
    if (failed(builder.requireAtMost(
            sizes.constant(0), padded, "pad_c3", "dim ", dim, " of size ",
            operand.getDimSize(dim), " becomes negative with low ", low,
            ", high ", high, " and interior ", interior)))
      return failure();
    dims.push_back(padded);
  }
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(PadOp)
WAX_INFER_FROM_RULE(PadOp)

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(ConcatOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (op.getInputs().empty())
    return fault("concat_c1", "there is no operand");
  RankedTensorType first = getTensor(op.getInputs().front());
  int64_t rank = first.getRank();
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    RankedTensorType type = getTensor(operand);
    if (type.getElementType() != first.getElementType() ||
        type.getRank() != rank)
      return fault("concat_c1", "operand ", i, " is ", type,
                   ", but operand 0 is ", first,
                   ": element types and ranks must be equal");
  }
  int64_t along = op.getDim();
  if (failed(checkDim(along, rank, "concat_c2", "operands'", fault)))
    return failure();

  RelationBuilder builder(sizes, fault);
  JoinedDims joined(builder, rank, "concat_c3", /*isMapped=*/false);
  AffineExpr sum = sizes.constant(0);
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    for (int64_t dim : llvm::seq(rank))
      if (dim != along && failed(joined.join(dim, operand, i, dim)))
        return failure();
    sum = sum + sizes.dim(operand, along);
  }
  joined.set(along, sum);
  builder.addResult(joined.take());
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ConcatOp)
WAX_INFER_FROM_RULE(ConcatOp)

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(ReverseOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  int64_t rank = getTensor(op.getOperand()).getRank();
  if (failed(checkIncreasing(op.getDims(), rank, "reverse_c1", "operand's",
                             fault)))
    return failure();
  RelationBuilder builder(sizes, fault);
  builder.addResult(
      llvm::map_to_vector(llvm::seq(rank), [&](int64_t dim) -> AffineExpr {
        return sizes.dim(op.getOperand(), dim);
      }));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ReverseOp)
WAX_INFER_FROM_RULE(ReverseOp)
