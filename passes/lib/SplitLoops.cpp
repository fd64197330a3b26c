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
#include "../differentiation/Folds.h"
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
/// Bytes of a tensor that caches may hold, and of what they hold of it at once.
static constexpr int64_t mostOfCache = 1 << 21, cacheLine = 64;
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
  /// How many rows of each axis.
  using Parts = SmallVector<int64_t>;

  bool chooseParts();
  bool arePaying(const Parts &whole);
  bool areColumns(unsigned axis);
  bool isOneDispatch();
  int64_t getPiece(Value tensor);
  bool goesThroughMemory(Value tensor);
  int64_t getWork(Operation &op, const Parts &parts) const;
  int64_t getElements(Value tensor, const Parts &parts) const;
  int64_t getTurnWork(const Parts &parts);
  int64_t getWorkOfSums();
  bool fits(const Parts &parts, int64_t mostWork, int64_t mostElements);
  int64_t countTurns();
  int64_t countBlocks(unsigned axis) const {
    return llvm::divideCeil(rows.getSize(axis), parts[axis]);
  }
  int64_t countBlocks() const {
    int64_t blocks = 1;
    for (unsigned axis : llvm::seq(rows.getAxisCount()))
      blocks *= countBlocks(axis);
    return blocks;
  }

  RankedTensorType getBlockType(Value tensor) const;
  SmallVector<Value> emitPlaces(OpBuilder &builder, Value number) const;
  /// Writes where a block is of a tensor, or of what a tensor is made of.
  void setBox(OpBuilder &builder, Value tensor, ArrayRef<Value> places,
              SmallVectorImpl<OpFoldResult> &offsets,
              SmallVectorImpl<OpFoldResult> &sizes) const;
  Value emitSlice(OpBuilder &builder, Value tensor, ArrayRef<Value> places);
  Value emitSlice(OpBuilder &builder, SliceOp slice, ArrayRef<Value> places,
                  const IRMapping &blocks) const;
  void emitOp(OpBuilder &builder, Operation &op, ArrayRef<Value> places,
              IRMapping &blocks) const;
  scf::ForOp emitTurns(OpBuilder &builder, ArrayRef<Value> places);
  Value emitResult(OpBuilder &builder, unsigned number, Value block, Value all,
                   ArrayRef<Value> places);

  scf::ForOp loop;
  LoopRows rows;
  /// The rows of a block.
  Parts parts;
};

} // namespace

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// How many rows are a block
//===----------------------------------------------------------------------===//

/// Bytes of an element: booleans are bytes, and other types as wide as any.
static int64_t getWidth(Value tensor) {
  Type element = getElementTypeOrSelf(tensor);
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 16;
}

int64_t BlockLoop::getElements(Value tensor, const Parts &parts) const {
  // Any number of these is more than all limits, and no overflow.
  constexpr int64_t many = int64_t(1) << 30;
  SmallVector<int64_t> lengths(getTensor(tensor).getShape());
  for (auto [axis, part] : llvm::enumerate(parts))
    if (std::optional<int64_t> dim = rows.getDim(tensor, axis))
      lengths[*dim] = part;
  int64_t count = 1;
  for (int64_t length : lengths) {
    int64_t factor = ShapedType::isDynamic(length) ? many : length;
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

/// Whether an operation's elements are products, of rows of one tensor with
/// columns of another, and all that becomes of them is a sum: a product of
/// matrices, which adds them up as they are made.
static bool isSummand(Operation *op) {
  auto join = dyn_cast_if_present<BroadcastOp>(op);
  if (!join || join.getInputs().size() != 2 || !join->hasOneUse())
    return false;
  auto reduce = dyn_cast<ReduceOp>(*join->user_begin());
  Operation *product =
      join.getKernel().front().getTerminator()->getOperand(0).getDefiningOp();
  auto hasOwnDim = [&](unsigned one, unsigned other) {
    return llvm::any_of(join.getOperandDims(one), [&](int64_t dim) {
      return !llvm::is_contained(join.getOperandDims(other), dim);
    });
  };
  return reduce && isSum(reduce.getFold(), reduce.getInputs().size()) &&
         isa_and_present<arith::MulFOp, arith::MulIOp>(product) &&
         hasOwnDim(0, 1) && hasOwnDim(1, 0);
}

int64_t BlockLoop::getWork(Operation &op, const Parts &parts) const {
  if (op.getNumResults() == 0 || !getTensor(op.getResult(0)))
    return 1;
  int64_t results = getElements(op.getResult(0), parts);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    int64_t folded = getElements(reduce.getInputs().front(), parts) /
                     std::max<int64_t>(results, 1);
    int64_t across = llvm::divideCeil(results, lanes) * folded;
    int64_t along =
        results * (llvm::divideCeil(folded, lanes) + llvm::Log2_64(lanes));
    return std::min(across, along) * ::getWork(reduce->getRegion(0));
  }
  // Only the update moves.
  if (auto insert = dyn_cast<InsertOp>(op))
    results = getElements(insert.getUpdate(), parts);
  int64_t each = op.getNumRegions() == 1 ? ::getWork(op.getRegion(0)) : 1;
  // A product is the sum's other half.
  if (isSummand(&op))
    each = 0;
  return llvm::divideCeil(results, lanes) * each;
}

int64_t BlockLoop::getTurnWork(const Parts &parts) {
  int64_t work = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    work += getWork(op, parts);
  return work;
}

/// Whether a turn for so many rows is no more than this, by an estimate.
bool BlockLoop::fits(const Parts &parts, int64_t mostWork,
                     int64_t mostElements) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto reduce = dyn_cast<ReduceOp>(op);
    if (reduce && !isSummand(reduce.getInputs().front().getDefiningOp()) &&
        getElements(reduce.getInputs().front(), parts) > mostOfTurn)
      return false;
    // What is updated is in memory, and what is summed up nowhere.
    for (Value result : op.getResults())
      if (getTensor(result) && !isa<InsertOp>(op) && !isSummand(&op) &&
          getElements(result, parts) > mostElements)
        return false;
  }
  return getTurnWork(parts) <= mostWork;
}

int64_t BlockLoop::countTurns() {
  std::optional<APInt> turns = loop.getStaticTripCount();
  return turns ? turns->getSExtValue() : assumedTurns;
}

/// The operations on vectors of adding up what blocks of rows sum up.
int64_t BlockLoop::getWorkOfSums() {
  int64_t work = 0;
  for (auto [place, result] : llvm::enumerate(loop.getResults())) {
    if (!rows.isSummed(place))
      continue;
    int64_t elements = 1;
    for (int64_t length : getTensor(result).getShape())
      elements *= ShapedType::isDynamic(length) ? countTurns() : length;
    work += 3 * llvm::divideCeil(elements, lanes);
  }
  return work;
}

/// Whether an axis is the last dim of what turns compute with.
bool BlockLoop::areColumns(unsigned axis) {
  return llvm::any_of(loop.getRegionIterArgs(), [&](Value carried) {
    int64_t rank = getTensor(carried).getRank();
    return rank > 1 && rows.getDim(carried, axis) == rank - 1 &&
           llvm::none_of(carried.getUsers(), llvm::IsaPred<InsertOp>);
  });
}

/// Whether blocks are turns of one dispatch: what is too large to be carried in
/// registers is written only, where all blocks write it, and sums are small.
bool BlockLoop::isOneDispatch() {
  for (auto [place, carried, init] :
       llvm::enumerate(loop.getRegionIterArgs(), loop.getInitArgs())) {
    bool isRead = llvm::any_of(carried.getUsers(), llvm::IsaPred<SliceOp>);
    bool isWritten = llvm::any_of(carried.getUsers(), llvm::IsaPred<InsertOp>);
    if (rows.isSummed(place)
            ? isWritten || rows.isOfRows(carried) ||
                  getElements(carried, {}) * getWidth(carried) > mostTurnBytes
            : isWritten && (isRead || !isZeros(init)))
      return false;
  }
  return true;
}

/// How many elements of a block lie side by side.
int64_t BlockLoop::getPiece(Value tensor) {
  int64_t piece = 1;
  for (auto [length, block] : llvm::reverse(llvm::zip_equal(
           getTensor(tensor).getShape(), getBlockType(tensor).getShape()))) {
    piece *= ShapedType::isDynamic(block) ? countTurns() : block;
    if (block != length)
      break;
  }
  return piece;
}

/// Whether each block goes through all of a tensor that caches do not hold,
/// because what it is of lies in pieces of less than a line of them.
bool BlockLoop::goesThroughMemory(Value tensor) {
  if (!getTensor(tensor) || !rows.isOfRows(tensor))
    return false;
  int64_t width = getWidth(tensor);
  int64_t bytes = width;
  for (int64_t length : getTensor(tensor).getShape())
    bytes *= ShapedType::isDynamic(length) ? countTurns() : length;
  return bytes > mostOfCache && getPiece(tensor) * width < cacheLine;
}

/// Chooses how many rows of the last axis are a block; of others it is one.
bool BlockLoop::chooseParts() {
  Parts whole;
  for (unsigned axis : llvm::seq(rows.getAxisCount())) {
    int64_t size = rows.getSize(axis);
    if (ShapedType::isDynamic(size) || size < 2)
      return false;
    whole.push_back(size);
  }
  // What is one dispatch anyway is split where blocks are too, for short code.
  if (!rows.hasWholeSums() ||
      (isOneDispatch() ? fits(whole, mostOfBlock, mostElements)
                       : fits(whole, mostTurnWork, mostOfAll)))
    return false;
  unsigned last = rows.getAxisCount() - 1;
  parts.assign(rows.getAxisCount(), 1);
  auto fitsBlock = [&](int64_t part) {
    parts[last] = part;
    return fits(parts, mostOfBlock, part == 1 ? mostOfAll : mostElements);
  };
  int64_t size = whole.back(), most = size;
  while (most > 1 && !fitsBlock(most))
    most /= 2;
  if (!fitsBlock(most))
    return false;
  while (most < size && fitsBlock(most + 1))
    ++most;
  int64_t part = llvm::divideCeil(size, llvm::divideCeil(size, most));
  // Whole vectors, where a row is one element.
  part = std::min<int64_t>(llvm::alignTo(part, lanes), most);
  // Fewer columns than lanes would share vectors, and be told apart in each
  // turn.
  if (part < lanes && areColumns(last))
    part = 1;
  // No row is summed up twice, nor added to a sum over the other axis.
  while (rows.hasSums() && size % part != 0)
    --part;
  parts[last] = part;
  return arePaying(whole);
}

/// Whether blocks take less time than turns for all rows.
bool BlockLoop::arePaying(const Parts &whole) {
  auto isTooLarge = [&](Value value) {
    // What turns read as a whole they read from registers.
    bool isRead = getTensor(value) && !rows.isOnlySliced(value);
    return goesThroughMemory(value) ||
           (isRead &&
            getElements(value, parts) * getWidth(value) > mostTurnBytes);
  };
  auto isFar = [&](Value result) { return goesThroughMemory(result); };
  if (llvm::any_of(rows.getCaptured(), isTooLarge) ||
      llvm::any_of(loop.getResults(), isFar))
    return false;
  int64_t blocks = countBlocks(), turns = countTurns();
  // Each block copies what it reads, and each turn of the loop as it is was
  // some dispatches.
  int64_t copies = 1;
  for (Value value : rows.getCaptured())
    copies += rows.isOfRows(value) && !rows.isOnlySliced(value);
  int64_t blocksOfTurn = isOneDispatch() ? 16 : 2;
  return blocks <= mostBlocks && blocks * copies <= blocksOfTurn * turns &&
         blocks * getWorkOfSums() <= turns * getTurnWork(whole) / 4;
}

bool BlockLoop::choose() {
  if (loop->getParentOfType<scf::ForOp>() ||
      loop->getParentOfType<scf::WhileOp>() || !rows.collect())
    return false;
  SmallVector<TensorDim> axes = rows.getAxes();
  SmallVector<SmallVector<TensorDim, 2>> choices;
  for (const TensorDim &axis : axes)
    choices.push_back({axis});
  for (const TensorDim &first : axes)
    for (const TensorDim &last : axes)
      if (first != last)
        choices.push_back({first, last});
  // What is summed up over blocks costs the more the more of them there are.
  for (bool withSums : {false, true}) {
    ArrayRef<TensorDim> best;
    int64_t leastWork = 0;
    for (ArrayRef<TensorDim> choice : choices) {
      rows.choose(choice);
      if (rows.hasSums() != withSums || !chooseParts())
        continue;
      int64_t work = countBlocks() * getTurnWork(parts);
      // Blocks of two axes lie in more pieces.
      if (choice.size() > 1)
        work += work / 4;
      if (best.empty() || work < leastWork) {
        best = choice;
        leastWork = work;
      }
    }
    if (best.empty())
      continue;
    rows.choose(best);
    return chooseParts();
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

RankedTensorType BlockLoop::getBlockType(Value tensor) const {
  RankedTensorType type = getTensor(tensor);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [axis, part] : llvm::enumerate(parts))
    if (std::optional<int64_t> dim = rows.getDim(tensor, axis))
      shape[*dim] = part;
  return type.clone(shape);
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
      Value count = createIndex(builder, loc, countBlocks(axis));
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

/// A block of a tensor.
Value BlockLoop::emitSlice(OpBuilder &builder, Value tensor,
                           ArrayRef<Value> places) {
  if (!rows.isOfRows(tensor))
    return tensor;
  Location loc = loop.getLoc();
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  setBox(builder, tensor, places, offsets, sizes);
  return createSlice(builder, loc, tensor, offsets, sizes,
                     SmallVector<int64_t>(sizes.size(), 1));
}

/// A block of a slice, of all that the slice is of: nothing is copied for it.
Value BlockLoop::emitSlice(OpBuilder &builder, SliceOp slice,
                           ArrayRef<Value> places,
                           const IRMapping &blocks) const {
  auto getMapped = [&](SmallVector<OpFoldResult> values) {
    for (OpFoldResult &value : values)
      if (auto dynamic = dyn_cast<Value>(value))
        value = blocks.lookupOrDefault(dynamic);
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
                       ArrayRef<Value> places, IRMapping &blocks) const {
  if (auto slice = dyn_cast<SliceOp>(op);
      slice && rows.isOnlySliced(slice.getOperand())) {
    blocks.map(slice.getResult(), emitSlice(builder, slice, places, blocks));
    return;
  }
  Operation *done = builder.clone(op, blocks);
  for (auto [result, block] :
       llvm::zip_equal(op.getResults(), done->getResults()))
    if (getTensor(result))
      block.setType(getBlockType(result));
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
      mapping.map(value, emitSlice(builder, value, places));
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    inits.push_back(emitSlice(builder, init, places));
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
  if (rows.isSummed(number)) {
    Value before = all;
    if (rows.isOfRows(result)) {
      SmallVector<OpFoldResult> sizes = getSizes(builder, loc, all);
      SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
      setBox(builder, result, places, offsets, sizes);
      before = createSlice(builder, loc, all, offsets, sizes,
                           SmallVector<int64_t>(sizes.size(), 1));
    }
    block = createAdd(builder, loc, before, block);
  }
  if (!rows.isOfRows(result))
    return block;
  int64_t rank = getTensor(result).getRank();
  SmallVector<int64_t> known(rank, 0);
  SmallVector<std::pair<int64_t, Value>> open;
  for (auto [axis, place] : llvm::enumerate(places))
    if (std::optional<int64_t> dim = rows.getDim(result, axis)) {
      known[*dim] = ShapedType::kDynamic;
      open.emplace_back(*dim, place);
    }
  llvm::sort(open, llvm::less_first());
  SmallVector<Value> offsets = llvm::to_vector(llvm::make_second_range(open));
  return InsertOp::create(builder, loc, block, all, offsets, known,
                          SmallVector<int64_t>(rank, 1));
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
      createIndex(rewriter, loc, countBlocks()), createIndex(rewriter, loc, 1),
      starts,
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
      BlockLoop blocks(loop);
      if (blocks.choose())
        blocks.emit(rewriter);
    }
  }
};
} // namespace
