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
// block of rows, turn after turn, before the next block.
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "../lowering/VectorFold.h"
#include "LoopPlan.h"
#include "LoopRows.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SPLITLOOPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What a block's turn may be, of what one dispatch takes: operations on
/// vectors are estimated, and more of them take longer to compile than they
/// save.
static constexpr int64_t mostOfBlock = mostTurnWork / 4;
/// Elements of a tensor of a block of several rows, of which registers hold
/// some, and of one that a dispatch for all rows may have.
static constexpr int64_t mostElements = 256, mostOfAll = 2048;
static constexpr int64_t mostBlocks = 1024;
/// Turns that are assumed of a loop whose turns are not known.
static constexpr int64_t assumedTurns = 256;
static constexpr int64_t lanes = 16;
/// Operations on vectors that functions of `math` are about, and powers.
static constexpr int64_t workOfFunction = 28, workOfPower = 120;

namespace {

/// A loop that goes through blocks of its rows.
class BlockLoop {
public:
  explicit BlockLoop(scf::ForOp loop) : loop(loop), rows(loop) {}

  /// Finds the rows, and how many are a block. False where the loop has none,
  /// or is better as it is.
  bool choose();
  void emit(RewriterBase &rewriter);

private:
  bool choosePart();
  int64_t getWork(Operation &op, int64_t part) const;
  int64_t getElements(Value tensor, int64_t part) const;
  bool fits(int64_t part, int64_t mostWork, int64_t mostElements);
  int64_t countTurns();

  RankedTensorType getBlockType(Value tensor) const;
  Value emitPlace(OpBuilder &builder, Value number) const;
  Value emitSlice(OpBuilder &builder, Value tensor, Value place);
  Value emitSlice(OpBuilder &builder, SliceOp slice, Value place,
                  const IRMapping &blocks) const;
  void emitOp(OpBuilder &builder, Operation &op, Value place,
              IRMapping &blocks) const;
  scf::ForOp emitTurns(OpBuilder &builder, Value place);
  Value emitResult(OpBuilder &builder, unsigned number, Value block, Value all,
                   Value place);

  scf::ForOp loop;
  LoopRows rows;
  /// The rows of a block.
  int64_t part = 0;
};

} // namespace

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// How many rows are a block
//===----------------------------------------------------------------------===//

int64_t BlockLoop::getElements(Value tensor, int64_t part) const {
  // Any number of these is more than all limits, and no overflow.
  constexpr int64_t many = int64_t(1) << 30;
  RankedTensorType type = getTensor(tensor);
  std::optional<int64_t> rowDim = rows.getDim(tensor);
  int64_t count = 1;
  for (auto [dim, length] : llvm::enumerate(type.getShape())) {
    bool isRows = static_cast<int64_t>(dim) == rowDim;
    bool isOpen = !isRows && ShapedType::isDynamic(length);
    int64_t factor = isRows ? part : isOpen ? many : length;
    count = std::min(count * std::min(factor, many), many);
  }
  return count;
}

static int64_t getWork(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || isa<arith::ConstantOp>(op))
    return 0;
  if (!isa<math::MathDialect>(op.getDialect()) ||
      isa<math::AbsFOp, math::SqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
          math::CopySignOp>(op))
    return 1;
  return isa<math::PowFOp>(op) ? workOfPower : workOfFunction;
}

static int64_t getWork(Region &kernel) {
  int64_t work = 0;
  for (Operation &op : kernel.getOps())
    work += getWork(op);
  return std::max<int64_t>(work, 1);
}

int64_t BlockLoop::getWork(Operation &op, int64_t part) const {
  if (op.getNumResults() == 0 || !getTensor(op.getResult(0)))
    return 1;
  int64_t results = getElements(op.getResult(0), part);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    int64_t folded = getElements(reduce.getInputs().front(), part) /
                     std::max<int64_t>(results, 1);
    int64_t across = llvm::divideCeil(results, lanes) * folded;
    int64_t along =
        results * (llvm::divideCeil(folded, lanes) + llvm::Log2_64(lanes));
    return std::min(across, along) * ::getWork(reduce->getRegion(0));
  }
  // Only the update moves.
  if (auto insert = dyn_cast<InsertOp>(op))
    results = getElements(insert.getUpdate(), part);
  int64_t each = op.getNumRegions() == 1 ? ::getWork(op.getRegion(0)) : 1;
  return llvm::divideCeil(results, lanes) * each;
}

/// Whether a turn for so many rows is no more than this, by an estimate.
bool BlockLoop::fits(int64_t part, int64_t mostWork, int64_t mostElements) {
  int64_t work = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    work += getWork(op, part);
    auto reduce = dyn_cast<ReduceOp>(op);
    if (work > mostWork ||
        (reduce && getElements(reduce.getInputs().front(), part) > mostOfTurn))
      return false;
    // What is updated is in memory.
    for (Value result : op.getResults())
      if (getTensor(result) && !isa<InsertOp>(op) &&
          getElements(result, part) > mostElements)
        return false;
  }
  return true;
}

int64_t BlockLoop::countTurns() {
  std::optional<APInt> turns = loop.getStaticTripCount();
  return turns ? turns->getSExtValue() : assumedTurns;
}

bool BlockLoop::choosePart() {
  int64_t size = rows.getSize();
  if (ShapedType::isDynamic(size) || size < 2 ||
      fits(size, mostTurnWork, mostOfAll))
    return false;
  auto fitsBlock = [&](int64_t part) {
    return fits(part, mostOfBlock, part == 1 ? mostOfAll : mostElements);
  };
  int64_t most = size;
  while (most > 1 && !fitsBlock(most))
    most /= 2;
  if (!fitsBlock(most))
    return false;
  part = llvm::divideCeil(size, llvm::divideCeil(size, most));
  // Whole vectors, where a row is one element.
  part = std::min<int64_t>(llvm::alignTo(part, lanes), most);
  // No row is summed up twice.
  while (rows.hasSums() && size % part != 0)
    --part;
  int64_t blocks = llvm::divideCeil(size, part);
  // Each block copies what it reads, and each turn of the loop as it is was
  // some dispatches.
  int64_t copies = 1;
  for (Value value : rows.getCaptured())
    copies += rows.getDim(value) && !rows.isOnlySliced(value);
  return blocks <= mostBlocks && blocks * copies <= 2 * countTurns();
}

bool BlockLoop::choose() {
  if (loop->getParentOfType<scf::ForOp>() ||
      loop->getParentOfType<scf::WhileOp>() || !rows.collect())
    return false;
  for (BlockArgument carried : loop.getRegionIterArgs())
    for (int64_t dim : getAllDims(carried))
      if (rows.choose(TensorDim(carried, dim)) && choosePart())
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

RankedTensorType BlockLoop::getBlockType(Value tensor) const {
  RankedTensorType type = getTensor(tensor);
  SmallVector<int64_t> shape(type.getShape());
  if (std::optional<int64_t> dim = rows.getDim(tensor))
    shape[*dim] = part;
  return type.clone(shape);
}

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The first row of a block.
Value BlockLoop::emitPlace(OpBuilder &builder, Value number) const {
  Location loc = number.getLoc();
  Value place = arith::MulIOp::create(builder, loc, number,
                                      createIndex(builder, loc, part));
  if (rows.getSize() % part == 0)
    return place;
  // The last block has some rows of the one before again.
  return arith::MinUIOp::create(
      builder, loc, place, createIndex(builder, loc, rows.getSize() - part));
}

/// A block of a tensor.
Value BlockLoop::emitSlice(OpBuilder &builder, Value tensor, Value place) {
  std::optional<int64_t> dim = rows.getDim(tensor);
  if (!dim)
    return tensor;
  Location loc = loop.getLoc();
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  offsets[*dim] = place;
  sizes[*dim] = builder.getIndexAttr(part);
  return createSlice(builder, loc, tensor, offsets, sizes,
                     SmallVector<int64_t>(sizes.size(), 1));
}

/// A block of a slice, of all that the slice is of: nothing is copied for it.
Value BlockLoop::emitSlice(OpBuilder &builder, SliceOp slice, Value place,
                           const IRMapping &blocks) const {
  auto getMapped = [&](SmallVector<OpFoldResult> values) {
    for (OpFoldResult &value : values)
      if (auto dynamic = dyn_cast<Value>(value))
        value = blocks.lookupOrDefault(dynamic);
    return values;
  };
  SmallVector<OpFoldResult> offsets = getMapped(slice.getMixedOffsets()),
                            sizes = getMapped(slice.getMixedSizes());
  if (std::optional<int64_t> dim = rows.getDim(slice.getResult())) {
    offsets[*dim] = place;
    sizes[*dim] = builder.getIndexAttr(part);
  }
  return createSlice(builder, slice.getLoc(), slice.getOperand(), offsets,
                     sizes, slice.getStrides());
}

/// Does for a block what an operation does for all.
void BlockLoop::emitOp(OpBuilder &builder, Operation &op, Value place,
                       IRMapping &blocks) const {
  if (auto slice = dyn_cast<SliceOp>(op);
      slice && rows.isOnlySliced(slice.getOperand())) {
    blocks.map(slice.getResult(), emitSlice(builder, slice, place, blocks));
    return;
  }
  Operation *done = builder.clone(op, blocks);
  for (auto [result, block] :
       llvm::zip_equal(op.getResults(), done->getResults()))
    if (getTensor(result))
      block.setType(getBlockType(result));
  std::optional<int64_t> dim =
      op.getNumResults() == 1 ? rows.getDim(op.getResult(0)) : std::nullopt;
  if (!dim)
    return;
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

/// All turns for a block.
scf::ForOp BlockLoop::emitTurns(OpBuilder &builder, Value place) {
  IRMapping mapping;
  for (Value value : rows.getCaptured())
    if (!rows.isOnlySliced(value))
      mapping.map(value, emitSlice(builder, value, place));
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    inits.push_back(emitSlice(builder, init, place));
  return scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits,
      [&](OpBuilder &body, Location loc, Value turn, ValueRange state) {
        mapping.map(loop.getInductionVar(), turn);
        mapping.map(loop.getRegionIterArgs(), state);
        for (Operation &op : loop.getBody()->without_terminator())
          emitOp(body, op, place, mapping);
        scf::YieldOp::create(
            body, loc,
            llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) {
              return mapping.lookup(value);
            }));
      });
}

/// A result of all rows so far, with that of a block.
Value BlockLoop::emitResult(OpBuilder &builder, unsigned number, Value block,
                            Value all, Value place) {
  Location loc = loop.getLoc();
  Value result = loop.getResult(number);
  std::optional<int64_t> dim = rows.getDim(result);
  if (!dim)
    return rows.isSummed(number) ? createAdd(builder, loc, all, block) : block;
  int64_t rank = getTensor(result).getRank();
  SmallVector<int64_t> known(rank, 0);
  known[*dim] = ShapedType::kDynamic;
  return InsertOp::create(builder, loc, block, all, place, known,
                          SmallVector<int64_t>(rank, 1));
}

void BlockLoop::emit(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> starts;
  for (Value init : loop.getInitArgs())
    starts.push_back(
        rows.getDim(init)
            ? createZeros(rewriter, loc, init, getTensor(init).getElementType())
            : init);
  int64_t blocks = llvm::divideCeil(rows.getSize(), part);
  auto all = scf::ForOp::create(
      rewriter, loc, createIndex(rewriter, loc, 0),
      createIndex(rewriter, loc, blocks), createIndex(rewriter, loc, 1), starts,
      [&](OpBuilder &builder, Location, Value number, ValueRange carried) {
        Value place = emitPlace(builder, number);
        scf::ForOp turns = emitTurns(builder, place);
        SmallVector<Value> next;
        for (auto [i, block, whole] :
             llvm::enumerate(turns.getResults(), carried))
          next.push_back(emitResult(builder, i, block, whole, place));
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
      BlockLoop blocks(loop);
      if (blocks.choose())
        blocks.emit(rewriter);
    }
  }
};
} // namespace
