//===- FoldColumns.cpp - A reduction along dims that others follow --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along dims that others follow each lane folds a column of its own. IREE keeps
// accumulators of a few columns in registers and goes down all rows, from page
// to page of memory. Here a block of columns whose accumulators stay in the
// cache takes a few rows at a time, so that memory is read along rows.
//
//===----------------------------------------------------------------------===//

#include "VectorFold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Rows that accumulators take up before they go back to the cache.
static constexpr int64_t rowsAtOnce = 8;

/// A position `column` further along the last dim.
static SmallVector<Value> moveAlong(OpBuilder &builder, Location loc,
                                    ArrayRef<Value> position, Value column) {
  SmallVector<Value> moved(position);
  moved.back() = builder.createOrFold<arith::AddIOp>(loc, moved.back(), column);
  return moved;
}

SmallVector<Value> VectorFold::load(OpBuilder &builder, Location loc,
                                    ValueRange tensors, ValueRange place,
                                    Value mask) {
  SmallVector<Value> vectors;
  for (auto [tensor, init] : llvm::zip_equal(tensors, reduce.getInits())) {
    Value value = readLanes(builder, loc, tensor, place, lanes, mask);
    vectors.push_back(
        convertStored(builder, loc, value, getElementTypeOrSelf(init)));
  }
  return vectors;
}

SmallVector<Value> VectorFold::store(OpBuilder &builder, Location loc,
                                     ValueRange vectors, ValueRange tensors,
                                     ValueRange place, Value mask) {
  SmallVector<Value> written;
  for (auto [value, tensor] : llvm::zip_equal(vectors, tensors)) {
    Value stored =
        convertStored(builder, loc, value, getElementTypeOrSelf(tensor));
    written.push_back(writeLanes(builder, loc, stored, tensor, place, mask));
  }
  return written;
}

bool VectorFold::fitsRegisters(OpFoldResult width) {
  std::optional<int64_t> known = getConstantIntValue(width);
  std::optional<int64_t> rows = getProduct(getReduced());
  return (known && *known <= lanes) || (rows && *rows <= rowsAtOnce);
}

SmallVector<Value> VectorFold::foldInRegisters(OpBuilder &builder, Location loc,
                                               ValueRange indices, Value first,
                                               OpFoldResult width,
                                               ValueRange outputs,
                                               ArrayRef<Value> position) {
  SmallVector<Value> bounds =
      getValueOrCreateConstantIndexOp(builder, loc, getReduced());
  return emitPieces(
      builder, loc, width, lanes, outputs,
      [&](OpBuilder &body, Location loc, Value column, Value mask,
          ValueRange carried) {
        Value read = body.createOrFold<arith::AddIOp>(loc, first, column);
        SmallVector<Value> folded =
            emitNest(body, loc, bounds, createInits(body, loc),
                     [&](OpBuilder &inside, Location loc, ValueRange reduced,
                         ValueRange accumulators) {
                       SmallVector<Value> place(indices);
                       llvm::append_range(place, reduced);
                       reader.startRow(inside, loc, place, lanes);
                       return step(inside, loc, read, mask, accumulators);
                     });
        return store(body, loc, folded, carried,
                     moveAlong(body, loc, position, column), mask);
      });
}

SmallVector<Value> VectorFold::foldBlock(OpBuilder &builder, Location loc,
                                         ValueRange indices, Value first,
                                         OpFoldResult width, ValueRange outputs,
                                         ArrayRef<Value> position) {
  if (fitsRegisters(width))
    return foldInRegisters(builder, loc, indices, first, width, outputs,
                           position);
  SmallVector<Value> started =
      emitPieces(builder, loc, width, lanes, outputs,
                 [&](OpBuilder &body, Location loc, Value column, Value mask,
                     ValueRange carried) {
                   return store(body, loc, createInits(body, loc), carried,
                                moveAlong(body, loc, position, column), mask);
                 });

  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value several = arith::ConstantIndexOp::create(builder, loc, rowsAtOnce);
  SmallVector<Value> bounds =
      getValueOrCreateConstantIndexOp(builder, loc, getReduced());
  Value rows = bounds.pop_back_val();
  auto foldRows = [&](OpBuilder &body, Location loc, ValueRange above,
                      Value from, ValueRange carried) {
    Value to = arith::AddIOp::create(body, loc, from, several);
    to = arith::MinUIOp::create(body, loc, to, rows);
    return emitPieces(
        body, loc, width, lanes, carried,
        [&](OpBuilder &inside, Location loc, Value column, Value mask,
            ValueRange kept) {
          SmallVector<Value> place = moveAlong(inside, loc, position, column);
          Value read = inside.createOrFold<arith::AddIOp>(loc, first, column);
          SmallVector<Value> folded = emitLoop(
              inside, loc, from, to, one, load(inside, loc, kept, place, mask),
              [&](OpBuilder &inner, Location loc, Value row,
                  ValueRange accumulators) {
                SmallVector<Value> rowIndices(indices);
                llvm::append_range(rowIndices, above);
                rowIndices.push_back(row);
                reader.startRow(inner, loc, rowIndices, lanes);
                return step(inner, loc, read, mask, accumulators);
              });
          return store(inside, loc, folded, kept, place, mask);
        });
  };
  return emitNest(
      builder, loc, bounds, started,
      [&](OpBuilder &body, Location loc, ValueRange above, ValueRange carried) {
        return emitLoop(body, loc, zero, rows, several, carried,
                        [&](OpBuilder &inside, Location loc, Value from,
                            ValueRange carried) {
                          return foldRows(inside, loc, above, from, carried);
                        });
      });
}

SmallVector<Value> VectorFold::foldColumns(OpBuilder &builder, Location loc,
                                           ValueRange indices,
                                           OpFoldResult along,
                                           OpFoldResult block,
                                           ValueRange outputs, Value at) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  std::optional<int64_t> known = getConstantIntValue(along);
  std::optional<int64_t> step = getConstantIntValue(block);
  if (known && step && *known <= *step)
    return foldBlock(builder, loc, indices, zero, along, outputs, {at, zero});
  Value end = getValueOrCreateConstantIndexOp(builder, loc, along);
  Value width = getValueOrCreateConstantIndexOp(builder, loc, block);
  return emitLoop(
      builder, loc, zero, end, width, outputs,
      [&](OpBuilder &body, Location loc, Value first, ValueRange carried) {
        OpFoldResult size = block;
        if (!known || !step || *known % *step != 0) {
          Value left = arith::SubIOp::create(body, loc, end, first);
          size = arith::MinUIOp::create(body, loc, left, width).getResult();
        }
        return foldBlock(body, loc, indices, first, size, carried, {at, first});
      });
}
