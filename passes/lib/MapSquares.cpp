//===- MapSquares.cpp - Maps that read across rows ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A square of elements is read by rows, transposed in registers, and written by
// rows, each a line of the caches: a line that is read or written is done with,
// so that it does no harm if all of them fall in one place of a cache. Squares
// follow each other along what is read, a few, and then along what is written,
// as many: that much of a row is read ahead by itself, and memory that is
// written to comes before the next is waited for.
//
// The last square of a row or column ends where these end, and overlaps with
// the one before it, so that none is written under a mask.
//
//===----------------------------------------------------------------------===//

#include "MapSquares.h"

#include "NestBuilder.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Of a square's row.
static constexpr int64_t rowBytes = 64;
static constexpr int64_t mostSide = 32;
/// Squares that follow each other along what is read, and along what is
/// written.
static constexpr int64_t runSquares = 4;

/// Whether a loop goes along the last dim that a map has.
static bool isAlong(AffineMap map, unsigned loop) {
  return map.getNumResults() > 0 &&
         map.getDimPosition(map.getNumResults() - 1) == loop;
}

static bool isReadAcross(AffineMap map) {
  unsigned last = map.getNumDims() - 1;
  return map.isFunctionOfDim(last) && !isAlong(map, last);
}

/// Of what vectors are read and written, and have a whole number of bytes.
static bool isSquareType(Type type) {
  return isStoredLaneType(type) &&
         llvm::is_contained({8, 16, 32, 64}, type.getIntOrFloatBitWidth()) &&
         !(isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8);
}

std::optional<SquareMap> SquareMap::of(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op.getNumLoops() < 2 ||
      op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op.getResultTypes()[0]))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps.back().isIdentity() ||
      !hasLanes(*op.getBody(), /*takesMath=*/true) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !isSquareType(getElementTypeOrSelf(op.getResultTypes()[0])))
    return std::nullopt;
  std::optional<unsigned> across;
  int64_t side = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(input))
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    Type element = getElementTypeOrSelf(input->get().getType());
    if (!map.isProjectedPermutation() || !isSquareType(element))
      return std::nullopt;
    if (!isReadAcross(map))
      continue;
    unsigned loop = map.getDimPosition(map.getNumResults() - 1);
    if (across && *across != loop)
      return std::nullopt;
    across = loop;
    side = std::max(side, 8 * rowBytes / element.getIntOrFloatBitWidth());
  }
  if (!across)
    return std::nullopt;
  return SquareMap{op, *across, std::min(side, mostSide)};
}

bool SquareMap::isAcross(unsigned operand) {
  return isReadAcross(op.getIndexingMapsArray()[operand]);
}

namespace {

/// Emits one map.
class Squares : NestBuilder {
public:
  Squares(ImplicitLocOpBuilder &builder, SquareMap map)
      : NestBuilder(builder, map.op), map(map) {}
  Value emit();

private:
  void chooseBlocks();
  TensorPart place(Value number);
  Value fill(Value part);
  Values emitPoints(unsigned loop, ValueRange carried,
                    llvm::function_ref<Value(Value part)> body);
  Values emitSquares(int64_t side, Value height, Value width,
                     ValueRange carried);
  Value emitSquare(int64_t side, Value part);
  Value readRow(unsigned operand, const LoopIndices &from, int64_t side);

  SquareMap map;
  /// Of each loop: its turns, those of a block, and the number of blocks.
  Values sizes, runs, counts;
  /// Where a block begins, and what it has of each loop.
  LoopIndices first, extents;
  /// Where a square is in its block.
  LoopIndices at;
};

} // namespace

/// Blocks are of squares; and of some turns of other loops where these are few.
void Squares::chooseBlocks() {
  unsigned loops = nest.getNumLoops();
  for (unsigned loop : llvm::seq(loops))
    sizes.push_back(getSize(loop));
  runs.resize(loops);
  counts.resize(loops);
  Value one = constant(1);
  auto choose = [&](unsigned loop, int64_t run) {
    runs[loop] = constant(run);
    // What is left over belongs to the last block: none is below a square.
    counts[loop] = compute<arith::MaxUIOp>(
        compute<arith::DivUIOp>(sizes[loop], runs[loop]), one);
  };
  int64_t run = runSquares * map.side, wide = run;
  int64_t high = std::max(workgroupElements / run, run);
  std::optional<int64_t> height = getConstantIntValue(sizes[map.across]);
  if (height && *height > 0 && *height < high)
    wide = llvm::alignTo(workgroupElements / *height, run);
  choose(map.getLast(), wide);
  choose(map.across, high);
  auto countElements = [&](unsigned loop) {
    return compute<arith::MaxUIOp>(
        compute<arith::MinUIOp>(sizes[loop], runs[loop]), one);
  };
  Value wanted = compute<arith::DivUIOp>(
      constant(workgroupElements),
      multiply(countElements(map.getLast()), countElements(map.across)));
  for (unsigned loop : llvm::reverse(llvm::seq(loops))) {
    if (loop == map.getLast() || loop == map.across)
      continue;
    runs[loop] = wanted;
    runs[loop] = countElements(loop);
    counts[loop] = divideUp(sizes[loop], runs[loop]);
    wanted = compute<arith::DivUIOp>(wanted, runs[loop]);
  }
}

/// Blocks follow each other along what is read, as squares do.
TensorPart Squares::place(Value number) {
  unsigned loops = nest.getNumLoops();
  SmallVector<unsigned> order;
  for (unsigned loop : llvm::seq(loops))
    if (loop != map.across)
      order.push_back(loop);
  order.push_back(map.across);
  SmallVector<OpFoldResult> orderedCounts;
  for (unsigned loop : order)
    orderedCounts.push_back(getAsOpFoldResult(counts[loop]));
  Values blocks =
      getRowIndices(builder, builder.getLoc(), number, orderedCounts);
  TensorPart part;
  first.assign(loops, Value());
  extents.assign(loops, Value());
  for (auto [loop, block] : llvm::zip_equal(order, blocks)) {
    first[loop] = multiply(block, runs[loop]);
    std::optional<int64_t> run = getConstantIntValue(runs[loop]);
    if (isConstantIntValue(counts[loop], 1)) {
      extents[loop] = sizes[loop];
    } else if (run && isMultiple(sizes[loop], *run)) {
      extents[loop] = runs[loop];
    } else {
      Value left = subtract(sizes[loop], first[loop]);
      if (loop != map.across && loop != map.getLast()) {
        extents[loop] = compute<arith::MinUIOp>(left, runs[loop]);
        continue;
      }
      Value isLast = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                           add(block, 1), counts[loop]);
      extents[loop] =
          arith::SelectOp::create(builder, isLast, left, runs[loop]);
    }
  }
  part.offsets = getAsOpFoldResult(first);
  part.sizes = getAsOpFoldResult(extents);
  return part;
}

/// `side` elements of an operand from `from` on, along the result's rows.
Value Squares::readRow(unsigned operand, const LoopIndices &from,
                       int64_t side) {
  Location loc = builder.getLoc();
  Value tensor = nest.getInputs()[operand];
  AffineMap read = getMap(operand);
  Values position = getPosition(read, from);
  if (isAlong(read, map.getLast()))
    return readLanes(builder, loc, tensor, position, side);
  Value scalar = tensor::ExtractOp::create(builder, tensor, position);
  return createSplat(builder, loc, scalar, side);
}

/// Fills a square of the block.
Value Squares::emitSquare(int64_t side, Value part) {
  Location loc = builder.getLoc();
  LoopIndices from;
  for (auto [start, offset] : llvm::zip_equal(first, at))
    from.push_back(add(start, offset));
  unsigned last = map.getLast(), inputs = nest.getNumDpsInputs();
  auto move = [&](LoopIndices indices, unsigned loop, int64_t by) {
    indices[loop] = add(indices[loop], by);
    return indices;
  };

  SmallVector<Values> read(inputs);
  for (unsigned operand : llvm::seq(inputs)) {
    if (!nest.payloadUsesValueFromOperand(nest.getDpsInputOperand(operand)))
      continue;
    if (map.isAcross(operand)) {
      for (int64_t lane : llvm::seq(side))
        read[operand].push_back(readLanes(
            builder, loc, nest.getInputs()[operand],
            getPosition(getMap(operand), move(from, last, lane)), side));
      if (side > 1)
        transposeLanes(builder, loc, read[operand]);
    } else if (!getMap(operand).isFunctionOfDim(map.across)) {
      read[operand].assign(side, readRow(operand, from, side));
    }
  }

  Block &body = *nest.getBody();
  for (int64_t row : llvm::seq(side)) {
    LoopIndices rowFrom = move(from, map.across, row);
    Values vectors;
    for (unsigned operand : llvm::seq(inputs)) {
      bool isUsed =
          nest.payloadUsesValueFromOperand(nest.getDpsInputOperand(operand));
      vectors.push_back(!isUsed ? Value()
                        : read[operand].empty()
                            ? readRow(operand, rowFrom, side)
                            : read[operand][row]);
    }
    vectors.emplace_back();
    Value made = emitOnLanes(builder, body, body.getTerminator()->getOperands(),
                             vectors, side, rowFrom)
                     .front();
    part = writeLanes(builder, loc, made, part, move(at, map.across, row));
  }
  return part;
}

/// Fills `height` rows of `width` elements of the block.
SmallVector<Value> Squares::emitSquares(int64_t side, Value height, Value width,
                                        ValueRange carried) {
  auto place = [&](unsigned loop, Value start, Value size) {
    at[loop] =
        side == 1 || isMultiple(size, side)
            ? start
            : compute<arith::MinUIOp>(start, subtract(size, constant(side)));
  };
  Value none = constant(0);
  int64_t run = runSquares * side;
  auto emitRun = [&](Value start, ValueRange carried) {
    Value end = isMultiple(height, run)
                    ? add(start, run)
                    : compute<arith::MinUIOp>(add(start, run), height);
    return loop(none, width, side, carried, [&](Value column, ValueRange v) {
      return loop(start, end, side, v, [&](Value row, ValueRange v) -> Values {
        place(map.across, row, height);
        place(map.getLast(), column, width);
        return {emitSquare(side, v.front())};
      });
    });
  };
  return loop(none, height, run, carried, emitRun);
}

/// Goes through the block's points of the loops that squares do not go along.
SmallVector<Value>
Squares::emitPoints(unsigned number, ValueRange carried,
                    llvm::function_ref<Value(Value part)> body) {
  if (number == nest.getNumLoops())
    return {body(carried.front())};
  if (number == map.getLast() || number == map.across)
    return emitPoints(number + 1, carried, body);
  auto emitPoint = [&](Value index, ValueRange parts) {
    at[number] = index;
    return emitPoints(number + 1, parts, body);
  };
  if (isConstantIntValue(extents[number], 1))
    return emitPoint(constant(0), carried);
  return loop(constant(0), extents[number], 1, carried, emitPoint);
}

Value Squares::fill(Value part) {
  Value rows = sizes[map.across], columns = sizes[map.getLast()];
  Value height = extents[map.across], width = extents[map.getLast()];
  bool isKnown = getConstantIntValue(rows) && getConstantIntValue(columns);
  at.assign(nest.getNumLoops(), Value());
  auto fillPoint = [&](Value begun) -> Value {
    if (isKnown)
      return emitSquares(map.side, height, width, begun).front();
    // Open sizes may be less than a square's.
    Value none = constant(0);
    Value fits = arith::CmpIOp::create(builder, arith::CmpIPredicate::uge,
                                       compute<arith::MinUIOp>(rows, columns),
                                       constant(map.side));
    Value inSquares = arith::SelectOp::create(builder, fits, height, none);
    Value byElement = arith::SelectOp::create(builder, fits, none, height);
    Values filled = emitSquares(map.side, inSquares, width, begun);
    return emitSquares(1, byElement, width, filled).front();
  };
  return emitPoints(0, part, fillPoint).front();
}

Value Squares::emit() {
  chooseBlocks();
  Value workgroups = constant(1);
  for (Value count : counts)
    workgroups = multiply(workgroups, count);
  auto type = cast<RankedTensorType>(nest.getResult(0).getType());
  Values openSizes;
  for (unsigned dim : llvm::seq(type.getRank()))
    if (type.isDynamicDim(dim))
      openSizes.push_back(sizes[dim]);
  return emitParts(
      type, openSizes, workgroups, [&](Value number) { return place(number); },
      [&](Value part) { return fill(part); });
}

Value mlir::wax::emitSquares(RewriterBase &rewriter, SquareMap map) {
  ImplicitLocOpBuilder builder(map.op.getLoc(), rewriter);
  return Squares(builder, map).emit();
}
