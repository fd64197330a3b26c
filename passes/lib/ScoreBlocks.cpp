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

/// Indices of blocks, known where what they are computed of is.
namespace {
class BlockSizes {
public:
  BlockSizes(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value get(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }
  Value get(int64_t size) {
    return arith::ConstantIndexOp::create(builder, loc, size);
  }
  template <typename Op> Value compute(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(loc, lhs, rhs);
  }
  Value divide(Value size, Value by) {
    return compute<arith::DivUIOp>(size, atLeast(by, 1));
  }
  Value divideUp(Value size, Value by) {
    return compute<arith::CeilDivUIOp>(size, by);
  }
  Value atLeast(Value size, int64_t least) {
    return compute<arith::MaxUIOp>(size, get(least));
  }
  Value atMost(Value size, Value most) {
    return compute<arith::MinUIOp>(size, most);
  }
  /// Parts of `most` at most, that are as equal as they can be. One of nothing.
  Value split(Value size, Value most) {
    Value some = atLeast(size, 1);
    return divideUp(some, divideUp(some, atLeast(most, 1)));
  }

private:
  OpBuilder &builder;
  Location loc;
};
} // namespace

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

OpFoldResult Blocks::emitSize(Value tensor, int64_t dim, OpBuilder &builder,
                              Location loc) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  auto [source, place] = *getSource(tensor, dim);
  return getSizes(builder, loc, source)[place];
}

/// Chooses parts as `chooseCuts` does.
void Blocks::emitOpenParts(MutableArrayRef<Extent> extents, OpBuilder &builder,
                           Location loc) const {
  auto type = cast<RankedTensorType>(scores.getType());
  BlockSizes sizes(builder, loc);
  Value keys = sizes.get(1);
  for (int64_t dim : llvm::seq(type.getRank()))
    if (!llvm::is_contained(scoreDims, dim))
      keys = sizes.compute<arith::MulIOp>(
          keys, sizes.get(emitSize(scores, dim, builder, loc)));
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  Value most = sizes.divide(sizes.get(blockBytes / bytes), keys);
  Value queries = sizes.get(emitSize(scores, scoreDims.back(), builder, loc));
  Value enough = sizes.get(enoughQueries);
  if (isCausal)
    enough =
        sizes.atMost(sizes.divide(queries, sizes.get(fewestBlocks)), enough);
  Value few = sizes.atMost(
      queries, sizes.atLeast(sizes.atMost(most, enough), fewestQueries));
  most = sizes.compute<arith::MaxUIOp>(most, few);
  for (Extent &extent : extents) {
    bool isOfQueries = &extent == &extents.back();
    Value size = sizes.get(extent.size);
    Value part =
        sizes.split(size, isOfQueries ? most : sizes.divide(most, few));
    most = sizes.divide(most, part);
    extent.part = getAsOpFoldResult(part);
    extent.count = getAsOpFoldResult(sizes.divideUp(size, part));
  }
}

SmallVector<Extent> Blocks::emitExtents(OpBuilder &builder,
                                        Location loc) const {
  SmallVector<Extent> extents(cuts.size());
  for (auto [dim, number] : llvm::enumerate(made.at(scores)))
    if (number && *number < cuts.size())
      extents[*number].size = emitSize(scores, dim, builder, loc);
  if (ShapedType::isDynamic(cuts.back().part)) {
    emitOpenParts(extents, builder, loc);
    return extents;
  }
  for (auto [extent, cut] : llvm::zip_equal(extents, cuts)) {
    extent.part = builder.getIndexAttr(cut.part);
    extent.count =
        cut.part == 1
            ? extent.size
            : builder.getIndexAttr(llvm::divideCeil(cut.size, cut.part));
  }
  return extents;
}

Turn Blocks::emitTurn(Value number, ArrayRef<Extent> extents, OpFoldResult keys,
                      Value everyKey, OpBuilder &builder, Location loc) const {
  BlockSizes sizes(builder, loc);
  Turn turn;
  turn.offsets.resize(cuts.size());
  for (unsigned i = cuts.size(); i-- > 0;) {
    auto [size, part, count] = extents[i];
    Value place = number;
    if (i != 0) {
      place = sizes.compute<arith::RemUIOp>(number, sizes.get(count));
      number = sizes.compute<arith::DivUIOp>(number, sizes.get(count));
    }
    if (cuts[i].part != 1)
      place = sizes.compute<arith::MulIOp>(place, sizes.get(part));
    bool isEven = !ShapedType::isDynamic(cuts[i].part) &&
                  cuts[i].size % cuts[i].part == 0;
    if (cuts[i].part != 1 && !isEven)
      place = sizes.atMost(place, sizes.compute<arith::SubIOp>(
                                      sizes.get(size), sizes.get(part)));
    turn.offsets[i] = place;
  }
  for (const Extent &extent : extents)
    turn.sizes.push_back(extent.part);
  if (!hidden)
    return turn;
  // A query that sees no key has one: all that is made of it is as before.
  Value seen = sizes.compute<arith::AddIOp>(
      turn.offsets[hidden->queries],
      sizes.compute<arith::AddIOp>(sizes.get(extents[hidden->queries].part),
                                   sizes.get(hidden->offset)));
  seen = sizes.compute<arith::MaxSIOp>(seen, sizes.get(1));
  seen = sizes.compute<arith::MinSIOp>(seen, sizes.get(keys));
  turn.offsets.push_back(sizes.get(0));
  turn.sizes.push_back(sizes.compute<arith::MaxSIOp>(seen, everyKey));
  return turn;
}

/// The number of keys, if a weight of 0 does not leave each value out because
/// one is infinite or not a number; else 0.
Value Blocks::emitEveryKey(OpFoldResult keys, OpBuilder &builder,
                           Location loc) const {
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
      builder, loc, count, getValueOrCreateConstantIndexOp(builder, loc, keys));
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
      sizes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc, turn.sizes[*dims.front()]));
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
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  for (auto [size, number] : llvm::zip_equal(sizes, dims))
    if (number)
      size = turn.sizes[*number];
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
  SmallVector<Extent> extents = emitExtents(rewriter, loc);
  OpFoldResult turns = multiply(
      rewriter, loc,
      llvm::map_to_vector(extents, [](Extent extent) { return extent.count; }));
  SmallVector<Value> starts;
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim : llvm::seq(type.getRank()))
      sizes.push_back(emitSize(result, dim, rewriter, loc));
    Value zero = createScalarTensor(rewriter, loc, type.getElementType(), 0);
    starts.push_back(createFilled(rewriter, loc, zero, sizes));
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  OpFoldResult keys;
  Value everyKey;
  if (hidden) {
    const auto *dim = llvm::find(made.at(scores), cuts.size());
    keys = emitSize(scores, dim - made.at(scores).begin(), rewriter, loc);
    everyKey = emitEveryKey(keys, rewriter, loc);
  }
  auto loop = scf::ForOp::create(
      rewriter, loc, constant(0),
      getValueOrCreateConstantIndexOp(rewriter, loc, turns), constant(1),
      starts, [&](OpBuilder &body, Location, Value number, ValueRange carried) {
        Turn turn = emitTurn(number, extents, keys, everyKey, body, loc);
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
