//===- Stored.cpp - Elements as memory holds them -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stored.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

Type mlir::wax::getStoredType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

Value mlir::wax::convertStored(OpBuilder &builder, Location loc, Value value,
                               Type element) {
  Type type = value.getType(), own = getElementTypeOrSelf(type);
  if (own == element)
    return value;
  if (isa<RankedTensorType>(type))
    return createElementwise(
        builder, loc, value, element,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          return convertStored(body, loc, scalars[0], element);
        });
  Type made = element;
  if (auto vector = dyn_cast<VectorType>(type))
    made = vector.clone(element);
  if (own.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, made, value);
  return arith::TruncIOp::create(builder, loc, made, value);
}

Value mlir::wax::createElementwise(OpBuilder &builder, Location loc,
                                   Value tensor, Type element,
                                   ElementBody body) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), element);
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), tensor, empty, maps, loops,
             [&](OpBuilder &inside, Location loc, ValueRange scalars) {
               linalg::YieldOp::create(inside, loc, body(inside, loc, scalars));
             })
      .getResult(0);
}
