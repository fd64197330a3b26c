//===- ScoreBlocks.cpp - Attention by blocks of queries, emitted ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreBlocks.h"

#include "../building/Tensors.h"
#include "../lowering/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

OpFoldResult Cut::countParts(OpBuilder &builder, Location loc) const {
  if (isOpen())
    return getSizes(builder, loc, tensor)[dim];
  return builder.getIndexAttr(llvm::divideCeil(size, part));
}

Cuts Blocks::getCuts(const Dims &dims, const Cuts &loops) const {
  return llvm::map_to_vector(dims, [&](int64_t loop) { return loops[loop]; });
}

RankedTensorType Blocks::getBlockType(Value tensor, const Cuts &dims) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, number] : llvm::zip_equal(shape, dims))
    if (number)
      size = *number == cuts.size() ? ShapedType::kDynamic : cuts[*number].part;
  return type.clone(shape);
}

Turn Blocks::emitTurn(Value number, ArrayRef<OpFoldResult> parts,
                      Value everyKey, OpBuilder &builder, Location loc) const {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Turn turn;
  turn.offsets.resize(cuts.size());
  for (unsigned i = cuts.size(); i-- > 0;) {
    const Cut &cut = cuts[i];
    Value place = number;
    if (i != 0) {
      Value count = getValueOrCreateConstantIndexOp(builder, loc, parts[i]);
      place = arith::RemUIOp::create(builder, loc, number, count);
      number = arith::DivUIOp::create(builder, loc, number, count);
    }
    if (cut.part != 1)
      place = arith::MulIOp::create(builder, loc, place, constant(cut.part));
    if (!cut.isOpen() && cut.size % cut.part != 0)
      place = arith::MinUIOp::create(builder, loc, place,
                                     constant(cut.size - cut.part));
    turn.offsets[i] = place;
  }
  if (!hidden)
    return turn;
  // A query that sees no key has one: all that is made of it is as before.
  Value seen = arith::AddIOp::create(
      builder, loc, turn.offsets[hidden->queries],
      constant(cuts[hidden->queries].part + hidden->offset));
  seen = arith::MaxSIOp::create(builder, loc, seen, constant(1));
  seen = arith::MinSIOp::create(builder, loc, seen, constant(hidden->count));
  turn.keys = arith::MaxSIOp::create(builder, loc, seen, everyKey);
  turn.offsets.push_back(constant(0));
  return turn;
}

/// The number of keys, if a weight of 0 does not leave each value out because
/// one is infinite or not a number; else 0.
Value Blocks::emitEveryKey(OpBuilder &builder, Location loc) const {
  Type i32 = builder.getI32Type();
  Value isOdd = createPointwise(
      builder, loc, hidden->values,
      [&](OpBuilder &body, Location loc, ValueRange value) -> Value {
        auto type = cast<FloatType>(value[0].getType());
        Value infinity = arith::ConstantOp::create(
            body, loc,
            body.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
        Value magnitude = math::AbsFOp::create(body, loc, value[0]);
        return arith::ExtUIOp::create(
            body, loc, i32,
            arith::CmpFOp::create(body, loc, arith::CmpFPredicate::UEQ,
                                  magnitude, infinity));
      });
  auto join = [](OpBuilder &body, Location loc, ValueRange in) {
    return SmallVector<Value>{arith::OrIOp::create(body, loc, in[0], in[1])};
  };
  Value none = createScalarTensor(builder, loc, i32, 0);
  Value anyOdd =
      ReduceOp::create(builder, loc, isOdd, none, getAllDims(isOdd), join, join)
          ->getResult(0);
  Value count =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                 createScalar(builder, loc, anyOdd, i32));
  return arith::MulIOp::create(
      builder, loc, count,
      arith::ConstantIndexOp::create(builder, loc, hidden->count));
}

/// Whether a block has all of a tensor.
static bool isWhole(const Cuts &dims) {
  return llvm::none_of(dims, [](auto number) { return number.has_value(); });
}

/// Where a block begins in a tensor.
static SmallVector<OpFoldResult> getBegins(const Cuts &dims, ValueRange offsets,
                                           OpBuilder &builder) {
  return llvm::map_to_vector(dims, [&](auto number) -> OpFoldResult {
    if (number)
      return offsets[*number];
    return builder.getIndexAttr(0);
  });
}

/// The block of a counter, or of what is computed of counters alone, which is
/// counted again: slices of what is made before the loop the host waits for.
/// Null for others.
Value Blocks::emitCounted(Value tensor, const Cuts &dims, const Turn &turn,
                          OpBuilder &builder, Location loc) const {
  RankedTensorType type = getBlockType(tensor, dims);
  if (auto iota = tensor.getDefiningOp<IotaOp>()) {
    auto integer = dyn_cast<IntegerType>(type.getElementType());
    if (!integer || type.getRank() != 1)
      return {};
    SmallVector<Value> sizes;
    if (type.isDynamicDim(0))
      sizes.push_back(turn.keys);
    Value counter = IotaOp::create(builder, loc, type, sizes, 0);
    Value begin = createRank0(builder, loc,
                              builder.createOrFold<arith::IndexCastOp>(
                                  loc, integer, turn.offsets[*dims.front()]));
    return createBroadcast(
        builder, loc, {{counter, {0}}, {begin, {}}}, {},
        [](OpBuilder &body, Location loc, ValueRange in) -> Value {
          return arith::AddIOp::create(body, loc, in[0], in[1]);
        });
  }
  Operation *op = tensor.getDefiningOp();
  if (!isa_and_present<MapOp, BroadcastOp>(op))
    return {};
  Walk walk = *Walk::of(op);
  if (llvm::any_of(walk.whole, [&](int64_t loop) { return dims[loop]; }))
    return {};
  SmallVector<Value> operands;
  for (auto [operand, loopsOf] :
       llvm::zip_equal(op->getOperands(), walk.operands)) {
    Cuts cut = getCuts(loopsOf, dims);
    operands.push_back(
        isWhole(cut) ? operand : emitCounted(operand, cut, turn, builder, loc));
    if (!operands.back())
      return {};
  }
  Operation *done = builder.clone(*op);
  done->setOperands(operands);
  done->getResult(0).setType(type);
  return done->getResult(0);
}

Value Blocks::emitBlock(Value tensor, const Cuts &dims, const Turn &turn,
                        OpBuilder &builder, Location loc) const {
  if (isWhole(dims))
    return tensor;
  if (isFromNothing(tensor))
    if (Value counted = emitCounted(tensor, dims, turn, builder, loc))
      return counted;
  RankedTensorType type = getBlockType(tensor, dims);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  for (auto [size, number] : llvm::zip_equal(sizes, dims))
    if (number == cuts.size())
      size = turn.keys;
  return createSlice(builder, loc, tensor,
                     getBegins(dims, turn.offsets, builder), sizes,
                     SmallVector<int64_t>(dims.size(), 1));
}

/// Does for a block what an operation does for all.
void Blocks::emitOp(Operation *op, const Turn &turn, IRMapping &blocks,
                    OpBuilder &builder) const {
  const Cuts &cut = loops.at(op);
  Walk walk = *Walk::of(op);
  // One tensor may be two operands, of which blocks are different ones.
  SmallVector<Value> operands;
  for (auto [operand, dims] : llvm::zip_equal(op->getOperands(), walk.operands))
    operands.push_back(isa<RankedTensorType>(operand.getType()) &&
                               !blocks.contains(operand)
                           ? emitBlock(operand, getCuts(dims, cut), turn,
                                       builder, op->getLoc())
                           : blocks.lookupOrDefault(operand));
  Operation *done = builder.clone(*op);
  done->setOperands(operands);
  for (auto [result, block] :
       llvm::zip_equal(op->getResults(), done->getResults())) {
    block.setType(getBlockType(result, made.at(result)));
    blocks.map(result, block);
  }
}

void Blocks::emit(RewriterBase &rewriter) {
  Location loc = ops.back()->getLoc();
  rewriter.setInsertionPoint(ops.back());
  SmallVector<OpFoldResult> parts = llvm::map_to_vector(
      cuts, [&](const Cut &cut) { return cut.countParts(rewriter, loc); });
  OpFoldResult turns = multiply(rewriter, loc, parts);
  SmallVector<Value> starts;
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    for (auto [size, number] : llvm::zip_equal(sizes, made.at(result)))
      if (number && cuts[*number].isOpen())
        size = parts[*number];
    Value zero = createScalarTensor(rewriter, loc, type.getElementType(), 0);
    starts.push_back(createFilled(rewriter, loc, zero, sizes));
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value everyKey = hidden ? emitEveryKey(rewriter, loc) : Value();
  auto loop = scf::ForOp::create(
      rewriter, loc, constant(0),
      getValueOrCreateConstantIndexOp(rewriter, loc, turns), constant(1),
      starts, [&](OpBuilder &body, Location, Value number, ValueRange carried) {
        Turn turn = emitTurn(number, parts, everyKey, body, loc);
        SmallVector<Value> next;
        IRMapping blocks;
        for (Operation *op : ops)
          emitOp(op, turn, blocks, body);
        for (auto [result, all] : llvm::zip_equal(results, carried)) {
          SmallVector<Value> begins;
          SmallVector<int64_t> known;
          dispatchIndexOpFoldResults(
              getBegins(made.at(result), turn.offsets, body), begins, known);
          next.push_back(
              InsertOp::create(body, loc, blocks.lookup(result), all, begins,
                               known, SmallVector<int64_t>(known.size(), 1)));
        }
        scf::YieldOp::create(body, loc, next);
      });
  for (auto [result, all] : llvm::zip_equal(results, loop.getResults()))
    rewriter.replaceUsesWithIf(result, all, [&](OpOperand &use) {
      return !loops.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(ops))
    rewriter.eraseOp(op);
}
