//===- CopyRows.cpp - Rows taken from elsewhere, by vectors ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyRows.h"

#include "Along.h"
#include "Dispatch.h"
#include "Rows.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

/// Of rows shorter than this the place costs more than the copy.
static constexpr int64_t shortestRow = 8;
/// Vectors that a piece of a row fills.
static constexpr int64_t pieceVectors = 4;

bool mlir::wax::canCopyRows(Type element, ArrayRef<OpFoldResult> sizes) {
  if (!isStoredLaneType(element))
    return false;
  int64_t known = 1;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return true;
    known *= *constant;
  }
  return known >= shortestRow;
}

/// Copies a row of `size` elements, which begins at `from`, to row `at` of
/// `output`, there from `offset` on.
static Value copyForwards(OpBuilder &builder, Location loc, Value operand,
                          ValueRange from, OpFoldResult size, int64_t lanes,
                          Value output, Value at, Value offset) {
  return emitPieces(
             builder, loc, size, lanes, output,
             [&](OpBuilder &body, Location loc, Value first, Value mask,
                 ValueRange carried) {
               SmallVector<Value> place(from);
               place.push_back(first);
               Value piece = readLanes(body, loc, operand, place, lanes, mask);
               Value to = body.createOrFold<arith::AddIOp>(loc, offset, first);
               return SmallVector<Value>{
                   writeLanes(body, loc, piece, carried[0], {at, to}, mask)};
             })
      .front();
}

/// Copies a row backwards: pieces of vectors that are turned around, then the
/// rest, whose lanes would have to move by a number that is not known, element
/// by element.
static Value copyBackwards(OpBuilder &builder, Location loc, Value operand,
                           ValueRange from, OpFoldResult size, int64_t lanes,
                           Value output, Value at) {
  Value all = getValueOrCreateConstantIndexOp(builder, loc, size);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value width = arith::ConstantIndexOp::create(builder, loc, lanes);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, all, width);
  Value whole = builder.createOrFold<arith::SubIOp>(loc, all, rest);
  auto placeOf = [&](OpBuilder &body, Location loc, Value first, Value span) {
    Value end = arith::SubIOp::create(body, loc, all, first);
    SmallVector<Value> place(from);
    place.push_back(arith::SubIOp::create(body, loc, end, span));
    return place;
  };
  Value turned =
      emitLoop(
          builder, loc, zero, whole, width, output,
          [&](OpBuilder &body, Location loc, Value first, ValueRange carried) {
            Value piece = readLanes(body, loc, operand,
                                    placeOf(body, loc, first, width), lanes);
            piece =
                createShuffle(body, loc, piece,
                              llvm::to_vector(llvm::reverse(llvm::seq(lanes))));
            return SmallVector<Value>{
                writeLanes(body, loc, piece, carried[0], {at, first})};
          })
          .front();
  return emitLoop(builder, loc, whole, all, one, turned,
                  [&](OpBuilder &body, Location loc, Value first,
                      ValueRange carried) {
                    Value element = tensor::ExtractOp::create(
                        body, loc, operand, placeOf(body, loc, first, one));
                    return writeElements(body, loc, element, carried,
                                         {at, first});
                  })
      .front();
}

/// Lanes of the pieces that a row of `size` elements is copied in.
static int64_t getPieceLanes(Type element, OpFoldResult size) {
  int64_t lanes = getLanes(element) * pieceVectors;
  std::optional<int64_t> known = getConstantIntValue(size);
  return known ? std::min<int64_t>(lanes, llvm::PowerOf2Ceil(*known)) : lanes;
}

/// Rows and their elements as the dims of `sizes`, the last `along` of which
/// are along rows.
static Value splitRows(OpBuilder &builder, Location loc,
                       LoweringContext &context, RankedTensorType type,
                       ArrayRef<OpFoldResult> sizes, int64_t along,
                       Value made) {
  int64_t rank = sizes.size();
  SmallVector<ReassociationIndices> merged, split;
  if (along == rank) {
    // The only row.
    ReassociationIndices both = {0, 1};
    made = tensor::CollapseShapeOp::create(builder, loc, made, both);
  } else {
    split.emplace_back(llvm::to_vector<2>(llvm::seq(rank - along)));
  }
  split.emplace_back(llvm::to_vector<2>(llvm::seq(rank - along, rank)));
  for (int64_t dim : llvm::seq<int64_t>(split.size()))
    merged.push_back({dim});
  return castTo(builder, loc, type,
                createReshape(builder, loc, context.getTarget(), made, merged,
                              split, sizes));
}

Value mlir::wax::copyRows(OpBuilder &builder, Location loc,
                          LoweringContext &context, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, Value operand,
                          int64_t along, bool isReversed, RowPlace place) {
  Type element = type.getElementType();
  ArrayRef<OpFoldResult> outer = sizes.drop_back(along);
  OpFoldResult size = multiply(builder, loc, sizes.take_back(along));
  OpFoldResult count = multiply(builder, loc, outer);
  int64_t lanes = getPieceLanes(element, size);
  if (isReversed) {
    // What turns a piece around reads one register or two.
    lanes = getLanes(element) / 2;
    if (std::optional<int64_t> known = getConstantIntValue(size))
      lanes = std::min<int64_t>(lanes, llvm::bit_floor<uint64_t>(*known));
  }
  operand = mergeRow(builder, loc, operand, along);

  RowsOutput output{getTensorType({count, size}, element), {count, size}};
  Value made =
      emitEachRow(
          builder, loc, context, output,
          [&](OpBuilder &body, Location loc, Value row, Value at,
              ValueRange carried) {
            SmallVector<Value> from =
                place(body, loc, getRowIndices(body, loc, row, outer));
            if (isReversed)
              return SmallVector<Value>{copyBackwards(
                  body, loc, operand, from, size, lanes, carried[0], at)};
            Value zero = arith::ConstantIndexOp::create(body, loc, 0);
            return SmallVector<Value>{copyForwards(
                body, loc, operand, from, size, lanes, carried[0], at, zero)};
          })
          .front();
  return splitRows(builder, loc, context, type, sizes, along, made);
}

Value mlir::wax::joinRows(OpBuilder &builder, Location loc,
                          LoweringContext &context, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, ValueRange operands,
                          int64_t along) {
  Type element = type.getElementType();
  ArrayRef<OpFoldResult> outer = sizes.drop_back(along);
  OpFoldResult size = multiply(builder, loc, sizes.take_back(along));
  OpFoldResult count = multiply(builder, loc, outer);
  SmallVector<Value> merged;
  SmallVector<OpFoldResult> widths;
  for (Value operand : operands) {
    merged.push_back(mergeRow(builder, loc, operand, along));
    widths.push_back(
        tensor::getMixedSize(builder, loc, merged.back(), outer.size()));
  }
  RowsOutput output{getTensorType({count, size}, element), {count, size}};
  Value made =
      emitEachRow(
          builder, loc, context, output,
          [&](OpBuilder &body, Location loc, Value row, Value at,
              ValueRange carried) {
            SmallVector<Value> from = getRowIndices(body, loc, row, outer);
            Value joined = carried[0];
            Value offset = arith::ConstantIndexOp::create(body, loc, 0);
            for (auto [operand, width] : llvm::zip_equal(merged, widths)) {
              joined = copyForwards(body, loc, operand, from, width,
                                    getPieceLanes(element, width), joined, at,
                                    offset);
              offset = body.createOrFold<arith::AddIOp>(
                  loc, offset,
                  getValueOrCreateConstantIndexOp(body, loc, width));
            }
            return SmallVector<Value>{joined};
          })
          .front();
  return splitRows(builder, loc, context, type, sizes, along, made);
}
