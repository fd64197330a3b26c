//===- LoopBlocks.cpp - Blocks of rows that a loop goes through -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBlocks.h"

#include "../building/Tensors.h"
#include "../differentiation/Folds.h"
#include "../lowering/VectorFold.h"
#include "LoopPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

int64_t LoopBlocks::countBlocks() const {
  int64_t blocks = 1;
  for (unsigned axis : llvm::seq(rows.getAxisCount()))
    blocks *= countBlocks(axis);
  return blocks;
}

RankedTensorType LoopBlocks::getType(Value tensor) const {
  RankedTensorType type = getTensor(tensor);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [axis, part] : llvm::enumerate(parts))
    if (std::optional<int64_t> dim = rows.getDim(tensor, axis))
      shape[*dim] = part;
  return type.clone(shape);
}

//===----------------------------------------------------------------------===//
// What a turn for a block is
//===----------------------------------------------------------------------===//

/// Bytes of an element: booleans are bytes, and other types as wide as any.
static int64_t getWidth(Value tensor) {
  Type element = getElementTypeOrSelf(tensor);
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 16;
}

int64_t LoopBlocks::getElements(Value tensor, const Parts &parts) const {
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

int64_t LoopBlocks::getWork(Operation &op, const Parts &parts) const {
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

int64_t LoopBlocks::getTurnWork(const Parts &parts) {
  int64_t work = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    work += getWork(op, parts);
  return work;
}

/// Whether a turn for so many rows is no more than this, by an estimate.
bool LoopBlocks::fits(const Parts &parts, int64_t mostWork,
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

int64_t LoopBlocks::countTurns() {
  std::optional<APInt> turns = loop.getStaticTripCount();
  return turns ? turns->getSExtValue() : assumedTurns;
}

int64_t LoopBlocks::countElements(Value tensor) {
  int64_t count = 1;
  for (int64_t length : getTensor(tensor).getShape())
    count *= ShapedType::isDynamic(length) ? countTurns() : length;
  return count;
}

/// The operations on vectors of adding up what blocks of rows sum up.
int64_t LoopBlocks::getWorkOfSums() {
  int64_t work = 0;
  for (auto [place, result] : llvm::enumerate(loop.getResults()))
    if (rows.isSummed(place))
      work += 3 * llvm::divideCeil(countElements(result), lanes);
  return work;
}

/// Whether an axis is the last dim of what turns compute with.
bool LoopBlocks::areColumns(unsigned axis) {
  return llvm::any_of(loop.getRegionIterArgs(), [&](Value carried) {
    int64_t rank = getTensor(carried).getRank();
    return rank > 1 && rows.getDim(carried, axis) == rank - 1 &&
           llvm::none_of(carried.getUsers(), llvm::IsaPred<InsertOp>);
  });
}

/// Whether blocks are turns of one dispatch: what is too large to be carried in
/// registers is written only, rows of it by each block, and sums are small.
bool LoopBlocks::isOneDispatch() {
  for (auto [place, carried, init] :
       llvm::enumerate(loop.getRegionIterArgs(), loop.getInitArgs())) {
    bool isRead = llvm::any_of(carried.getUsers(), llvm::IsaPred<SliceOp>);
    bool isWritten = llvm::any_of(carried.getUsers(), llvm::IsaPred<InsertOp>);
    if (rows.isSummed(place)
            ? isWritten || rows.isOfRows(carried) ||
                  getElements(carried, {}) * getWidth(carried) > mostTurnBytes
            : isWritten &&
                  (isRead || !isZeros(init) || !rows.isOfRows(carried)))
      return false;
  }
  return true;
}

/// How many elements of a block lie side by side.
int64_t LoopBlocks::getPiece(Value tensor) {
  int64_t piece = 1;
  for (auto [length, block] : llvm::reverse(llvm::zip_equal(
           getTensor(tensor).getShape(), getType(tensor).getShape()))) {
    piece *= ShapedType::isDynamic(block) ? countTurns() : block;
    if (block != length)
      break;
  }
  return piece;
}

/// Whether each block goes through all of a tensor that caches do not hold,
/// because what it is of lies in pieces of less than a line of them.
bool LoopBlocks::goesThroughMemory(Value tensor) {
  if (!getTensor(tensor) || !rows.isOfRows(tensor))
    return false;
  int64_t width = getWidth(tensor);
  return countElements(tensor) * width > mostOfCache &&
         getPiece(tensor) * width < cacheLine;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Chooses how many rows of the last axis are a block; of others it is one.
bool LoopBlocks::chooseParts() {
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
bool LoopBlocks::arePaying(const Parts &whole) {
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

bool LoopBlocks::choose() {
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
