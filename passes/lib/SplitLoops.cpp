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
#include "../building/Walks.h"
#include "../lowering/VectorFold.h"
#include "LoopPlan.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

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

/// A dim of a tensor.
using TensorDim = std::pair<Value, int64_t>;

/// A loop, and the dims of its tensors along which rows do not mix.
class RowLoop {
public:
  explicit RowLoop(scf::ForOp loop) : loop(loop) {}

  /// Finds the rows. False where the loop has none, or is better as it is.
  bool findRows();
  void emit(RewriterBase &rewriter);

private:
  bool collect(Operation &op);
  void unite(Value one, int64_t dim, Value other, int64_t otherDim) {
    classes.unionSets(TensorDim(one, dim), TensorDim(other, otherDim));
  }
  void uniteAll(Value one, Value other) {
    for (int64_t dim : getAllDims(one))
      unite(one, dim, other, dim);
  }
  /// Keeps a dim whole.
  void fix(Value tensor, int64_t dim) {
    classes.insert(TensorDim(tensor, dim));
    fixed.push_back(TensorDim(tensor, dim));
  }
  void fixAll(ValueRange values);
  void collectWalk(Operation &op, const Walk &walk);
  std::optional<unsigned> findAccumulator(ReduceOp reduce);

  /// The dim of a tensor that is the rows, if one is.
  std::optional<int64_t> getRowDim(Value tensor) const;
  bool isCarriedByRows(const TensorDim &rows);
  void findSummed();
  bool choose(const TensorDim &rows);
  int64_t getWork(Operation &op, int64_t part) const;
  int64_t getElements(Value tensor, int64_t part) const;
  bool fits(int64_t part, int64_t mostWork, int64_t mostElements);
  int64_t countTurns();

  RankedTensorType getBlockType(Value tensor) const;
  bool isOnlySliced(Value tensor);
  Value emitSlice(OpBuilder &builder, Location loc, Value tensor,
                  Value place) const;
  void emitOp(OpBuilder &builder, Operation &op, Value place,
              IRMapping &blocks);

  scf::ForOp loop;
  llvm::EquivalenceClasses<TensorDim> classes;
  SmallVector<TensorDim> fixed;
  /// A dim that a sum is over, and the place of the accumulator that is all it
  /// is for.
  SmallVector<std::pair<TensorDim, unsigned>> sums;
  /// What of the program around the loop its turns read.
  llvm::SetVector<Value> captured;
  TensorDim rows;
  int64_t size = 0, part = 0;
  /// The places of accumulators of sums over rows: each block has its own.
  llvm::SmallDenseSet<unsigned> summed;
};

} // namespace

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Whether an update or a slice has a dim of a tensor whole.
static bool isWhole(OpFoldResult offset, int64_t stride, int64_t size,
                    int64_t of) {
  return isZeroInteger(offset) && stride == 1 && size == of &&
         !ShapedType::isDynamic(size);
}

/// Whether a kernel adds its two arguments up.
static bool isAddition(Block &kernel) {
  Operation *add = kernel.getTerminator()->getOperand(0).getDefiningOp();
  Value first = kernel.getArgument(0), second = kernel.getArgument(1);
  return isa_and_present<arith::AddFOp, arith::AddIOp>(add) &&
         ((add->getOperand(0) == first && add->getOperand(1) == second) ||
          (add->getOperand(0) == second && add->getOperand(1) == first));
}

/// Whether all elements are known to be 0.
static bool isZero(Value tensor) {
  Attribute element = getConstantElement(tensor);
  if (auto number = dyn_cast_if_present<FloatAttr>(element))
    return number.getValue().isZero();
  auto integer = dyn_cast_if_present<IntegerAttr>(element);
  return integer && integer.getValue().isZero();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowLoop::fixAll(ValueRange values) {
  for (Value value : values)
    if (getTensor(value))
      for (int64_t dim : getAllDims(value))
        fix(value, dim);
}

void RowLoop::collectWalk(Operation &op, const Walk &walk) {
  // A dim of each loop stands for it.
  SmallVector<std::optional<TensorDim>> dims(walk.loops);
  auto add = [&](Value tensor, const Dims &of) {
    if (getTensor(tensor))
      for (auto [dim, number] : llvm::enumerate(of)) {
        TensorDim here(tensor, dim);
        classes.insert(here);
        if (dims[number])
          classes.unionSets(*dims[number], here);
        else
          dims[number] = here;
      }
  };
  for (auto [operand, of] : llvm::zip_equal(op.getOperands(), walk.operands))
    add(operand, of);
  for (auto [result, of] : llvm::zip_equal(op.getResults(), walk.results))
    add(result, of);
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce)
    return;
  std::optional<unsigned> place = findAccumulator(reduce);
  for (int64_t number : walk.whole)
    if (place)
      sums.emplace_back(*dims[number], *place);
    else
      fixed.push_back(*dims[number]);
}

/// The other one of two tensors of one shape that are added up.
static Value getAddend(Operation *op, Value value) {
  auto join = dyn_cast<BroadcastOp>(op);
  if (!join || join.getInputs().size() != 2)
    return {};
  SmallVector<int64_t> all = getAllDims(join.getResult());
  if (join.getOperandDims(0) != ArrayRef(all) ||
      join.getOperandDims(1) != ArrayRef(all) ||
      !isAddition(join.getKernel().front()))
    return {};
  Value other = join.getInputs()[join.getInputs()[0] == value ? 1 : 0];
  return other == value ? Value() : other;
}

/// The place of a carried value that begins with zeros, and that a sum is added
/// to, or written into, if that is all that the sum and the value are for.
std::optional<unsigned> RowLoop::findAccumulator(ReduceOp reduce) {
  if (reduce.getNumResults() != 1 || !isAddition(reduce.getFold().front()) ||
      !isZero(reduce.getInits().front()))
    return std::nullopt;
  Value value = reduce->getResult(0), addend;
  Operation *reader = nullptr;
  while (value.hasOneUse()) {
    reader = *value.user_begin();
    if (!isa<ReshapeOp, PermuteOp>(reader)) {
      Value other = addend ? Value() : getAddend(reader, value);
      if (!other)
        break;
      addend = other;
    }
    value = reader->getResult(0);
  }
  if (!value.hasOneUse())
    return std::nullopt;
  Value carried = addend;
  if (auto insert = dyn_cast<InsertOp>(reader)) {
    carried = insert.getOperand();
    // It is added to what was where it is written.
    auto slice = addend ? addend.getDefiningOp<SliceOp>() : SliceOp();
    if (insert.getUpdate() != value || !insert->hasOneUse() ||
        (addend &&
         (!slice || slice.getOperand() != carried || !slice->hasOneUse() ||
          slice.getMixedOffsets() != insert.getMixedOffsets() ||
          slice.getStrides() != insert.getStrides() ||
          slice.getType() != value.getType())))
      return std::nullopt;
    value = insert.getResult();
  }
  OpOperand &last = *value.use_begin();
  auto argument = dyn_cast_if_present<BlockArgument>(carried);
  if (last.getOwner() != loop.getBody()->getTerminator() || !argument ||
      argument != loop.getRegionIterArg(last.getOperandNumber()) ||
      !isZero(loop.getInitArgs()[last.getOperandNumber()]))
    return std::nullopt;
  bool isRead = addend && addend != carried;
  if (llvm::range_size(argument.getUses()) != (isRead ? 2 : 1))
    return std::nullopt;
  return last.getOperandNumber();
}

/// Whether vectors can compute what a kernel does, as far as it is known before
/// functions are formulas.
static bool isOfLanes(Operation &op) {
  auto isLane = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return isa<Float32Type, Float64Type, IndexType>(element) ||
           element.isInteger(1) || element.isInteger(32) ||
           element.isInteger(64);
  };
  for (Region &kernel : op.getRegions())
    for (Operation &one : kernel.getOps())
      if (!one.hasTrait<OpTrait::IsTerminator>() &&
          (!isa<arith::ArithDialect, math::MathDialect>(one.getDialect()) ||
           isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
               one) ||
           !llvm::all_of(one.getResultTypes(), isLane)))
        return false;
  return llvm::all_of(op.getOperandTypes(), isLane) &&
         llvm::all_of(op.getResultTypes(), isLane);
}

bool RowLoop::collect(Operation &op) {
  for (Value operand : op.getOperands())
    if (!loop->isAncestor(operand.getParentBlock()->getParentOp()))
      captured.insert(operand);
  if (!isOfLanes(op))
    return false;
  if (std::optional<Walk> walk = Walk::of(&op)) {
    collectWalk(op, *walk);
    return !isa<ReduceOp>(op) || cast<ReduceOp>(op).hasCombine();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    Value operand = reshape.getOperand(), result = reshape.getResult();
    for (auto [from, to] : llvm::zip_equal(
             reshape.getSourceGroups().getAsRange<DenseI64ArrayAttr>(),
             reshape.getResultGroups().getAsRange<DenseI64ArrayAttr>())) {
      if (from.size() == 1 && to.size() == 1) {
        unite(operand, from[0], result, to[0]);
        continue;
      }
      for (int64_t dim : from.asArrayRef())
        fix(operand, dim);
      for (int64_t dim : to.asArrayRef())
        fix(result, dim);
    }
    return true;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getMixedOffsets(), slice.getStrides())) {
      Value operand = slice.getOperand(), result = slice.getResult();
      if (isWhole(offset, stride, getTensor(result).getDimSize(dim),
                  getTensor(operand).getDimSize(dim))) {
        unite(operand, dim, result, dim);
        continue;
      }
      fix(operand, dim);
      fix(result, dim);
    }
    return true;
  }
  if (auto insert = dyn_cast<InsertOp>(op)) {
    Value update = insert.getUpdate(), all = insert.getOperand();
    uniteAll(all, insert.getResult());
    for (auto [dim, offset, stride] :
         llvm::enumerate(insert.getMixedOffsets(), insert.getStrides())) {
      if (isWhole(offset, stride, getTensor(update).getDimSize(dim),
                  getTensor(all).getDimSize(dim))) {
        unite(update, dim, all, dim);
        continue;
      }
      fix(update, dim);
      fix(all, dim);
    }
    return true;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    Value result = concat.getResult();
    for (int64_t dim : getAllDims(result))
      if (dim == static_cast<int64_t>(concat.getDim()))
        fix(result, dim);
    for (Value operand : concat.getOperands())
      for (int64_t dim : getAllDims(operand))
        if (dim == static_cast<int64_t>(concat.getDim()))
          fix(operand, dim);
        else
          unite(operand, dim, result, dim);
    return true;
  }
  fixAll(op.getOperands());
  fixAll(op.getResults());
  // What blocks do alike.
  return isa<IotaOp, ConstantOp>(op) ||
         (isa<arith::ArithDialect>(op.getDialect()) &&
          llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>));
}

std::optional<int64_t> RowLoop::getRowDim(Value tensor) const {
  if (!getTensor(tensor))
    return std::nullopt;
  for (int64_t dim : getAllDims(tensor))
    if (classes.isEquivalent(rows, TensorDim(tensor, dim)))
      return dim;
  return std::nullopt;
}

int64_t RowLoop::getElements(Value tensor, int64_t part) const {
  // Any number of these is more than all limits, and no overflow.
  constexpr int64_t many = int64_t(1) << 30;
  RankedTensorType type = getTensor(tensor);
  int64_t count = 1;
  for (auto [dim, length] : llvm::enumerate(type.getShape())) {
    bool isRows = classes.isEquivalent(rows, TensorDim(tensor, dim));
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

int64_t RowLoop::getWork(Operation &op, int64_t part) const {
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
bool RowLoop::fits(int64_t part, int64_t mostWork, int64_t mostElements) {
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

int64_t RowLoop::countTurns() {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step || *step <= 0)
    return assumedTurns;
  return llvm::divideCeil(std::max<int64_t>(*end - *begin, 0), *step);
}

/// Whether all that is carried and changes has one dim of rows, and what has
/// none is the same for all rows.
bool RowLoop::isCarriedByRows(const TensorDim &candidate) {
  bool hasRows = false;
  for (BlockArgument carried : loop.getRegionIterArgs()) {
    if (!getTensor(carried))
      return false;
    int64_t count = llvm::count_if(getAllDims(carried), [&](int64_t dim) {
      return classes.isEquivalent(candidate, TensorDim(carried, dim));
    });
    if (count > 1)
      return false;
    hasRows |= count == 1;
  }
  // Where sizes are not known to be the same, that is yet to be checked.
  int64_t count = getTensor(candidate.first).getDimSize(candidate.second);
  hasRows &=
      llvm::all_of(classes.members(candidate), [&](const TensorDim &dim) {
        return getTensor(dim.first).getDimSize(dim.second) == count;
      });
  return hasRows &&
         llvm::none_of(fixed,
                       [&](const TensorDim &dim) {
                         return classes.isEquivalent(candidate, dim);
                       }) &&
         // A square of rows is no block of rows.
         llvm::all_of(*loop.getBody(), [&](Operation &op) {
           return llvm::all_of(op.getResults(), [&](Value result) {
             return !getTensor(result) ||
                    llvm::count_if(getAllDims(result), [&](int64_t dim) {
                      return classes.isEquivalent(candidate,
                                                  TensorDim(result, dim));
                    }) <= 1;
           });
         });
}

void RowLoop::findSummed() {
  summed.clear();
  for (auto [dim, place] : sums)
    if (classes.isEquivalent(rows, dim))
      summed.insert(place);
}

bool RowLoop::choose(const TensorDim &candidate) {
  if (!isCarriedByRows(candidate))
    return false;
  rows = candidate;
  findSummed();
  size = getTensor(rows.first).getDimSize(rows.second);
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
  while (!summed.empty() && size % part != 0)
    --part;
  int64_t blocks = llvm::divideCeil(size, part);
  // Each block copies what it reads, and each turn of the loop as it is was
  // some dispatches.
  int64_t copies = 1;
  for (Value value : captured)
    copies += getRowDim(value) && !isOnlySliced(value);
  return blocks <= mostBlocks && blocks * copies <= 2 * countTurns();
}

bool RowLoop::findRows() {
  if (loop.getNumResults() == 0 || loop->getParentOfType<scf::ForOp>() ||
      loop->getParentOfType<scf::WhileOp>())
    return false;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!collect(op))
      return false;
  for (auto [place, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!getTensor(carried))
      return false;
    Value yielded = loop.getYieldedValues()[place];
    if (!loop->isAncestor(yielded.getParentBlock()->getParentOp()))
      return false;
    for (Value other :
         {loop.getInitArgs()[place], yielded, Value(loop.getResult(place))})
      uniteAll(carried, other);
  }
  for (BlockArgument carried : loop.getRegionIterArgs())
    for (int64_t dim : getAllDims(carried))
      if (choose(TensorDim(carried, dim)))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

RankedTensorType RowLoop::getBlockType(Value tensor) const {
  RankedTensorType type = getTensor(tensor);
  SmallVector<int64_t> shape(type.getShape());
  if (std::optional<int64_t> dim = getRowDim(tensor))
    shape[*dim] = part;
  return type.clone(shape);
}

Value RowLoop::emitSlice(OpBuilder &builder, Location loc, Value tensor,
                         Value place) const {
  std::optional<int64_t> dim = getRowDim(tensor);
  if (!dim)
    return tensor;
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  offsets[*dim] = place;
  sizes[*dim] = builder.getIndexAttr(part);
  return createSlice(builder, loc, tensor, offsets, sizes,
                     SmallVector<int64_t>(sizes.size(), 1));
}

/// Whether turns read slices of a tensor only, which are those of a block where
/// they begin at its rows: nothing is copied for it.
bool RowLoop::isOnlySliced(Value tensor) {
  return captured.contains(tensor) &&
         llvm::all_of(tensor.getUsers(), [&](Operation *user) {
           return isa<SliceOp>(user) || !loop->isProperAncestor(user);
         });
}

/// Does for a block what an operation does for all.
void RowLoop::emitOp(OpBuilder &builder, Operation &op, Value place,
                     IRMapping &blocks) {
  if (auto slice = dyn_cast<SliceOp>(op);
      slice && isOnlySliced(slice.getOperand())) {
    auto taken = cast<SliceOp>(builder.clone(op, blocks));
    SmallVector<OpFoldResult> offsets = taken.getMixedOffsets(),
                              sizes = taken.getMixedSizes();
    taken->erase();
    if (std::optional<int64_t> dim = getRowDim(slice.getResult())) {
      offsets[*dim] = place;
      sizes[*dim] = builder.getIndexAttr(part);
    }
    blocks.map(slice.getResult(),
               createSlice(builder, slice.getLoc(), slice.getOperand(), offsets,
                           sizes, slice.getStrides()));
    return;
  }
  Operation *done = builder.clone(op, blocks);
  for (auto [result, block] :
       llvm::zip_equal(op.getResults(), done->getResults()))
    if (getTensor(result))
      block.setType(getBlockType(result));
  std::optional<int64_t> dim =
      op.getNumResults() == 1 ? getRowDim(op.getResult(0)) : std::nullopt;
  if (!dim)
    return;
  if (auto slice = dyn_cast<SliceOp>(done)) {
    SmallVector<int64_t> sizes(slice.getStaticSizes());
    sizes[*dim] = part;
    slice.setStaticSizes(sizes);
  }
  if (auto join = dyn_cast<BroadcastOp>(done)) {
    SmallVector<int64_t> sizes(join.getStaticSizes());
    for (auto [number, free] : llvm::enumerate(join.getFreeDims()))
      if (free == *dim)
        sizes[number] = part;
    join.setStaticSizes(sizes);
  }
}

void RowLoop::emit(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto constant = [&](OpBuilder &builder, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> starts;
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    if (!getRowDim(result)) {
      starts.push_back(init);
      continue;
    }
    Type element = getTensor(result).getElementType();
    starts.push_back(createFilled(rewriter, loc,
                                  createScalarTensor(rewriter, loc, element, 0),
                                  getSizes(rewriter, loc, init)));
  }
  int64_t blocks = llvm::divideCeil(size, part);
  auto all = scf::ForOp::create(
      rewriter, loc, constant(rewriter, 0), constant(rewriter, blocks),
      constant(rewriter, 1), starts,
      [&](OpBuilder &builder, Location, Value number, ValueRange carried) {
        Value place = arith::MulIOp::create(builder, loc, number,
                                            constant(builder, part));
        // The last block has some rows of the one before again.
        if (size % part != 0)
          place = arith::MinUIOp::create(builder, loc, place,
                                         constant(builder, size - part));
        IRMapping mapping;
        for (Value value : captured)
          if (!isOnlySliced(value))
            mapping.map(value, emitSlice(builder, loc, value, place));
        SmallVector<Value> inits;
        for (Value init : loop.getInitArgs())
          inits.push_back(emitSlice(builder, loc, init, place));
        auto turns = scf::ForOp::create(
            builder, loc, loop.getLowerBound(), loop.getUpperBound(),
            loop.getStep(), inits,
            [&](OpBuilder &body, Location, Value turn, ValueRange state) {
              mapping.map(loop.getInductionVar(), turn);
              mapping.map(loop.getRegionIterArgs(), state);
              for (Operation &op : loop.getBody()->without_terminator())
                emitOp(body, op, place, mapping);
              scf::YieldOp::create(
                  body, loc,
                  llvm::map_to_vector(
                      loop.getYieldedValues(),
                      [&](Value value) { return mapping.lookup(value); }));
            });
        SmallVector<Value> next;
        for (auto [result, block, whole] :
             llvm::zip_equal(loop.getResults(), turns.getResults(), carried)) {
          std::optional<int64_t> dim = getRowDim(result);
          if (!dim) {
            bool isPart = summed.contains(next.size());
            next.push_back(isPart ? createAdd(builder, loc, whole, block)
                                  : block);
            continue;
          }
          int64_t rank = getTensor(result).getRank();
          SmallVector<int64_t> known(rank, 0);
          known[*dim] = ShapedType::kDynamic;
          next.push_back(InsertOp::create(builder, loc, block, whole, place,
                                          known,
                                          SmallVector<int64_t>(rank, 1)));
        }
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
      RowLoop rows(loop);
      if (rows.findRows())
        rows.emit(rewriter);
    }
  }
};
} // namespace
