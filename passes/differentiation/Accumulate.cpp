//===- Accumulate.cpp - Sums of cotangents --------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a box or a few elements are taken of has a cotangent that is zero all
// around. Added to a sum by itself it would be a whole tensor's work, in a loop
// at each turn: only what is taken is.
//
//===----------------------------------------------------------------------===//

#include "Folds.h"
#include "Walk.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

static bool isZeros(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  if (auto filled = value.getDefiningOp<BroadcastOp>()) {
    if (filled->getNumOperands() != 1 ||
        getForwardedArgument(filled.getKernel()) != 0u)
      return false;
    value = filled->getOperand(0);
  }
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  Attribute element = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().isZero();
  auto parts = dyn_cast<ArrayAttr>(element);
  return parts && llvm::all_of(parts, [](Attribute part) {
           return cast<FloatAttr>(part).getValue().isZero();
         });
}

/// The sum with an update added in a box.
static Value addBox(OpBuilder &builder, Value sum, InsertOp insert) {
  Location loc = insert.getLoc();
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(getSizes(builder, loc, insert.getUpdate()),
                             dynamicSizes, staticSizes);
  Value box = SliceOp::create(builder, loc, sum, insert.getOffsets(),
                              dynamicSizes, insert.getStaticOffsets(),
                              staticSizes, insert.getStrides());
  return InsertOp::create(
      builder, loc, createAdd(builder, loc, box, insert.getUpdate()), sum,
      insert.getOffsets(), insert.getStaticOffsets(), insert.getStrides());
}

Value mlir::wax::accumulate(OpBuilder &builder, Location loc, Value sum,
                            Value term) {
  if (!sum || !term || sum.getType() != term.getType())
    return createAdd(builder, loc, sum, term);
  if (isZeros(sum))
    return term;
  if (auto insert = term.getDefiningOp<InsertOp>())
    if (isZeros(insert.getOperand()))
      return addBox(builder, sum, insert);
  if (auto scatter = term.getDefiningOp<ScatterOp>())
    if (scatter.getInits().size() == 1 &&
        isSum(scatter.getFold(), /*inputCount=*/1) &&
        isZeros(scatter.getInits().front())) {
      auto added = cast<ScatterOp>(builder.clone(*scatter));
      added.getInitsMutable().assign(sum);
      return added->getResult(0);
    }
  return createAdd(builder, loc, sum, term);
}
