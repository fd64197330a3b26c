//===- ProductSums.cpp - What a tile of a product sums up -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions for dot products take a register of words of each factor, and
// one of sums. That for bytes takes unsigned ones of one factor and signed ones
// of the other: where both are signed, those of the factor with rows are raised
// by 128, and so much of each column is subtracted again. All of that is exact,
// as sums are computed modulo 2^32.
//
//===----------------------------------------------------------------------===//

#include "ProductSums.h"

#include "../lowering/Vectors.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

SmallVector<Value> TileSums::start(int64_t count, RowStart getStart) {
  if (product.dot != Dot::None) {
    Values parts;
    for (int64_t row : llvm::seq(count))
      parts.append(split(getStart(row)));
    return parts;
  }
  auto type = VectorType::get({count, product.tile.lanes}, wide);
  Value sums =
      arith::ConstantOp::create(builder, type, builder.getZeroAttr(type));
  if (wide == sum)
    for (int64_t row : llvm::seq(count))
      sums = vector::InsertOp::create(builder, getStart(row), sums, row);
  return {sums};
}

SmallVector<Value> TileSums::split(Value row) {
  int64_t registerWords = getRegisterWords();
  if (product.tile.lanes == registerWords)
    return {row};
  Values parts;
  for (int64_t first = 0; first < product.tile.lanes; first += registerWords)
    parts.push_back(createShuffle(
        builder, builder.getLoc(), row,
        llvm::to_vector(llvm::seq(first, first + registerWords))));
  return parts;
}

SmallVector<Value> TileSums::addProducts(ValueRange sums,
                                         ArrayRef<Value> elements, Value row) {
  if (product.dot != Dot::None) {
    Values parts = split(row), added;
    for (auto [number, element] : llvm::enumerate(elements)) {
      Value all =
          createSplat(builder, builder.getLoc(), element, getRegisterWords());
      for (auto [place, part] : llvm::enumerate(parts))
        added.push_back(
            createDot(sums[number * parts.size() + place], all, part));
    }
    return added;
  }
  int64_t count = elements.size();
  Value column = vector::ShapeCastOp::create(
      builder, VectorType::get({count, 1}, wide),
      vector::FromElementsOp::create(builder, VectorType::get(count, wide),
                                     elements));
  Type type = sums.front().getType();
  Value products = arith::MulFOp::create(
      builder, vector::BroadcastOp::create(builder, type, column),
      vector::BroadcastOp::create(builder, type, row),
      arith::FastMathFlags::contract);
  return {arith::AddFOp::create(builder, products, sums.front(),
                                arith::FastMathFlags::contract)};
}

Value TileSums::getRow(ValueRange sums, int64_t row) {
  if (product.dot == Dot::None)
    return vector::ExtractOp::create(builder, sums.front(), row);
  int64_t count = product.tile.lanes / getRegisterWords();
  SmallVector<Value> parts(sums.slice(row * count, count));
  // Two halves at a time.
  while (parts.size() > 1) {
    int64_t lanes = cast<VectorType>(parts.front().getType()).getNumElements();
    SmallVector<Value> joined;
    for (size_t part = 0; part < parts.size(); part += 2)
      joined.push_back(
          vector::ShuffleOp::create(builder, parts[part], parts[part + 1],
                                    llvm::to_vector(llvm::seq(2 * lanes))));
    parts = joined;
  }
  return parts.front();
}

Value TileSums::finish(ValueRange sums, int64_t row, RowStart getStart) {
  Value made = getRow(sums, row);
  if (wide == sum)
    return made;
  Type type = VectorType::get(product.tile.lanes, sum);
  return arith::AddIOp::create(
      builder, arith::FPToSIOp::create(builder, type, made), getStart(row));
}

Value TileSums::createExcess(Value size,
                             llvm::function_ref<Value(Value)> readRow) {
  if (!isRaised())
    return {};
  auto type = VectorType::get(product.tile.lanes, wide);
  Value none =
      arith::ConstantOp::create(builder, type, builder.getZeroAttr(type));
  Value raise = arith::ConstantOp::create(
      builder, builder.getI32IntegerAttr(raisedBytes));
  Values sums =
      loop(constant(0), size, 1, start(1, [&](int64_t) { return none; }),
           [&](Value place, ValueRange carried) {
             return addProducts(carried, raise, readRow(place));
           });
  return getRow(sums, 0);
}
