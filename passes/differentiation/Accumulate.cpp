//===- Accumulate.cpp - Sums of cotangents --------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a box or a few elements are taken of has a cotangent that is zero all
// around. Added to a sum by itself it would be a whole tensor's work, in a loop
// at each turn: only what is taken is. What lies side by side is set together
// before it is added.
//
//===----------------------------------------------------------------------===//

#include "Folds.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

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

/// A tensor with zeros around it.
static PadOp getBox(Value value) {
  auto pad = value.getDefiningOp<PadOp>();
  if (!pad || !isZeros(pad.getValue()))
    return PadOp();
  bool isBox =
      llvm::all_of(pad.getInterior(), [](int64_t n) { return n == 0; }) &&
      llvm::all_of(pad.getLow(), [](int64_t n) { return n >= 0; }) &&
      llvm::all_of(pad.getHigh(), [](int64_t n) { return n >= 0; });
  return isBox ? pad : PadOp();
}

/// The pieces that a tensor was set together of along a dim.
static SmallVector<Value> getPieces(Value value, unsigned dim) {
  auto concat = value.getDefiningOp<ConcatOp>();
  if (concat && concat.getDim() == dim)
    return SmallVector<Value>(concat.getInputs());
  return {value};
}

/// Two boxes that lie side by side, as one; null for others.
static Value joinBoxes(OpBuilder &builder, Location loc, PadOp first,
                       PadOp second) {
  std::optional<unsigned> along;
  for (unsigned dim = 0, rank = first.getLow().size(); dim < rank; ++dim) {
    if (first.getLow()[dim] == second.getLow()[dim] &&
        first.getHigh()[dim] == second.getHigh()[dim])
      continue;
    if (along)
      return Value();
    along = dim;
  }
  if (!along)
    return Value();
  if (first.getLow()[*along] > second.getLow()[*along])
    std::swap(first, second);
  int64_t size =
      cast<RankedTensorType>(first.getOperand().getType()).getDimSize(*along);
  if (ShapedType::isDynamic(size) ||
      first.getLow()[*along] + size != second.getLow()[*along])
    return Value();
  SmallVector<Value> pieces = getPieces(first.getOperand(), *along);
  llvm::append_range(pieces, getPieces(second.getOperand(), *along));
  Value joined = ConcatOp::create(builder, loc, pieces, *along);
  SmallVector<int64_t> high(first.getHigh());
  high[*along] = second.getHigh()[*along];
  return builder.createOrFold<PadOp>(loc, joined, first.getValue(),
                                     first.getLow(), high, first.getInterior());
}

/// The terms of a sum of two tensors, if it is one.
static std::optional<std::pair<Value, Value>> getTerms(Value sum) {
  auto add = sum.getDefiningOp<BroadcastOp>();
  if (!add || add.getOperands().size() != 2 ||
      !isa_and_present<arith::AddFOp, complex::AddOp>(
          getNamedOperation(add.getKernel())))
    return std::nullopt;
  for (unsigned place : {0, 1})
    if (add.getOperand(place).getType() != sum.getType() ||
        !llvm::equal(add.getOperandDims(place),
                     llvm::seq<int64_t>(add.getType().getRank())))
      return std::nullopt;
  return std::pair(add.getOperand(0), add.getOperand(1));
}

/// A sum that a box is added to, where one lies beside it that is added
/// already, or is the sum; null elsewhere.
static Value addBeside(OpBuilder &builder, Location loc, Value sum, PadOp box) {
  if (PadOp other = getBox(sum))
    return joinBoxes(builder, loc, other, box);
  if (auto terms = getTerms(sum))
    if (PadOp other = getBox(terms->second))
      if (Value joined = joinBoxes(builder, loc, other, box))
        return accumulate(builder, loc, terms->first, joined);
  return Value();
}

Value mlir::wax::accumulate(OpBuilder &builder, Location loc, Value sum,
                            Value term) {
  if (!sum || !term || sum.getType() != term.getType())
    return createAdd(builder, loc, sum, term);
  if (isZeros(sum))
    return term;
  if (PadOp box = getBox(term))
    if (Value joined = addBeside(builder, loc, sum, box))
      return joined;
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
