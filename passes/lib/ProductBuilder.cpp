//===- ProductBuilder.cpp - What loops of a product are made of -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductBuilder.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

ProductBuilder::ProductBuilder(ImplicitLocOpBuilder &builder, Product product)
    : builder(builder), product(product), sum(getProductSumType(product)),
      wide(getProductType(product)), rows(countTurns(product.rows)),
      columns(getSize(product.column)), summed(getSize(product.summed.back())),
      windows(countTurns(getWindows())) {}

SmallVector<Value> ProductBuilder::emitAt(OpBuilder &other,
                                          llvm::function_ref<Values()> emit) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(other.saveInsertionPoint());
  Values made = emit();
  other.restoreInsertionPoint(builder.saveInsertionPoint());
  return made;
}

SmallVector<Value>
ProductBuilder::loop(Value from, Value to, int64_t step, ValueRange carried,
                     llvm::function_ref<Values(Value, ValueRange)> body) {
  return emitLoop(
      builder, builder.getLoc(), from, to, constant(step), carried,
      [&](OpBuilder &inside, Location, Value index, ValueRange values) {
        return emitAt(inside, [&] { return body(index, values); });
      });
}

SmallVector<Value> ProductBuilder::emitColumns(
    Value width, int64_t lanes, ValueRange carried,
    llvm::function_ref<Values(Value column, Value mask, ValueRange carried)>
        body) {
  auto emitWhole = [&](Value column, ValueRange values) {
    return body(column, /*mask=*/Value(), values);
  };
  if (isMultiple(columns, lanes))
    return loop(constant(0), width, lanes, carried, emitWhole);
  Value rest = compute<arith::RemUIOp>(width, constant(lanes));
  Value whole = subtract(width, rest);
  return loop(whole, width, lanes,
              loop(constant(0), whole, lanes, carried, emitWhole),
              [&](Value column, ValueRange values) {
                Value mask = vector::CreateMaskOp::create(
                    builder, VectorType::get(lanes, builder.getI1Type()), rest);
                return body(column, mask, values);
              });
}

bool ProductBuilder::isMultiple(Value size, int64_t of) {
  std::optional<int64_t> known = getConstantIntValue(size);
  return known && *known % of == 0;
}

Value ProductBuilder::getSize(unsigned loop) {
  for (OpOperand &operand : product.op->getOpOperands()) {
    AffineMap map = product.op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> dim =
            map.getResultPosition(builder.getAffineDimExpr(loop)))
      return getValueOrCreateConstantIndexOp(
          builder, builder.getLoc(),
          tensor::getMixedSize(builder, builder.getLoc(), operand.get(), *dim));
  }
  llvm_unreachable("each loop goes along a dim");
}

Value ProductBuilder::countTurns(ArrayRef<unsigned> loops) {
  Value count = constant(1);
  for (unsigned loop : loops)
    count = multiply(count, getSize(loop));
  return count;
}

void ProductBuilder::setIndices(LoopIndices &indices, ArrayRef<unsigned> loops,
                                Value turn) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops)
    sizes.push_back(getAsOpFoldResult(getSize(loop)));
  Values places = getRowIndices(builder, builder.getLoc(), turn, sizes);
  for (auto [loop, place] : llvm::zip_equal(loops, places))
    indices[loop] = place;
}

SmallVector<Value> ProductBuilder::getPosition(AffineMap map,
                                               ArrayRef<Value> indices) {
  SmallVector<Value> position;
  for (AffineExpr dim : map.getResults())
    position.push_back(
        affine::expandAffineExpr(builder, builder.getLoc(), dim, indices, {}));
  return position;
}

Value ProductBuilder::convert(Value value, unsigned factor) {
  Type element = getElementTypeOrSelf(value.getType());
  Type to = wide;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(wide);
  if (element == wide)
    return value;
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(builder, to, value);
  auto input = product.op.getDpsInputOperand(factor);
  BlockArgument scalar = product.op.getMatchingBlockArgument(input);
  if (isa<arith::ExtUIOp>(*scalar.user_begin()))
    return arith::UIToFPOp::create(builder, to, value);
  return arith::SIToFPOp::create(builder, to, value);
}
