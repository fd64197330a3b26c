//===- FuseSiblings.cpp - Reductions of the same tensors, in one walk -----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction by vectors is a dispatch of its own, so that each of several that
// read one tensor reads all of it from memory. Here these become one reduction
// with the accumulators of all.
//
// It stands where the first of them stood. What the others need is moved there,
// so that everything is read earlier than before, if at all: nothing that is
// written in place has to wait.
//
//===----------------------------------------------------------------------===//

#include "../building/Scalars.h"
#include "../building/Tensors.h"
#include "../lowering/Vectors.h"
#include "../raising/Outline.h"

#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_FUSESIBLINGS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Accumulators of one walk: more are in registers no longer, and there is
/// little left to win, as memory is read once for eight.
static constexpr unsigned mostAccumulators = 8;
/// Elements up to which nothing is won: IREE keeps them in the cache.
static constexpr int64_t fewElements = 4096;
/// Rows and columns shorter than this are no vectors.
static constexpr int64_t shortestRow = 8;
/// Operations that are moved, or made in place, for one reduction.
static constexpr size_t mostOperations = 32;

namespace {

/// How a reduction by vectors goes through what it reads.
struct FoldWalk {
  /// None for a reduction that vectors do not do, or that reads little.
  static std::optional<FoldWalk> of(ReduceOp reduce);

  bool operator==(const FoldWalk &other) const {
    return shape == other.shape && dims == other.dims;
  }
  bool isRows() const { return dims.back() + 1 == getRank(); }
  int64_t getRank() const { return shape.size(); }
  bool isLarge() const;
  /// Whether vectors can read a tensor whose dims are these of the walk.
  bool canRead(Value tensor, ArrayRef<int64_t> of) const;
  /// Whether vectors can make what a pointwise operation makes.
  bool canMake(Operation *op) const;

  ArrayRef<int64_t> shape, dims;
};

/// The reductions of a block, and the pointwise operations that they alone
/// read.
class Siblings {
public:
  explicit Siblings(Block &block);
  void fuse(RewriterBase &rewriter);

private:
  /// What becomes one reduction.
  struct Group {
    FoldWalk walk;
    SmallVector<ReduceOp> reductions;
  };

  std::optional<FoldWalk> findWalk(Operation *pointwise) const;
  bool isMadeFor(Operation *op, const FoldWalk &walk) const {
    auto found = walks.find(op);
    return found != walks.end() && found->second == walk && !isa<ReduceOp>(op);
  }
  std::optional<SetVector<Value>> findRead(ReduceOp reduce) const;
  bool join(Group &group, ReduceOp reduce);

  llvm::DenseMap<Operation *, FoldWalk> walks;
  SmallVector<ReduceOp> reductions;
  std::vector<Group> groups;
};

} // namespace

static bool hasLanes(Operation *op) {
  OpBuilder builder(op->getContext());
  return llvm::all_of(op->getRegions(), [&](Region &kernel) {
    return ScalarCode(builder, kernel).hasLanes();
  });
}

/// Whether all elements are one constant, which is no read.
static bool isConstant(Value value) {
  return static_cast<bool>(getConstantElement(value));
}

static bool isPointwise(Operation *op) {
  return isa_and_present<MapOp, BroadcastOp>(op);
}

/// The operands of a pointwise operation that have all of its dims in order.
static SmallVector<Value> getWhole(Operation *op) {
  auto join = dyn_cast<BroadcastOp>(op);
  if (!join)
    return {op->getOperand(0)};
  SmallVector<int64_t> all = getAllDims(join.getResult());
  SmallVector<Value> whole;
  for (auto [i, input] : llvm::enumerate(join.getInputs()))
    if (join.getOperandDims(i) == ArrayRef(all))
      whole.push_back(input);
  return whole;
}

/// Whether all that is read is less than what is made, as terms of a product
/// of matrices are: their sums are products to those who come later.
static bool isExpansion(Operation *op) {
  auto join = dyn_cast_if_present<BroadcastOp>(op);
  return join && llvm::none_of(join.getInputs(), [&](Value input) {
           return cast<RankedTensorType>(input.getType()).getRank() ==
                  join.getResult().getType().getRank();
         });
}

/// What is in memory where it is read. The others IREE may make a part of the
/// loop that reads them.
static bool isInMemory(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || !isa<WaxDialect>(op->getDialect()) ||
         isa<MapOp, BroadcastOp, ReduceOp, ScanOp, SortOp, ConvolveOp, FftOp,
             ReshapeOp, SliceOp, InsertOp, ConstantOp>(op);
}

/// What costs little, as it is made in place or there is little of it, and may
/// stand elsewhere.
static bool isMovable(Operation *op) {
  if (!isPure(op))
    return false;
  if (isa<WaxDialect>(op->getDialect()))
    return isa<MapOp, BroadcastOp, IotaOp, ConstantOp, ReshapeOp>(op);
  return op->getNumRegions() == 0;
}

/// The operations from `first` on that `reduce` needs, in their order; none
/// where they cannot stand before it, as they need a reduction themselves.
static std::optional<SmallVector<Operation *>> findNeeded(ReduceOp reduce,
                                                          ReduceOp first) {
  SetVector<Operation *> needed;
  SmallVector<Operation *> next = {reduce};
  while (!next.empty())
    for (Value operand : next.pop_back_val()->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!maker || maker->getBlock() != first->getBlock() ||
          maker->isBeforeInBlock(first) || needed.contains(maker))
        continue;
      if (needed.size() == mostOperations || !isMovable(maker))
        return std::nullopt;
      needed.insert(maker);
      next.push_back(maker);
    }
  SmallVector<Operation *> sorted = needed.takeVector();
  llvm::sort(sorted, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  return sorted;
}

//===----------------------------------------------------------------------===//
// FoldWalk
//===----------------------------------------------------------------------===//

std::optional<FoldWalk> FoldWalk::of(ReduceOp reduce) {
  ArrayRef<int64_t> dims = reduce.getDims();
  if (!reduce.hasCombine() || dims.empty() ||
      dims.back() - dims.front() + 1 != static_cast<int64_t>(dims.size()))
    return std::nullopt;
  auto type = cast<RankedTensorType>(reduce.getInputs().front().getType());
  FoldWalk walk{type.getShape(), dims};
  auto isAlike = [&](Type input) {
    return cast<RankedTensorType>(input).getShape() == walk.shape;
  };
  if (!walk.isLarge() ||
      !llvm::all_of(reduce.getInputs().getTypes(), isAlike) ||
      !llvm::all_of(
          reduce.getInits().getTypes(),
          [](Type init) { return isLaneType(getElementTypeOrSelf(init)); }) ||
      !hasLanes(reduce))
    return std::nullopt;
  return walk;
}

bool FoldWalk::isLarge() const {
  int64_t elements = 1, length = 1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    // An open size may be any.
    int64_t known = ShapedType::isDynamic(size) ? fewElements + 1 : size;
    elements = std::min(elements * known, fewElements + 1);
    if (isRows() ? static_cast<int64_t>(dim) >= dims.front()
                 : static_cast<int64_t>(dim) > dims.back())
      length = std::min(length * known, shortestRow);
  }
  return elements > fewElements && length >= shortestRow;
}

bool FoldWalk::canRead(Value tensor, ArrayRef<int64_t> of) const {
  int64_t first = isRows() ? dims.front() : dims.back() + 1;
  int64_t along = getRank() - first;
  int64_t moving =
      llvm::count_if(of, [&](int64_t dim) { return dim >= first; });
  Type element = getElementTypeOrSelf(tensor);
  if (moving == 0)
    return isLaneType(element);
  return moving == along && isStoredLaneType(element) &&
         llvm::equal(of.take_back(along), llvm::seq(first, getRank()));
}

bool FoldWalk::canMake(Operation *op) const {
  if (isExpansion(op) || !hasLanes(op) ||
      !isLaneType(getElementTypeOrSelf(op->getResult(0))))
    return false;
  auto join = dyn_cast<BroadcastOp>(op);
  if (!join)
    return true;
  SmallVector<int64_t> all = getAllDims(getRank());
  return llvm::all_of(llvm::enumerate(join.getInputs()), [&](auto input) {
    ArrayRef<int64_t> of = join.getOperandDims(input.index());
    return of == ArrayRef(all) || isConstant(input.value()) ||
           canRead(input.value(), of);
  });
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

Siblings::Siblings(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    std::optional<FoldWalk> walk;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      walk = FoldWalk::of(reduce);
      if (walk)
        reductions.push_back(reduce);
    } else if (isPointwise(&op)) {
      walk = findWalk(&op);
    }
    if (walk)
      walks.try_emplace(&op, *walk);
  }
  std::reverse(reductions.begin(), reductions.end());
}

/// The walk that makes in place what a pointwise operation makes; none where
/// another reads it too, or one of these in another order.
std::optional<FoldWalk> Siblings::findWalk(Operation *pointwise) const {
  std::optional<FoldWalk> walk;
  for (Operation *reader : pointwise->getUsers()) {
    auto found = walks.find(reader);
    if (found == walks.end() || (walk && !(*walk == found->second)))
      return std::nullopt;
    walk = found->second;
    Value made = pointwise->getResult(0);
    if (auto join = dyn_cast<BroadcastOp>(reader);
        join && llvm::count(join.getInputs(), made) !=
                    llvm::count(getWhole(reader), made))
      return std::nullopt;
  }
  if (!walk || !walk->canMake(pointwise))
    return std::nullopt;
  return walk;
}

/// The tensors in memory of which a reduction reads each element. None where
/// vectors cannot read them, or IREE makes them for it while it reads.
std::optional<SetVector<Value>> Siblings::findRead(ReduceOp reduce) const {
  const FoldWalk &walk = walks.at(reduce);
  SmallVector<int64_t> all = getAllDims(walk.getRank());
  SetVector<Value> read;
  SetVector<Operation *> made;
  SmallVector<Value> next(reduce.getInputs());
  while (!next.empty()) {
    Value tensor = next.pop_back_val();
    Operation *maker = tensor.getDefiningOp();
    if (isConstant(tensor) || isa_and_present<IotaOp>(maker))
      continue;
    if (maker && isMadeFor(maker, walk)) {
      if (made.insert(maker))
        llvm::append_range(next, getWhole(maker));
      if (made.size() > mostOperations)
        return std::nullopt;
      continue;
    }
    bool isLeftToOne = isPointwise(maker) && tensor.hasOneUse();
    if (isLeftToOne || isExpansion(maker) || !isInMemory(tensor) ||
        !walk.canRead(tensor, all))
      return std::nullopt;
    read.insert(tensor);
  }
  return read;
}

bool Siblings::join(Group &group, ReduceOp reduce) {
  unsigned count = reduce.getNumResults();
  for (ReduceOp other : group.reductions)
    count += other.getNumResults();
  if (!(group.walk == walks.at(reduce)) || count > mostAccumulators)
    return false;
  ReduceOp first = group.reductions.front();
  std::optional<SmallVector<Operation *>> needed = findNeeded(reduce, first);
  if (!needed)
    return false;
  for (Operation *op : *needed)
    op->moveBefore(first);
  group.reductions.push_back(reduce);
  return true;
}

/// Emits a kernel of each reduction with arguments of its own.
static SmallVector<Value>
emitKernels(OpBuilder &builder, ArrayRef<ReduceOp> reductions, unsigned region,
            llvm::function_ref<SmallVector<Value>(unsigned)> getArguments) {
  SmallVector<Value> results;
  for (auto [i, reduce] : llvm::enumerate(reductions)) {
    llvm::append_range(results, inlineKernel(builder, reduce->getRegion(region),
                                             getArguments(i)));
  }
  return results;
}

static void emit(ArrayRef<ReduceOp> reductions, RewriterBase &rewriter) {
  SetVector<Value> inputs;
  SmallVector<Value> inits;
  SmallVector<Location> locations;
  // Where the accumulators of each begin.
  SmallVector<unsigned> begins;
  for (ReduceOp reduce : reductions) {
    inputs.insert_range(reduce.getInputs());
    begins.push_back(inits.size());
    llvm::append_range(inits, reduce.getInits());
    locations.push_back(reduce.getLoc());
  }
  auto takeOwn = [&](ValueRange all, unsigned i) {
    ReduceOp reduce = reductions[i];
    return all.slice(begins[i], reduce.getNumResults());
  };
  ReduceOp first = reductions.front();
  rewriter.setInsertionPoint(first);
  auto fused = ReduceOp::create(
      rewriter, rewriter.getFusedLoc(locations), inputs.getArrayRef(), inits,
      first.getDims(),
      [&](OpBuilder &builder, Location, ValueRange scalars) {
        return emitKernels(builder, reductions, /*region=*/0, [&](unsigned i) {
          SmallVector<Value> own;
          ReduceOp reduce = reductions[i];
          for (Value input : reduce.getInputs())
            own.push_back(scalars[llvm::find(inputs, input) - inputs.begin()]);
          llvm::append_range(own,
                             takeOwn(scalars.drop_front(inputs.size()), i));
          return own;
        });
      },
      [&](OpBuilder &builder, Location, ValueRange scalars) {
        return emitKernels(builder, reductions, /*region=*/1, [&](unsigned i) {
          SmallVector<Value> own(takeOwn(scalars.take_front(inits.size()), i));
          llvm::append_range(own, takeOwn(scalars.drop_front(inits.size()), i));
          return own;
        });
      });
  for (auto [i, reduce] : llvm::enumerate(reductions))
    rewriter.replaceOp(reduce, takeOwn(fused.getResults(), i));
}

void Siblings::fuse(RewriterBase &rewriter) {
  // The last ones that read a tensor.
  DenseMap<Value, size_t> readers;
  for (ReduceOp reduce : reductions) {
    std::optional<SetVector<Value>> read = findRead(reduce);
    if (!read)
      continue;
    std::optional<size_t> joined;
    for (Value tensor : *read) {
      auto reader = readers.find(tensor);
      if (reader == readers.end() || !join(groups[reader->second], reduce))
        continue;
      joined = reader->second;
      break;
    }
    if (!joined) {
      joined = groups.size();
      groups.push_back({walks.at(reduce), {reduce}});
    }
    for (Value tensor : *read)
      readers[tensor] = *joined;
  }
  for (const Group &group : groups)
    if (group.reductions.size() > 1)
      emit(group.reductions, rewriter);
}

namespace {
struct FuseSiblings : wax::impl::FuseSiblingsBase<FuseSiblings> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block *block : getBlocksOfBasis(getOperation()))
      Siblings(*block).fuse(rewriter);
  }
};
} // namespace
