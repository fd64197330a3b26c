//===- RowChain.cpp - What is done row by row -----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"

#include "LoopPlan.h"

#include "../lowering/Stored.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

/// Bytes of a row that are kept on the stack, of which IREE allows 32 kB.
static constexpr int64_t mostKept = 16384;
/// Elements below which a row's loops may be of one turn. Of such MLIR has no
/// loops, and sees that what is written later replaces what was kept: then both
/// are written to what the first one found, of which one gets a copy.
static constexpr int64_t shortestReplaced = 256;

/// What an open row is taken for, and elements of a row for each operation on
/// what it was folded into.
static constexpr int64_t usualLength = 256, elementsPerOperation = 2;

RowChain::RowChain(ReduceOp seed)
    : seed(seed), along(seed.getDims().size()),
      type(cast<RankedTensorType>(seed.getInputs()[0].getType())) {
  rank = type.getRank();
  members.insert(seed);
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static bool readsFills(linalg::GenericOp map) {
  return llvm::any_of(map.getInputs(),
                      [](Value input) { return bool(getFilling(input)); });
}

bool RowChain::isRowMap(Operation *op) const {
  linalg::GenericOp map = getPointwise(op);
  return map && RowReader(op, rank, along, /*isLate=*/true).isPossible(map) &&
         isStoredLaneType(
             getStoredType(getElementTypeOrSelf(map.getType(0)))) &&
         !readsFills(map) && !llvm::hasSingleElement(*map.getBody());
}

/// Whether vectors take about as long for a row as for one element, which they
/// have alone: a logarithm beside a short row is better one of many.
bool RowChain::isCheapBesideRow(linalg::GenericOp map) const {
  int64_t length = 1;
  for (int64_t size : type.getShape().take_back(along))
    length *= ShapedType::isDynamic(size) ? usualLength : size;
  return llvm::range_size(*map.getBody()) <=
         static_cast<size_t>(length / elementsPerOperation);
}

bool RowChain::isElementMap(Operation *op) const {
  linalg::GenericOp map = getPointwise(op);
  return map && map.getNumLoops() == rank - along && isCheapBesideRow(map) &&
         hasLanes(*map.getBody(), /*takesMath=*/true) &&
         llvm::all_of(
             map.getIndexingMapsArray(),
             [](AffineMap read) { return read.isProjectedPermutation(); }) &&
         isStoredLaneType(
             getStoredType(getElementTypeOrSelf(map.getType(0)))) &&
         !readsFills(map);
}

/// Whether an operation reads of a tensor, of one row or one element for each
/// row, nothing but what is of the row that it works on.
static bool readsItsRow(Operation *op, Value tensor) {
  auto map = dyn_cast<linalg::GenericOp>(op);
  if (!map)
    return true;
  int64_t dims = cast<RankedTensorType>(tensor.getType()).getRank();
  AffineMap own = getSelectionMap(op->getContext(), map.getNumLoops(),
                                  llvm::to_vector(llvm::seq(dims)));
  return llvm::all_of(map.getDpsInputOperands(), [&](OpOperand *input) {
    return input->get() != tensor || map.getMatchingIndexingMap(input) == own;
  });
}

bool RowChain::readsItsRow(Operation *op) const {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (!members.contains(operand.getDefiningOp()))
      return true;
    int64_t dims = cast<RankedTensorType>(operand.getType()).getRank();
    return (dims == rank || dims == rank - along) && ::readsItsRow(op, operand);
  });
}

/// Whether rows are known to be as many and as long as the members'. Open sizes
/// are told by what members read or make along rows.
bool RowChain::hasShapeOfRows(Operation *op) const {
  auto reduce = dyn_cast<ReduceOp>(op);
  auto shape = cast<RankedTensorType>(
      (reduce ? reduce.getInputs()[0] : op->getResult(0)).getType());
  int64_t dims = shape.getRank();
  if (shape.getShape() != type.getShape().take_front(dims))
    return false;
  if (dims < rank || shape.hasStaticShape())
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    auto own = dyn_cast<RankedTensorType>(operand.getType());
    return own && own.getRank() == rank && ::readsItsRow(op, operand) &&
           (members.contains(operand.getDefiningOp()) ||
            llvm::any_of(operand.getUsers(), [&](Operation *user) {
              return members.contains(user) && ::readsItsRow(user, operand);
            }));
  });
}

/// Whether a map is made by those who read it: IREE makes it in loops of its
/// own that fold it, and of a slice no more than that.
static bool isMadeByReaders(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto loops = dyn_cast<linalg::LinalgOp>(user);
    return isa<tensor::ExtractSliceOp>(user) ||
           (loops && loops.getNumReductionLoops() > 0 &&
            !linalg::isaContractionOpInterface(loops));
  });
}

bool RowChain::canJoin(Operation *op) const {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getDims() == ReduceOp(seed).getDims() && hasShapeOfRows(op);
  if (isRowMap(op))
    return readsItsRow(op) && hasShapeOfRows(op) && !isMadeByReaders(op);
  return isElementMap(op) && readsItsRow(op) && hasShapeOfRows(op);
}

/// Whether an operation may be computed later.
static bool isMovable(Operation *op) {
  return !op->walk<WalkOrder::PreOrder>([](Operation *inside) {
              if (isa<iree::DispatchRegionOp>(inside))
                return WalkResult::skip();
              bool isFree =
                  inside->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inside);
              return isFree ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

static bool isBefore(Operation *one, Operation *other) {
  return one->isBeforeInBlock(other);
}

void RowChain::sort() {
  SmallVector<Operation *> sorted(members.getArrayRef());
  llvm::sort(sorted, isBefore);
  members = llvm::SetVector<Operation *>(sorted.begin(), sorted.end());
}

/// Whether IREE makes a map in the loops that make what it reads.
static bool isMadeByOthers(linalg::GenericOp map) {
  return llvm::any_of(map.getInputs(), [](Value input) {
    auto loops = iree::getViewed(input).getDefiningOp<linalg::LinalgOp>();
    return loops && loops.getNumReductionLoops() > 0;
  });
}

/// Adds the maps that make what the first reduction reads, whoever else reads
/// that.
void RowChain::addSharedProducers() {
  for (size_t i = 0; i < members.size(); ++i)
    for (Value operand : members[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (op && op->getBlock() == seed->getBlock() && isRowMap(op) &&
          ::readsItsRow(members[i], operand) &&
          !isMadeByOthers(cast<linalg::GenericOp>(op)))
        members.insert(op);
    }
  sort();
}

/// Adds what reads members and can be done row by row. What does neither, but
/// needs a member, goes behind the last one. False where a member would need
/// such.
bool RowChain::addReaders() {
  Block *block = seed->getBlock();
  llvm::SmallPtrSet<Operation *, 16> waiting, tainted;
  auto addUsers = [&](Operation *op,
                      llvm::SmallPtrSetImpl<Operation *> &users) {
    for (Operation *user : op->getUsers())
      users.insert(block->findAncestorOpInBlock(*user));
  };
  Operation *first = members.front();
  SmallVector<Operation *> behind;
  for (Operation *op = first; op && !op->hasTrait<OpTrait::IsTerminator>();
       op = op->getNextNode()) {
    bool isMember = members.contains(op), isTainted = tainted.contains(op);
    bool isWaiting = waiting.erase(op);
    if (isMember && isTainted)
      return false;
    if (isMember || (isWaiting && !isTainted && canJoin(op))) {
      members.insert(op);
      addUsers(op, waiting);
      continue;
    }
    if (isWaiting || isTainted) {
      if (!isMovable(op)) {
        if (isBefore(op, seed))
          return false;
        break;
      }
      behind.push_back(op);
      addUsers(op, tainted);
    }
    if (waiting.empty() && isBefore(seed, op))
      break;
  }
  sort();
  for (Operation *op : behind)
    if (isBefore(op, members.back()))
      readers.push_back(op);
  return true;
}

/// Adds the maps that make something for members alone.
void RowChain::addProducers() {
  for (size_t i = 0; i < members.size(); ++i)
    for (Value operand : members[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (op && op->getBlock() == seed->getBlock() &&
          llvm::all_of(op->getUsers(),
                       [&](Operation *user) {
                         return members.contains(user) &&
                                ::readsItsRow(user, operand);
                       }) &&
          (isRowMap(op) || isElementMap(op)))
        members.insert(op);
    }
  sort();
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Whether a map is rather made again than kept.
bool RowChain::isMadeAgain(linalg::GenericOp map) const {
  return isCheap(map, [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value input = map->getOperand(argument.getArgNumber());
      return members.contains(input.getDefiningOp()) && isRow(input) &&
             !isWritten(input);
    }
    return isa<arith::MulFOp>(value.getDefiningOp());
  });
}

/// Finds what a turn makes to have a row. What it lacks is to be kept.
Value RowChain::visit(Value value, int64_t number) {
  Operation *op = value.getDefiningOp();
  if (!members.contains(op) || !isRow(value))
    return {};
  Turn &turn = turns[number];
  bool isEarlier = turnOf[op] < number;
  if (isEarlier && isWritten(value)) {
    turn.held.insert(value);
    lastRead[value] = number;
    return {};
  }
  auto map = cast<linalg::GenericOp>(op);
  if (isEarlier && !isMadeAgain(map))
    return value;
  if (turn.made.insert(op))
    for (Value input : map.getInputs())
      if (Value missing = visit(input, number))
        return missing;
  return {};
}

/// What is kept takes the memory of a result that is written when it is read
/// the last time, or later.
bool RowChain::placeKept() {
  kept.clear();
  int64_t bytes = 0, length = 1;
  for (int64_t size : type.getShape().take_back(along))
    length = ShapedType::isDynamic(size) || length > mostKept ? mostKept + 1
                                                              : length * size;
  llvm::SmallPtrSet<Value, 4> taken;
  auto getStored = [](Value value) {
    return getStoredType(getElementTypeOrSelf(value));
  };
  for (Value value : keeps) {
    const auto *place = llvm::find_if(rows, [&](Value row) {
      return length >= shortestReplaced && getStored(row) == getStored(value) &&
             !taken.contains(row) &&
             turnOf[row.getDefiningOp()] >= lastRead[value];
    });
    if (place != rows.end()) {
      taken.insert(*place);
      kept.emplace_back(value, *place);
      continue;
    }
    bytes += length * getStored(value).getIntOrFloatBitWidth() / 8;
    if (bytes > mostKept)
      return false;
    kept.emplace_back(value, Value());
  }
  return true;
}

bool RowChain::plan() {
  rows.clear();
  elements.clear();
  keeps.clear();
  turnOf.clear();
  int64_t count = 0;
  llvm::DenseMap<Value, int64_t> ready;
  for (Operation *op : members) {
    int64_t number = 0;
    for (Value operand : op->getOperands())
      number = std::max(number, ready.lookup(operand));
    turnOf[op] = number;
    auto fold = dyn_cast<ReduceOp>(op);
    for (Value result : op->getResults()) {
      ready[result] = number + (fold ? 1 : 0);
      if (llvm::all_of(result.getUsers(),
                       [&](Operation *user) { return members.contains(user); }))
        continue;
      (isRow(result) ? rows : elements).push_back(result);
    }
    if (fold || isRow(op->getResult(0)))
      count = std::max(count, number + 1);
  }
  // Each time round one more is kept.
  for (Value missing = Value();; keeps.insert(missing), missing = {}) {
    turns.assign(count, {});
    lastRead.clear();
    for (Operation *op : members) {
      Turn &turn = turns[turnOf[op]];
      if (auto fold = dyn_cast<ReduceOp>(op))
        turn.folds.push_back(fold);
      else if (isWritten(op->getResult(0)))
        turn.written.push_back(op->getResult(0));
    }
    for (int64_t number = 0; number < count && !missing; ++number) {
      SmallVector<Value> roots(turns[number].written);
      for (ReduceOp fold : turns[number].folds)
        llvm::append_range(roots, fold.getInputs());
      for (Value root : roots)
        if ((missing = visit(root, number)))
          break;
    }
    if (!missing)
      return placeKept();
  }
}

/// Takes out what is of the last turn, which reads members as others do.
void RowChain::removeLast() {
  int64_t last = turns.size() - 1;
  members.remove_if([&](Operation *op) {
    if (turnOf[op] < last)
      return false;
    readers.push_back(op);
    return true;
  });
  if (members.empty())
    return;
  llvm::sort(readers, isBefore);
  llvm::erase_if(readers,
                 [&](Operation *op) { return isBefore(members.back(), op); });
}

/// Whether several dispatches become one.
bool RowChain::isWorth() const {
  size_t folds = llvm::count_if(members, llvm::IsaPred<ReduceOp>);
  return folds > 0 && folds + rows.size() > 1;
}

std::optional<RowChain> RowChain::of(ReduceOp seed) {
  RowChain chain(seed), own(seed);
  // Of no dims before the row there is one row.
  if (chain.along == chain.rank)
    return std::nullopt;
  chain.addSharedProducers();
  if (!chain.addReaders()) {
    if (!own.addReaders())
      return std::nullopt;
    chain = own;
  }
  chain.addProducers();
  while (!chain.members.empty() && !chain.plan())
    chain.removeLast();
  if (!chain.isWorth())
    return std::nullopt;
  return chain;
}
