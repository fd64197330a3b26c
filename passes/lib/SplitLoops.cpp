//===- SplitLoops.cpp - Loops over rows that do not mix -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over small tensors is one dispatch, and its turns work in registers;
// one over larger tensors is some dispatches a turn. But a turn that computes
// each row of its tensors from the same row of others alone may be done for a
// block of rows, turn after turn, before the next block. Rows are of one dim or
// of two, such as heads and channels.
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "LoopBlocks.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SPLITLOOPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Makes a loop one that goes through blocks of its rows.
class BlockLoop {
public:
  BlockLoop(scf::ForOp loop, const LoopBlocks &blocks)
      : loop(loop), blocks(blocks), rows(blocks.getRows()),
        parts(blocks.getParts()) {}
  void emit(RewriterBase &rewriter);

private:
  SmallVector<Value> emitPlaces(OpBuilder &builder, Value number) const;
  /// Writes where a block is of a tensor, or of what a tensor is made of.
  void setBox(OpBuilder &builder, Value tensor, ArrayRef<Value> places,
              SmallVectorImpl<OpFoldResult> &offsets,
              SmallVectorImpl<OpFoldResult> &sizes) const;
  Value emitSlice(OpBuilder &builder, Value tensor, Value like,
                  ArrayRef<Value> places);
  Value emitSlice(OpBuilder &builder, SliceOp slice, ArrayRef<Value> places,
                  const IRMapping &mapping) const;
  void emitOp(OpBuilder &builder, Operation &op, ArrayRef<Value> places,
              IRMapping &mapping) const;
  scf::ForOp emitTurns(OpBuilder &builder, ArrayRef<Value> places);
  Value emitResult(OpBuilder &builder, unsigned number, Value block, Value all,
                   ArrayRef<Value> places);

  scf::ForOp loop;
  const LoopBlocks &blocks;
  const LoopRows &rows;
  ArrayRef<int64_t> parts;
};

} // namespace

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The first row of a block, for each axis.
SmallVector<Value> BlockLoop::emitPlaces(OpBuilder &builder,
                                         Value number) const {
  Location loc = number.getLoc();
  SmallVector<Value> places(parts.size());
  for (unsigned axis : llvm::reverse(llvm::seq(rows.getAxisCount()))) {
    int64_t part = parts[axis];
    Value here = number;
    if (axis > 0) {
      Value count = createIndex(builder, loc, blocks.countBlocks(axis));
      here = arith::RemUIOp::create(builder, loc, number, count);
      number = arith::DivUIOp::create(builder, loc, number, count);
    }
    Value place = arith::MulIOp::create(builder, loc, here,
                                        createIndex(builder, loc, part));
    int64_t size = rows.getSize(axis);
    // The last block has some rows of the one before again.
    if (size % part != 0)
      place = arith::MinUIOp::create(builder, loc, place,
                                     createIndex(builder, loc, size - part));
    places[axis] = place;
  }
  return places;
}

void BlockLoop::setBox(OpBuilder &builder, Value tensor, ArrayRef<Value> places,
                       SmallVectorImpl<OpFoldResult> &offsets,
                       SmallVectorImpl<OpFoldResult> &sizes) const {
  for (auto [axis, part, place] : llvm::enumerate(parts, places))
    if (std::optional<int64_t> dim = rows.getDim(tensor, axis)) {
      offsets[*dim] = place;
      sizes[*dim] = builder.getIndexAttr(part);
    }
}

/// A block of a tensor, of which rows are where they are of another one, which
/// is of the loop.
Value BlockLoop::emitSlice(OpBuilder &builder, Value tensor, Value like,
                           ArrayRef<Value> places) {
  if (!rows.isOfRows(like))
    return tensor;
  Location loc = loop.getLoc();
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  setBox(builder, like, places, offsets, sizes);
  return createSlice(builder, loc, tensor, offsets, sizes,
                     SmallVector<int64_t>(sizes.size(), 1));
}

/// A block of a slice, of all that the slice is of: nothing is copied for it.
Value BlockLoop::emitSlice(OpBuilder &builder, SliceOp slice,
                           ArrayRef<Value> places,
                           const IRMapping &mapping) const {
  auto getMapped = [&](SmallVector<OpFoldResult> values) {
    for (OpFoldResult &value : values)
      if (auto dynamic = dyn_cast<Value>(value))
        value = mapping.lookupOrDefault(dynamic);
    return values;
  };
  SmallVector<OpFoldResult> offsets = getMapped(slice.getMixedOffsets()),
                            sizes = getMapped(slice.getMixedSizes());
  setBox(builder, slice.getResult(), places, offsets, sizes);
  return createSlice(builder, slice.getLoc(), slice.getOperand(), offsets,
                     sizes, slice.getStrides());
}

/// Does for a block what an operation does for all.
void BlockLoop::emitOp(OpBuilder &builder, Operation &op,
                       ArrayRef<Value> places, IRMapping &mapping) const {
  if (auto slice = dyn_cast<SliceOp>(op);
      slice && rows.isOnlySliced(slice.getOperand())) {
    mapping.map(slice.getResult(), emitSlice(builder, slice, places, mapping));
    return;
  }
  Operation *done = builder.clone(op, mapping);
  for (auto [result, block] :
       llvm::zip_equal(op.getResults(), done->getResults()))
    if (getTensor(result))
      block.setType(blocks.getType(result));
  if (op.getNumResults() != 1)
    return;
  for (auto [axis, part] : llvm::enumerate(parts)) {
    std::optional<int64_t> dim = rows.getDim(op.getResult(0), axis);
    if (!dim)
      continue;
    if (auto slice = dyn_cast<SliceOp>(done)) {
      SmallVector<int64_t> sizes(slice.getStaticSizes());
      sizes[*dim] = part;
      slice.setStaticSizes(sizes);
    } else if (auto join = dyn_cast<BroadcastOp>(done)) {
      SmallVector<int64_t> sizes(join.getStaticSizes());
      for (auto [number, free] : llvm::enumerate(join.getFreeDims()))
        if (free == *dim)
          sizes[number] = part;
      join.setStaticSizes(sizes);
    }
  }
}

/// All turns for a block.
scf::ForOp BlockLoop::emitTurns(OpBuilder &builder, ArrayRef<Value> places) {
  IRMapping mapping;
  for (Value value : rows.getCaptured())
    if (!rows.isOnlySliced(value))
      mapping.map(value, emitSlice(builder, value, value, places));
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    inits.push_back(emitSlice(builder, init, init, places));
  return scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits,
      [&](OpBuilder &body, Location loc, Value turn, ValueRange state) {
        mapping.map(loop.getInductionVar(), turn);
        mapping.map(loop.getRegionIterArgs(), state);
        for (Operation &op : loop.getBody()->without_terminator())
          emitOp(body, op, places, mapping);
        scf::YieldOp::create(
            body, loc,
            llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) {
              return mapping.lookup(value);
            }));
      });
}

/// A result of all rows so far, with that of a block.
Value BlockLoop::emitResult(OpBuilder &builder, unsigned number, Value block,
                            Value all, ArrayRef<Value> places) {
  Location loc = loop.getLoc();
  Value result = loop.getResult(number);
  if (rows.isSummed(number))
    block =
        createAdd(builder, loc, emitSlice(builder, all, result, places), block);
  if (!rows.isOfRows(result))
    return block;
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, block);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  setBox(builder, result, places, offsets, sizes);
  SmallVector<Value> open;
  SmallVector<int64_t> known;
  dispatchIndexOpFoldResults(offsets, open, known);
  return InsertOp::create(builder, loc, block, all, open, known,
                          SmallVector<int64_t>(sizes.size(), 1));
}

void BlockLoop::emit(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> starts;
  for (Value init : loop.getInitArgs())
    starts.push_back(
        rows.isOfRows(init)
            ? createZeros(rewriter, loc, init, getTensor(init).getElementType())
            : init);
  auto all = scf::ForOp::create(
      rewriter, loc, createIndex(rewriter, loc, 0),
      createIndex(rewriter, loc, blocks.countBlocks()),
      createIndex(rewriter, loc, 1), starts,
      [&](OpBuilder &builder, Location, Value number, ValueRange carried) {
        SmallVector<Value> places = emitPlaces(builder, number);
        scf::ForOp turns = emitTurns(builder, places);
        SmallVector<Value> next;
        for (auto [i, block, whole] :
             llvm::enumerate(turns.getResults(), carried))
          next.push_back(emitResult(builder, i, block, whole, places));
        scf::YieldOp::create(builder, loc, next);
      });
  rewriter.replaceOp(loop, all.getResults());
}

namespace {
struct SplitLoops : wax::impl::SplitLoopsBase<SplitLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      LoopBlocks blocks(loop);
      if (blocks.choose())
        BlockLoop(loop, blocks).emit(rewriter);
    }
  }
};
} // namespace
