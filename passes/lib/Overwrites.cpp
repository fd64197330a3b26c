//===- Overwrites.cpp - What is read of overwritten memory ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overwrites.h"

#include "wax/Passes/IREE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What an operation gives the elements of, in the same order.
static Value getReshaped(Operation *op) {
  return isa_and_present<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, iree::TensorReshapeOp,
                         iree::TieShapeOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// What a result may share its memory with, without being read for it.
static Value getShared(Operation *op) {
  if (Value reshaped = getReshaped(op))
    return reshaped;
  return isa_and_present<tensor::ExtractSliceOp, iree::TensorBitcastOp,
                         iree::OptimizationBarrierOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// What an operation gives with some elements overwritten.
static Value getTarget(Operation *op) {
  if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(op))
    return insert.getDest();
  if (auto update = dyn_cast_if_present<iree::TensorUpdateOp>(op))
    return update.getTarget();
  if (auto scatter = dyn_cast_if_present<iree::ScatterOp>(op))
    return scatter.getOriginal();
  return {};
}

/// Whether IREE writes to a copy of a tensor, whatever becomes of it.
static bool isCopied(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function &&
           !function.getArgAttr(argument.getArgNumber(), "iree.abi.consume");
  }
  return isa_and_present<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp>(
      value.getDefiningOp());
}

Overwritten::Overwritten(Value target, bool isOwn) : target(target) {
  // A barrier hides the target from what reads what it was made of as well.
  SmallVector<Operation *> barriers;
  Operation *barrier = nullptr;
  for (Value value = target; value;) {
    if (!isOwn && isCopied(value)) {
      copied = value;
      break;
    }
    values.insert(value);
    barriers.push_back(barrier);
    Operation *op = value.getDefiningOp();
    if (isa_and_present<iree::OptimizationBarrierOp>(op))
      barrier = op;
    Value shared = getShared(op);
    value = shared ? shared : getTarget(op);
  }
  for (auto [value, barrier] : llvm::zip_equal(values, barriers))
    addReaders(value, barrier);
}

void Overwritten::addReaders(Value value, Operation *barrier) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      continue;
    // Of what the target is an update of.
    if (user->getNumResults() == 1 && values.contains(user->getResult(0)))
      continue;
    if (getShared(user)) {
      for (Value result : user->getResults())
        addReaders(result,
                   isa<iree::OptimizationBarrierOp>(user) ? user : barrier);
      continue;
    }
    readers.insert(user);
    if (barrier)
      hidden.emplace_back(barrier, user);
  }
}

bool Overwritten::contains(Value value) const {
  while (value && !values.contains(value))
    value = getShared(value.getDefiningOp());
  return bool(value);
}

bool Overwritten::isPart(Value value) const {
  while (value && value != copied && !values.contains(value))
    value = getShared(value.getDefiningOp());
  return bool(value);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Visits what an operation and those in it need.
static void forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      visit(operand);
  });
}

/// What `op` depends on in its block, and itself.
static llvm::SmallPtrSet<Operation *, 16> getNeeded(Operation *op) {
  Block *block = op->getBlock();
  llvm::SmallPtrSet<Operation *, 16> needed{op};
  SmallVector<Operation *> left{op};
  while (!left.empty())
    forEachOperand(left.pop_back_val(), [&](Value operand) {
      Operation *maker = operand.getDefiningOp();
      maker = maker ? block->findAncestorOpInBlock(*maker) : nullptr;
      if (maker && needed.insert(maker).second)
        left.push_back(maker);
    });
  return needed;
}

/// What depends on `op` in its block, and itself.
static llvm::SmallPtrSet<Operation *, 16> getDependent(Operation *op) {
  Block *block = op->getBlock();
  llvm::SmallPtrSet<Operation *, 16> dependent{op};
  SmallVector<Operation *> left{op};
  while (!left.empty())
    for (Operation *user : left.pop_back_val()->getUsers())
      if (Operation *above = block->findAncestorOpInBlock(*user);
          above && dependent.insert(above).second)
        left.push_back(above);
  return dependent;
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

namespace {
/// What IREE may put into the dispatch that makes a tensor, and what that reads
/// of memory that it would write to.
class Dispatch {
public:
  Dispatch(const Overwritten &memory, Value target, tensor::InsertSliceOp box)
      : memory(memory), target(target), box(box) {}

  /// Whether all is read in its place by what makes a tensor.
  bool readsInPlace(Operation *maker) {
    visit(maker, /*isSame=*/true, /*isReduced=*/false);
    return !readsElsewhere;
  }
  /// The reductions that IREE may have in the memory of the result, though what
  /// is there is to be read after them.
  ArrayRef<Operation *> getReductions() const {
    return readsSame ? reductions.getArrayRef() : ArrayRef<Operation *>();
  }

  bool contains(Operation *op) const { return seen.contains(op); }

private:
  void visit(Operation *op, bool isSame, bool isReduced);
  void read(Value operand, bool isSame, bool isReduced);
  bool isInPlace(Value operand);

  const Overwritten &memory;
  Value target;
  tensor::InsertSliceOp box;
  /// Each operation, by whether it computes the very elements of the result
  /// and by whether what it makes is reduced.
  llvm::SmallPtrSet<Operation *, 16> seen, visits[2][2];
  SetVector<Operation *> reductions;
  bool readsSame = false, readsElsewhere = false;
};
} // namespace

/// Whether an operand is what is overwritten, in the order of its elements.
bool Dispatch::isInPlace(Value operand) {
  auto getBase = [](Value value) {
    while (Value reshaped = getReshaped(value.getDefiningOp()))
      value = reshaped;
    return value;
  };
  Value base = getBase(operand);
  if (!box)
    return base == getBase(target);
  auto slice = base.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getSource() == target &&
         isEqualConstantIntOrValueArray(slice.getMixedOffsets(),
                                        box.getMixedOffsets()) &&
         isEqualConstantIntOrValueArray(slice.getMixedSizes(),
                                        box.getMixedSizes()) &&
         isEqualConstantIntOrValueArray(slice.getMixedStrides(),
                                        box.getMixedStrides());
}

void Dispatch::read(Value operand, bool isSame, bool isReduced) {
  if (!isa<RankedTensorType>(operand.getType()))
    return;
  if (memory.contains(operand)) {
    bool isRight = isSame && isInPlace(operand);
    readsSame |= isRight;
    readsElsewhere |= !isRight;
    return;
  }
  Operation *maker = operand.getDefiningOp();
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(maker))
    return read(slice.getSource(), /*isSame=*/false, isReduced);
  if (Value reshaped = getReshaped(maker))
    return read(reshaped, isSame, isReduced);
  if (maker)
    visit(maker, isSame, isReduced);
}

void Dispatch::visit(Operation *op, bool isSame, bool isReduced) {
  // What is computed for several places, or keeps out, has memory of its own.
  if (isa<arith::ConstantOp, tensor::EmptyOp, iree::OptimizationBarrierOp>(
          op) ||
      (!seen.empty() && (isa<iree::DispatchRegionOp>(op) ||
                         isa<scf::SCFDialect>(op->getDialect()))))
    return;
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  bool isMap = isa<linalg::FillOp, tensor::PadOp, tensor::ConcatOp>(op) ||
               (nest && nest.getNumParallelLoops() == nest.getNumLoops());
  // A dispatch has one reduction.
  if (!isMap && isReduced)
    return;
  if (!isMap && isSame)
    reductions.insert(op);
  isReduced |= !isMap;
  seen.insert(op);
  if (!visits[isSame][isReduced].insert(op).second)
    return;
  if (!isMap || !nest) {
    forEachOperand(
        op, [&](Value operand) { read(operand, /*isSame=*/false, isReduced); });
    return;
  }
  bool isStraight = llvm::all_of(nest.getDpsInitsMutable(), [&](OpOperand &to) {
    return nest.getMatchingIndexingMap(&to).isIdentity();
  });
  for (OpOperand &use : op->getOpOperands())
    read(use.get(),
         isSame && isStraight && nest.getMatchingIndexingMap(&use).isIdentity(),
         isReduced);
  // What is looked up stands in the region.
  for (Operation &inner : *nest.getBlock())
    forEachOperand(&inner, [&](Value operand) {
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        read(operand, /*isSame=*/false, isReduced);
    });
}

bool Overwritten::takes(Value source, Operation *update,
                        tensor::InsertSliceOp box,
                        SetVector<Operation *> *reductions) const {
  if (isPart(source))
    return false;
  if (values.empty())
    return true;
  Value made = source;
  while (Value reshaped = getReshaped(made.getDefiningOp()))
    made = reshaped;
  Operation *maker = made.getDefiningOp();
  // IREE copies what others make.
  if (!maker ||
      isa<arith::ConstantOp, linalg::FillOp, iree::OptimizationBarrierOp>(
          maker))
    return true;
  Block *block = maker->getBlock();
  if (update && block != update->getBlock())
    return false;
  Dispatch dispatch(*this, target, box);
  if (!dispatch.readsInPlace(maker))
    return false;
  if (reductions)
    reductions->insert_range(dispatch.getReductions());
  else if (!dispatch.getReductions().empty())
    return false;

  llvm::SmallPtrSet<Operation *, 16> before, after;
  for (Operation *reader : readers) {
    Operation *op = block->findAncestorOpInBlock(*reader);
    if (!op || op == update || op->hasTrait<OpTrait::IsTerminator>() ||
        dispatch.contains(op))
      continue;
    if (before.empty())
      before = getNeeded(maker);
    if (before.contains(op))
      continue;
    if (update && after.empty())
      after = getDependent(update);
    if (!after.contains(op))
      return false;
  }
  return true;
}

bool Overwritten::isReadBehindBarrier(Operation *update) const {
  Block *block = update->getBlock();
  return llvm::any_of(hidden, [&](auto pair) {
    Operation *barrier = block->findAncestorOpInBlock(*pair.first);
    Operation *reader = block->findAncestorOpInBlock(*pair.second);
    return barrier && reader && barrier->isBeforeInBlock(update) &&
           update->isBeforeInBlock(reader);
  });
}

namespace {
/// What of a block is given to a device in one piece: whatever stands between
/// two operations with effects; `wax-keep-order` has one before each loop and
/// branch. A map may be in the dispatch of what it reads, and so in an earlier
/// piece.
struct Pieces {
  explicit Pieces(Block *block);

  /// The number of the piece that an operation stands in, and of the first that
  /// it may be in.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> numbers;
};
} // namespace

Pieces::Pieces(Block *block) {
  unsigned number = 0;
  for (Operation &op : *block) {
    bool isBetween =
        isa<iree::OptimizationBarrierOp>(op) || iree::isControlFlow(&op);
    number += isBetween;
    unsigned first = number;
    if (auto nest = dyn_cast<linalg::LinalgOp>(op);
        nest && nest.getNumReductionLoops() == 0)
      for (Value operand : op.getOperands()) {
        auto maker = iree::getViewed(operand).getDefiningOp<linalg::LinalgOp>();
        if (maker && !isa<linalg::FillOp>(maker) && maker->getBlock() == block)
          first = std::min(first, numbers.at(maker).second);
      }
    numbers[&op] = {number, first};
    number += isBetween;
  }
}

bool Overwritten::isReadUnordered(Operation *op) const {
  Block *block = op->getBlock();
  SmallVector<Operation *> before;
  for (Operation *user : readers) {
    Operation *reader = block->findAncestorOpInBlock(*user);
    if (reader && reader != op && reader->isBeforeInBlock(op))
      before.push_back(reader);
  }
  if (before.empty())
    return false;
  llvm::SmallPtrSet<Operation *, 16> needed = getNeeded(op);
  llvm::erase_if(before,
                 [&](Operation *reader) { return needed.contains(reader); });
  if (before.empty())
    return false;
  // What needs one result of a piece waits for all.
  Pieces pieces(block);
  llvm::SmallDenseSet<unsigned> done;
  for (Operation *other : needed)
    if (isa<linalg::LinalgOp, iree::DispatchRegionOp, iree::ScatterOp,
            tensor::InsertSliceOp>(other) &&
        !isa<linalg::FillOp>(other))
      if (auto [number, first] = pieces.numbers.at(other); number == first)
        done.insert(number);
  return llvm::any_of(before, [&](Operation *reader) {
    auto [number, first] = pieces.numbers.at(reader);
    return iree::isControlFlow(reader) ||
           llvm::any_of(llvm::seq_inclusive(first, number),
                        [&](unsigned piece) { return !done.contains(piece); });
  });
}

bool Overwritten::isOutside(Operation *update) const {
  Value first = copied ? copied : values.back();
  SplatElementsAttr splat;
  // IREE makes what is one number everywhere where it is needed.
  if (isa_and_present<linalg::FillOp, tensor::EmptyOp>(first.getDefiningOp()) ||
      matchPattern(first, m_Constant(&splat)))
    return false;
  Operation *owner = first.getParentBlock()->getParentOp();
  for (auto loop = update->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (!loop->isAncestor(owner))
      return true;
  return false;
}
