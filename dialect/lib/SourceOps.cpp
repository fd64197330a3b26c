//===- SourceOps.cpp - iota and constant ----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(IotaOp::Adaptor op,
                                       RankedTensorType result,
                                       const SizeSources &sizes, Fault fault) {
  int64_t along = op.getDim();
  if (failed(checkDim(along, result.getRank(), "iota_c1", "result's", fault)))
    return failure();
  if (isa<ComplexType>(result.getElementType()))
    return fault("iota_c3", "the element type is ", result.getElementType(),
                 ", but must be an integer or a float type");
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> dims =
      builder.getSizes(result.getShape(), op.getSizes(), "iota_c2");
  if (failed(dims))
    return failure();
  builder.addResult(std::move(*dims));
  return builder.take();
}

FailureOr<ShapeRelation> IotaOp::getShapeRelation() {
  return relate(Adaptor(*this), getType(),
                SizeSources(getContext(), (*this)->getOperands()),
                Fault(std::nullopt, getOperationName()));
}

LogicalResult IotaOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyRelation(*this, builder, shapes);
}

LogicalResult IotaOp::verify() {
  return relate(Adaptor(*this), getType(),
                SizeSources(getContext(), (*this)->getOperands()),
                Fault(getLoc(), getOperationName()));
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

FailureOr<ShapeRelation> ConstantOp::getShapeRelation() {
  SizeSources sizes(getContext(), {});
  RelationBuilder builder(sizes, Fault(std::nullopt, getOperationName()));
  builder.addResult(
      llvm::map_to_vector(cast<RankedTensorType>(getType()).getShape(),
                          [&](int64_t size) { return sizes.constant(size); }));
  return builder.take();
}

LogicalResult ConstantOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getType());
  Fault fault(getLoc(), getOperationName());
  if (!type || !type.hasStaticShape() || !isElementType(type.getElementType()))
    return fault(
        "constant_c1", "the type is ", getType(),
        ", but must be a static ranked tensor of an element type of the "
        "dialect");
  // The parser takes pairs of numbers for elements of any type.
  auto dense = dyn_cast<DenseElementsAttr>(getValue());
  bool isSplat = false;
  if (dense &&
      !DenseElementsAttr::isValidRawBuffer(type, dense.getRawData(), isSplat))
    return fault("constant_c1", "the elements are not of the type ", type);
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }
