//===- FactorReader.cpp - A product's factor, by vectors ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorReader.h"

#include "../lowering/Stored.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// What makes a factor, if vectors can.
static std::optional<RowReader> getMaps(Product product, unsigned number) {
  Value factor = product.op.getInputs()[number];
  int64_t rank = cast<RankedTensorType>(factor.getType()).getRank();
  RowReader maps(product.op, rank, /*along=*/1, /*isLate=*/true);
  if (!factor.hasOneUse() || !maps.add(factor) || !maps.hasProducers())
    return std::nullopt;
  return maps;
}

bool mlir::wax::isMadeOfLess(Product product) {
  unsigned number = 1 - product.rowFactor;
  std::optional<RowReader> maps = getMaps(product, number);
  if (!maps || maps->isMadeBy([](Block &body) {
        return !isCheap(cast<linalg::GenericOp>(body.getParentOp()),
                        [](Value) { return false; });
      }))
    return false;
  auto factor =
      cast<RankedTensorType>(product.op.getInputs()[number].getType());
  // A scale of each column is in the nearest cache.
  unsigned bits = 0;
  for (Value read : maps->getReadAlong())
    if (auto type = cast<RankedTensorType>(read.getType());
        type.getRank() == factor.getRank())
      bits += getStoredType(type.getElementType()).getIntOrFloatBitWidth();
  return bits < factor.getElementTypeBitWidth();
}

FactorReader::FactorReader(ImplicitLocOpBuilder &builder, Product product,
                           unsigned number)
    : loc(builder.getLoc()), factor(product.op.getInputs()[number]) {
  if (!product.isMadeOfLess || number == product.rowFactor)
    return;
  maps = getMaps(product, number);
  maps->mergeRows(builder, loc);
}

Value FactorReader::read(OpBuilder &builder, ArrayRef<Value> place,
                         int64_t lanes, Value mask) {
  if (!maps)
    return readLanes(builder, loc, factor, place, lanes, mask);
  maps->startRow(builder, loc, place.drop_back(), lanes);
  Value made = maps->read(builder, loc, place.back(), mask).front();
  if (!mask)
    return made;
  Value zeros = arith::ConstantOp::create(builder, loc,
                                          builder.getZeroAttr(made.getType()));
  return arith::SelectOp::create(builder, loc, mask, made, zeros);
}
