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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Elements of a group that vectors along it are of, or half of them.
static constexpr int64_t groupLanes = 16;

/// What a factor is with the dims that were joined before the product reads it,
/// as those of groups that have a scale each. Null where a vector may be of two
/// groups.
static tensor::CollapseShapeOp getJoin(Product product, unsigned number) {
  Value factor = product.op.getInputs()[number];
  auto join = factor.getDefiningOp<tensor::CollapseShapeOp>();
  if (!join || !join.getSrcType().hasStaticShape())
    return nullptr;
  AffineMap map = product.op.getIndexingMapsArray()[number];
  bool isByRows = map.getDimPosition(map.getNumResults() - 1) != product.column;
  bool isWhole =
      isByRows && join.getSrcType().getShape().back() % groupLanes == 0;
  return isWhole || join.getReassociationIndices().back().size() == 1 ? join
                                                                      : nullptr;
}

/// What makes a factor, if vectors can.
static std::optional<RowReader> getMaps(Product product, unsigned number) {
  Value factor = product.op.getInputs()[number];
  // Whoever asks for an open size reads it, too.
  if (!factor.hasOneUse() ||
      !cast<RankedTensorType>(factor.getType()).hasStaticShape())
    return std::nullopt;
  Operation *reader = product.op;
  if (tensor::CollapseShapeOp join = getJoin(product, number)) {
    reader = join;
    factor = join.getSrc();
  }
  int64_t rank = cast<RankedTensorType>(factor.getType()).getRank();
  RowReader maps(reader, rank, /*along=*/1, /*isLate=*/true);
  if (!maps.add(factor) || !maps.hasProducers())
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
  Value factor = product.op.getInputs()[number];
  tensor::CollapseShapeOp join = getJoin(product, number);
  int64_t rank = join ? join.getSrcType().getRank()
                      : cast<RankedTensorType>(factor.getType()).getRank();
  // Scales of columns, or of groups, are few.
  unsigned bits = 0;
  for (Value read : maps->getReadAlong())
    if (auto type = cast<RankedTensorType>(read.getType());
        type.getRank() == rank)
      bits += getStoredType(type.getElementType()).getIntOrFloatBitWidth();
  return bits < getElementTypeOrSelf(factor).getIntOrFloatBitWidth();
}

FactorReader::FactorReader(ImplicitLocOpBuilder &builder, Product product,
                           unsigned number)
    : loc(builder.getLoc()), factor(product.op.getInputs()[number]) {
  if (!product.isMadeOfLess || number == product.rowFactor)
    return;
  maps = getMaps(product, number);
  if (!maps)
    return;
  maps->mergeRows(builder, loc);
  join = getJoin(product, number);
}

Value FactorReader::read(OpBuilder &builder, ArrayRef<Value> place,
                         int64_t lanes, Value mask) {
  if (!maps)
    return readLanes(builder, loc, factor, place, lanes, mask);
  SmallVector<Value> indices(place);
  if (join) {
    indices.clear();
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
        builder.getContext(), join.getSrcType().getShape());
    for (auto [group, index] :
         llvm::zip_equal(join.getReassociationIndices(), place))
      llvm::append_range(
          indices,
          getRowIndices(builder, loc, index,
                        ArrayRef(sizes).slice(group.front(), group.size())));
  }
  Value first = indices.pop_back_val();
  maps->startRow(builder, loc, indices, lanes);
  Value made = maps->read(builder, loc, first, mask).front();
  if (!mask)
    return made;
  Value zeros = arith::ConstantOp::create(builder, loc,
                                          builder.getZeroAttr(made.getType()));
  return arith::SelectOp::create(builder, loc, mask, made, zeros);
}
