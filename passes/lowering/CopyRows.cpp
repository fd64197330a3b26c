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
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// Writes `size` elements to row `at` of `output`, there from `offset` on:
/// vectors of those that stand from `first` on.
static Value writeRow(OpBuilder &builder, Location loc, OpFoldResult size,
                      Value output, Value at, Value offset,
                      llvm::function_ref<Value(OpBuilder &, Value first,
                                               int64_t lanes, Value mask)>
                          make) {
  int64_t lanes = getLanes(getElementTypeOrSelf(output)) * pieceVectors;
  if (std::optional<int64_t> known = getConstantIntValue(size))
    lanes = std::min<int64_t>(
        lanes, llvm::bit_floor<uint64_t>(std::max<int64_t>(*known, 1)));
  return emitPieces(
             builder, loc, size, lanes, output,
             [&](OpBuilder &body, Location loc, Value first, Value mask,
                 ValueRange carried) {
               Value piece = make(body, first, lanes, mask);
               Value to = body.createOrFold<arith::AddIOp>(loc, offset, first);
               return SmallVector<Value>{
                   writeLanes(body, loc, piece, carried[0], {at, to}, mask)};
             },
             /*mayRepeat=*/true)
      .front();
}

/// Copies a row of `size` elements, which begins at `from`, to row `at` of
/// `output`, there from `offset` on.
static Value copyForwards(OpBuilder &builder, Location loc, Value operand,
                          ValueRange from, OpFoldResult size, Value output,
                          Value at, Value offset) {
  return writeRow(builder, loc, size, output, at, offset,
                  [&](OpBuilder &body, Value first, int64_t lanes, Value mask) {
                    SmallVector<Value> place(from);
                    place.push_back(first);
                    return readLanes(body, loc, operand, place, lanes, mask);
                  });
}

/// Copies a row backwards: pieces of vectors that are turned around, then the
/// rest, whose lanes would have to move by a number that is not known, element
/// by element.
static Value copyBackwards(OpBuilder &builder, Location loc, Value operand,
                           ValueRange from, OpFoldResult size, Value output,
                           Value at) {
  // What turns a piece around reads one register or two.
  int64_t lanes = getLanes(getElementTypeOrSelf(operand)) / 2;
  if (std::optional<int64_t> known = getConstantIntValue(size))
    lanes = std::min<int64_t>(lanes, llvm::bit_floor<uint64_t>(*known));
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

/// Fills row `at` of `output`, which is the one with these indices.
using RowCopy =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange indices,
                             OpFoldResult size, Value output, Value at)>;

/// The tensor of `type` and `sizes` whose rows, along the last `along` dims,
/// `copy` fills.
static Value fillRows(OpBuilder &builder, Location loc,
                      LoweringContext &context, RankedTensorType type,
                      ArrayRef<OpFoldResult> sizes, int64_t along,
                      RowCopy copy) {
  int64_t rank = sizes.size();
  ArrayRef<OpFoldResult> outer = sizes.drop_back(along);
  OpFoldResult size = multiply(builder, loc, sizes.take_back(along));
  OpFoldResult count = multiply(builder, loc, outer);
  RowsOutput output{getTensorType({count, size}, type.getElementType()),
                    {count, size}};
  Value made = emitEachRow(builder, loc, context, output,
                           [&](OpBuilder &body, Location loc, Value row,
                               Value at, ValueRange carried) {
                             SmallVector<Value> indices =
                                 getRowIndices(body, loc, row, outer);
                             return SmallVector<Value>{copy(
                                 body, loc, indices, size, carried[0], at)};
                           })
                   .front();
  SmallVector<ReassociationIndices> merged, split;
  if (outer.empty()) {
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
  operand = mergeRow(builder, loc, operand, along);
  return fillRows(
      builder, loc, context, type, sizes, along,
      [&](OpBuilder &body, Location loc, ValueRange indices, OpFoldResult size,
          Value output, Value at) {
        SmallVector<Value> from = place(body, loc, indices);
        if (isReversed)
          return copyBackwards(body, loc, operand, from, size, output, at);
        Value zero = arith::ConstantIndexOp::create(body, loc, 0);
        return copyForwards(body, loc, operand, from, size, output, at, zero);
      });
}

Value mlir::wax::joinRows(OpBuilder &builder, Location loc,
                          LoweringContext &context, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, ValueRange operands,
                          int64_t along) {
  SmallVector<std::pair<Value, OpFoldResult>> pieces;
  for (Value operand : operands) {
    Value merged = mergeRow(builder, loc, operand, along);
    pieces.emplace_back(merged, tensor::getMixedSize(builder, loc, merged,
                                                     sizes.size() - along));
  }
  return fillRows(
      builder, loc, context, type, sizes, along,
      [&](OpBuilder &body, Location loc, ValueRange indices, OpFoldResult,
          Value output, Value at) {
        Value offset = arith::ConstantIndexOp::create(body, loc, 0);
        for (auto [piece, size] : pieces) {
          output =
              copyForwards(body, loc, piece, indices, size, output, at, offset);
          offset = body.createOrFold<arith::AddIOp>(
              loc, offset, getValueOrCreateConstantIndexOp(body, loc, size));
        }
        return output;
      });
}

Value mlir::wax::padRows(OpBuilder &builder, Location loc,
                         LoweringContext &context, const RowPadding &padding,
                         RankedTensorType type, Value operand) {
  int64_t outer = type.getRank() - padding.along;
  auto constant = [](OpBuilder &builder, Location loc, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<OpFoldResult> from = tensor::getMixedSizes(builder, loc, operand);
  SmallVector<int64_t> none(from.size(), 0);
  SmallVector<OpFoldResult> sizes = getPaddedSizes(
      builder, loc, from, {padding.low, padding.high, /*interior=*/none});
  // A row's elements, and those before and behind.
  OpFoldResult step =
      multiply(builder, loc, ArrayRef(from).drop_front(outer + 1));
  auto countOf = [&](OpFoldResult number) {
    return multiply(builder, loc, {number, step});
  };
  OpFoldResult before = countOf(builder.getIndexAttr(padding.low[outer])),
               within = countOf(from[outer]),
               behind = countOf(builder.getIndexAttr(padding.high[outer]));
  operand = mergeRow(builder, loc, operand, padding.along);
  auto fill = [&](OpBuilder &body, Location loc, OpFoldResult size,
                  Value output, Value at, Value offset) {
    return writeRow(body, loc, size, output, at, offset,
                    [&](OpBuilder &inside, Value, int64_t lanes, Value) {
                      return createSplat(inside, loc, padding.number, lanes);
                    });
  };
  return fillRows(
      builder, loc, context, type, sizes, padding.along,
      [&](OpBuilder &body, Location loc, ValueRange indices, OpFoldResult width,
          Value output, Value at) -> Value {
        SmallVector<Value> place(indices);
        Value isInside;
        for (auto [dim, index] : llvm::enumerate(place)) {
          if (padding.low[dim] == 0 && padding.high[dim] == 0)
            continue;
          index = body.createOrFold<arith::SubIOp>(
              loc, index, constant(body, loc, padding.low[dim]));
          Value isOfDim = arith::CmpIOp::create(
              body, loc, arith::CmpIPredicate::ult, index,
              getValueOrCreateConstantIndexOp(body, loc, from[dim]));
          isInside = isInside ? body.createOrFold<arith::AndIOp>(loc, isInside,
                                                                 isOfDim)
                              : isOfDim;
        }
        auto copy = [&](OpBuilder &inside, Location loc) {
          Value zero = constant(inside, loc, 0);
          Value first = getValueOrCreateConstantIndexOp(inside, loc, before);
          Value end = inside.createOrFold<arith::AddIOp>(
              loc, first, getValueOrCreateConstantIndexOp(inside, loc, within));
          Value written = fill(inside, loc, before, output, at, zero);
          written = copyForwards(inside, loc, operand, place, within, written,
                                 at, first);
          return fill(inside, loc, behind, written, at, end);
        };
        if (!isInside)
          return copy(body, loc);
        auto choice = scf::IfOp::create(
            body, loc, isInside,
            [&](OpBuilder &inside, Location loc) {
              scf::YieldOp::create(inside, loc, copy(inside, loc));
            },
            [&](OpBuilder &outside, Location loc) {
              Value zero = constant(outside, loc, 0);
              scf::YieldOp::create(outside, loc,
                                   fill(outside, loc, width, output, at, zero));
            });
        return choice.getResult(0);
      });
}
