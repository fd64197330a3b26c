//===- WindowSums.cpp - Sums of windows by vectors ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector has elements along the last dim, which all go along. Of several
// places next to each other, whose windows overlap, the sums are made at once:
// what they share is read once, and so is what weighs them.
//
//===----------------------------------------------------------------------===//

#include "WindowSums.h"

#include "CPUContext.h"
#include "LoopPlan.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Places whose sums are made at once, and the largest windows.
static constexpr int64_t blockPlaces = 4, mostPoints = 81;
/// Elements along the last dim that are worth vectors, and rows that are dealt
/// to threads.
static constexpr int64_t fewestElements = 8, fewestRows = 16;

/// How many of a map's last dims are those of units after one that a loop goes
/// along alone, this one among them; 0 if there is none.
static int64_t countLast(Value tensor, AffineMap map, unsigned loop) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (map.getResult(dim) == getAffineDimExpr(loop, map.getContext()))
      return type.getRank() - dim;
    if (type.getDimSize(dim) != 1)
      return 0;
  }
  return 0;
}

bool WindowSums::hasLast(Value tensor, AffineMap map) const {
  int64_t count = countLast(tensor, map, last);
  return count > 0 && llvm::count_if(map.getResults(), [&](AffineExpr expr) {
                        return expr.isFunctionOfDim(last);
                      }) == 1;
}

bool WindowSums::findLoops() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap made = maps.back();
  SmallVector<unsigned> parallel;
  for (AffineExpr expr : made.getResults())
    parallel.push_back(cast<AffineDimExpr>(expr).getPosition());
  while (!parallel.empty() && isUnit(parallel.back()))
    parallel.pop_back();
  if (parallel.size() < 2)
    return false;
  last = parallel.pop_back_val();
  along = parallel.pop_back_val();
  outer.assign(parallel.begin(), parallel.end());
  op.getReductionDims(summed);
  int64_t points = 1;
  for (unsigned loop : summed) {
    if (ShapedType::isDynamic(sizes[loop]))
      return false;
    points *= sizes[loop];
  }
  if (points > mostPoints || ShapedType::isDynamic(sizes[last]) ||
      sizes[last] < fewestElements)
    return false;
  auto slides = [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      return expr.isFunctionOfDim(along) &&
             llvm::any_of(summed, [&](unsigned loop) {
               return !isUnit(loop) && expr.isFunctionOfDim(loop);
             });
    });
  };
  bool foundOne = false;
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (!op.payloadUsesValueFromOperand(&operand) && op.isDpsInput(&operand))
      continue;
    if (!hasLast(operand.get(), map))
      return false;
    foundOne |= op.isDpsInput(&operand) && slides(map);
  }
  return foundOne;
}

std::optional<WindowSums> WindowSums::of(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics() || !hasLanes(*op.getBody()))
    return std::nullopt;
  Type element = getElementTypeOrSelf(op.getResult(0));
  if (!isStoredLaneType(element) ||
      llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
        return op.payloadUsesValueFromOperand(&operand) &&
               getElementTypeOrSelf(operand.get()) != element;
      }))
    return std::nullopt;
  WindowSums windows(op);
  windows.start = getConstantFilling(op.getOutputs().front());
  if (!windows.start || !windows.findLoops())
    return std::nullopt;
  return windows;
}

tensor::PadOp mlir::wax::getKnownPad(Value tensor) {
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getSourceType().hasStaticShape() ||
      pad.getSourceType().getNumElements() == 0 ||
      ShapedType::isDynamicShape(pad.getStaticLow()) ||
      ShapedType::isDynamicShape(pad.getStaticHigh()) ||
      !pad.getConstantPaddingValue())
    return nullptr;
  return matchPattern(pad.getConstantPaddingValue(), m_Constant()) ? pad
                                                                   : nullptr;
}

SmallVector<int64_t> mlir::wax::getSourceDims(Value tensor) {
  auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return {};
  SmallVector<int64_t> dims;
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    auto isLarge = [&](int64_t dim) {
      return expand.getResultType().getDimSize(dim) != 1;
    };
    if (llvm::count_if(group, isLarge) > 1)
      return {};
    const int64_t *large = llvm::find_if(group, isLarge);
    dims.push_back(large == group.end() ? group.front() : *large);
  }
  return dims;
}

void WindowSums::setInput(RewriterBase &rewriter, unsigned input) {
  Value tensor = op.getInputs()[input];
  // That tells a window's sizes only.
  if (!op.payloadUsesValueFromOperand(op.getDpsInputOperand(input))) {
    inputs.push_back({});
    return;
  }
  int64_t behind = countLast(tensor, op.getIndexingMapsArray()[input], last);
  int64_t lastDim = cast<RankedTensorType>(tensor.getType()).getRank() - behind;
  // Where all places are known, it is looked whether they are padded.
  auto findPad = [&](Value padded, int64_t first) {
    tensor::PadOp pad =
        ShapedType::isDynamic(sizes[along]) ? nullptr : getKnownPad(padded);
    auto isPadded = [&](ArrayRef<int64_t> counts) {
      return llvm::any_of(counts.drop_front(first),
                          [](int64_t count) { return count != 0; });
    };
    if (pad && (isPadded(pad.getStaticLow()) || isPadded(pad.getStaticHigh())))
      pad = nullptr;
    return pad;
  };
  SmallVector<int64_t> dims = getSourceDims(tensor);
  if (!dims.empty() && dims.back() == lastDim) {
    tensor = tensor.getDefiningOp<tensor::ExpandShapeOp>().getSrc();
    tensor::PadOp pad = findPad(tensor, dims.size() - 1);
    inputs.push_back({pad ? pad.getSource() : tensor, pad, dims});
    return;
  }
  tensor::PadOp pad = findPad(tensor, lastDim);
  Value merged =
      mergeRow(rewriter, op.getLoc(), pad ? pad.getSource() : tensor, behind);
  inputs.push_back(
      {merged, pad, llvm::to_vector(llvm::seq<int64_t>(lastDim + 1))});
}

int64_t WindowSums::evaluate(AffineExpr expr, unsigned loop, int64_t value) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> terms(op.getNumLoops(),
                                getAffineConstantExpr(0, context));
  terms[loop] = getAffineConstantExpr(value, context);
  return cast<AffineConstantExpr>(
             simplifyAffineExpr(expr.replaceDims(terms), 0, 0))
      .getValue();
}

/// How far a window's points are from its place, by a dim's expression.
WindowSums::Extent WindowSums::getExtent(AffineExpr expr) {
  Extent extent{0, 0};
  for (unsigned loop : summed) {
    int64_t moved =
        evaluate(expr, loop, sizes[loop] - 1) - evaluate(expr, loop, 0);
    (moved < 0 ? extent.first : extent.last) += moved;
  }
  return extent;
}

/// Whether two things hold, of which the first may be null: nothing is asked.
static Value both(OpBuilder &builder, Location loc, Value one, Value other) {
  return one ? arith::AndIOp::create(builder, loc, one, other) : other;
}

/// Visits the dims of what is padded that are, with how many elements there are
/// and what tells which of them is read.
void WindowSums::visitPadded(
    llvm::function_ref<void(AffineExpr, int64_t size)> visit) {
  for (auto [input, map] : llvm::zip(inputs, op.getIndexingMapsArray())) {
    if (!input.pad)
      continue;
    for (auto [dim, from] : llvm::enumerate(input.dims)) {
      int64_t low = input.pad.getStaticLow()[dim];
      if (low || input.pad.getStaticHigh()[dim])
        visit(map.getResult(from) - low,
              input.pad.getSourceType().getDimSize(dim));
    }
  }
}

/// The places, of so many, whose windows lie in what is padded, as far as these
/// go along them.
std::pair<int64_t, int64_t> WindowSums::getInside(int64_t total) {
  int64_t begin = 0, end = total;
  visitPadded([&](AffineExpr expr, int64_t size) {
    if (!expr.isFunctionOfDim(along))
      return;
    int64_t start = evaluate(expr, along, 0);
    int64_t step = evaluate(expr, along, 1) - start;
    if (step <= 0 || llvm::any_of(outer, [&](unsigned loop) {
          return expr.isFunctionOfDim(loop);
        })) {
      end = 0;
      return;
    }
    auto [first, last] = getExtent(expr);
    begin = std::max(begin, llvm::divideCeilSigned(-start - first, step));
    end = std::min(end,
                   llvm::divideFloorSigned(size - 1 - start - last, step) + 1);
  });
  begin = std::clamp<int64_t>(begin, 0, total);
  return {begin, std::clamp(end, begin, total)};
}

/// Whether the windows of a row lie in what is padded, as far as rows go; null
/// if they always do.
Value WindowSums::createIsInside(OpBuilder &builder, Location loc,
                                 ArrayRef<Value> loops) {
  Value all;
  visitPadded([&](AffineExpr expr, int64_t size) {
    if (expr.isFunctionOfDim(along))
      return;
    auto [first, last] = getExtent(expr);
    Value place = affine::expandAffineExpr(builder, loc, expr, loops, {});
    for (auto [predicate, bound] :
         {std::pair(arith::CmpIPredicate::sge, -first),
          std::pair(arith::CmpIPredicate::slt, size - last)}) {
      Value holds = arith::CmpIOp::create(
          builder, loc, predicate, place,
          arith::ConstantIndexOp::create(builder, loc, bound));
      all = both(builder, loc, all, holds);
    }
  });
  return all;
}

/// A vector of an input for a place, in terms of the loops: the same terms
/// give the same values, so that places share what they read.
Value WindowSums::read(OpBuilder &builder, Location loc, unsigned input,
                       ArrayRef<AffineExpr> terms, ArrayRef<Value> loops,
                       Inside inside, Value mask) {
  AffineMap map = op.getIndexingMapsArray()[input];
  auto &[tensor, pad, dims] = inputs[input];
  if (!tensor)
    return {};
  auto type = cast<RankedTensorType>(tensor.getType());
  Value isInside;
  SmallVector<Value> place;
  for (auto [dim, from] : llvm::enumerate(dims)) {
    AffineExpr expr = map.getResult(from);
    int64_t low = pad ? pad.getStaticLow()[dim] : 0;
    bool isPadded = pad && (low || pad.getStaticHigh()[dim]);
    AffineExpr exact =
        simplifyAffineExpr(expr.replaceDims(terms) - low, loops.size(), 0);
    Value index = affine::expandAffineExpr(builder, loc, exact, loops, {});
    bool isKnown = expr.isFunctionOfDim(along) ? inside.along : inside.across;
    if (isPadded && !isKnown) {
      Value size =
          arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
      Value holds = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, index, size);
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      index = arith::SelectOp::create(builder, loc, holds, index, zero);
      isInside = both(builder, loc, isInside, holds);
    }
    place.push_back(index);
  }
  Value vector = readLanes(builder, loc, tensor, place, lanes, mask);
  if (!isInside)
    return vector;
  Attribute value;
  matchPattern(pad.getConstantPaddingValue(), m_Constant(&value));
  auto vectorType = cast<VectorType>(vector.getType());
  Value padding = arith::ConstantOp::create(
      builder, loc, vectorType, DenseElementsAttr::get(vectorType, value));
  return arith::SelectOp::create(builder, loc, isInside, vector, padding);
}

/// The sums of `count` places from `place` on, in row `row` of `output`, which
/// begins with place `first`.
SmallVector<Value> WindowSums::emitBlock(OpBuilder &builder, Location loc,
                                         ArrayRef<Value> loops, Value first,
                                         Value place, int64_t count,
                                         Inside inside, Value output,
                                         Value row) {
  auto type = VectorType::get(lanes, getElementTypeOrSelf(output));
  SmallVector<AffineExpr> terms;
  for (unsigned loop : llvm::seq(op.getNumLoops()))
    terms.push_back(builder.getAffineDimExpr(loop));
  int64_t points = 1;
  for (unsigned loop : summed)
    points *= sizes[loop];
  return emitPieces(
      builder, loc, builder.getIndexAttr(sizes[last]), lanes, output,
      [&](OpBuilder &body, Location loc, Value piece, Value mask,
          ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> at(loops);
        at[along] = place;
        at[last] = piece;
        SmallVector<Value> sums(
            count, arith::ConstantOp::create(
                       body, loc, type, DenseElementsAttr::get(type, start)));
        for (int64_t point : llvm::seq(points)) {
          int64_t rest = point;
          for (unsigned loop : llvm::reverse(summed)) {
            terms[loop] = body.getAffineConstantExpr(rest % sizes[loop]);
            rest /= sizes[loop];
          }
          for (auto [number, sum] : llvm::enumerate(sums)) {
            terms[along] = body.getAffineDimExpr(along) + number;
            SmallVector<Value> vectors;
            for (unsigned input : llvm::seq(op.getNumDpsInputs()))
              vectors.push_back(
                  read(body, loc, input, terms, at, inside, mask));
            vectors.push_back(sum);
            sum = wax::emitOnLanes(body, *op.getBody(),
                                   op.getBody()->getTerminator()->getOperands(),
                                   vectors, lanes)
                      .front();
          }
        }
        Value made = carried.front();
        for (auto [number, sum] : llvm::enumerate(sums)) {
          Value here = body.createOrFold<arith::AddIOp>(
              loc, body.createOrFold<arith::SubIOp>(loc, place, first),
              arith::ConstantIndexOp::create(body, loc, number));
          made = writeLanes(body, loc, sum, made, {row, here, piece}, mask);
        }
        return {made};
      });
}

/// The sums of all places of `parts`, in row `row` of `outputs`.
SmallVector<Value> WindowSums::emitPlaces(OpBuilder &builder, Location loc,
                                          ArrayRef<Value> loops, Value first,
                                          ArrayRef<Part> parts, bool isInside,
                                          ValueRange outputs, Value row) {
  SmallVector<Value> next(outputs);
  for (const Part &part : parts)
    if (!isEqualConstantIntOrValue(part.from, part.to))
      next = emitLoop(
          builder, loc, part.from, part.to,
          arith::ConstantIndexOp::create(builder, loc, part.count), next,
          [&](OpBuilder &body, Location loc, Value place, ValueRange carried) {
            return emitBlock(body, loc, loops, first, place, part.count,
                             {part.isInside, isInside}, carried.front(), row);
          });
  return next;
}

/// The same of a row, which may be at an edge.
SmallVector<Value> WindowSums::emitRow(OpBuilder &builder, Location loc,
                                       ArrayRef<Value> loops,
                                       const Parts &parts, ValueRange outputs,
                                       Value row) {
  auto emit = [&](OpBuilder &body, bool isInside) {
    return emitPlaces(body, loc, loops, parts.first,
                      isInside ? parts.ofInside : parts.ofEdge, isInside,
                      outputs, row);
  };
  Value isInside = createIsInside(builder, loc, loops);
  if (!isInside)
    return emit(builder, true);
  auto yield = [&](bool isInside) {
    return [&, isInside](OpBuilder &body, Location loc) {
      scf::YieldOp::create(body, loc, emit(body, isInside));
    };
  };
  auto choice =
      scf::IfOp::create(builder, loc, isInside, yield(true), yield(false));
  return llvm::to_vector_of<Value>(choice.getResults());
}

/// The parts of rows of `width` places from `first` up to `end`, or all of them
/// where these are not given.
WindowSums::Parts WindowSums::getParts(OpBuilder &builder, Location loc,
                                       OpFoldResult width, Value first,
                                       Value end) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  bool areAll = !first;
  Value total = getValueOrCreateConstantIndexOp(builder, loc, width);
  first = areAll ? constant(0) : first;
  end = areAll ? total : end;
  auto clamp = [&](Value place) -> Value {
    if (areAll)
      return place;
    place = arith::MaxUIOp::create(builder, loc, place, first);
    return arith::MinUIOp::create(builder, loc, place, end);
  };
  Value begin = first, inside = end;
  if (std::optional<int64_t> known = getConstantIntValue(width)) {
    auto [from, to] = getInside(*known);
    begin = from == 0 ? first : clamp(constant(from));
    inside = to == *known ? end : clamp(constant(to));
  }
  Value count = builder.createOrFold<arith::SubIOp>(loc, inside, begin);
  Value rest =
      builder.createOrFold<arith::RemUIOp>(loc, count, constant(blockPlaces));
  Value whole = builder.createOrFold<arith::SubIOp>(loc, inside, rest);
  Part edge{first, begin, 1, false}, blocks{begin, whole, blockPlaces, true};
  return {first,
          {edge, blocks, {whole, inside, 1, true}, {inside, end, 1, false}},
          {edge, blocks, {whole, end, 1, false}}};
}

Value WindowSums::emit(RewriterBase &rewriter) {
  Location loc = op.getLoc();
  CPUContext context;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  lanes = getLanes(type.getElementType()) / 2;
  for (unsigned input : llvm::seq(op.getNumDpsInputs()))
    setInput(rewriter, input);

  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(rewriter, loc, op.getOutputs().front());
  AffineMap made = op.getIndexingMapsArray().back();
  int64_t behind = countLast(op.getOutputs().front(), made, last);
  ArrayRef<OpFoldResult> outerSizes = ArrayRef(all).drop_back(behind + 1);
  OpFoldResult width = all[all.size() - behind - 1];
  OpFoldResult rows = outerSizes.empty()
                          ? OpFoldResult(rewriter.getIndexAttr(1))
                          : multiply(rewriter, loc, outerSizes);
  SmallVector<OpFoldResult> madeSizes{rows, width,
                                      rewriter.getIndexAttr(sizes[last])};
  RowsOutput output{getTensorType(madeSizes, type.getElementType()), madeSizes};
  // Few rows are not enough for all threads: then places of all are dealt.
  std::optional<int64_t> numRows = getConstantIntValue(rows);
  bool dealsPlaces = numRows && *numRows < fewestRows;
  OpFoldResult run = getRunOfRows(
      rewriter, loc,
      multiply(rewriter, loc, {dealsPlaces ? rows : width, madeSizes.back()}));
  Value result =
      emitRows(
          rewriter, loc, context, output, /*rowDim=*/dealsPlaces ? 1 : 0,
          [&](OpBuilder &builder, Location loc, Value first, Value end,
              ValueRange empties) {
            Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
            Parts parts = dealsPlaces
                              ? getParts(builder, loc, width, first, end)
                              : getParts(builder, loc, width, {}, {});
            Value from = dealsPlaces ? zero : first;
            Value to =
                dealsPlaces
                    ? arith::ConstantIndexOp::create(builder, loc, *numRows)
                          .getResult()
                    : end;
            return emitLoop(
                builder, loc, from, to,
                arith::ConstantIndexOp::create(builder, loc, 1), empties,
                [&](OpBuilder &body, Location loc, Value row,
                    ValueRange carried) {
                  SmallVector<Value> loops(op.getNumLoops(), zero);
                  for (auto [loop, index] : llvm::zip(
                           outer, getRowIndices(body, loc, row, outerSizes)))
                    loops[loop] = index;
                  return emitRow(
                      body, loc, loops, parts, carried,
                      body.createOrFold<arith::SubIOp>(loc, row, from));
                });
          },
          run)
          .front();
  return splitDims(rewriter, loc, context.getTarget(), result, type,
                   {outerSizes, ArrayRef(all).slice(outerSizes.size(), 1),
                    ArrayRef(all).take_back(behind)});
}
