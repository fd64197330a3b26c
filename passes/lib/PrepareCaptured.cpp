//===- PrepareCaptured.cpp - What all calls have the same, made once ------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made of captured arguments alone goes to a function of its own, whose
// results the entry takes in their place. What would take much more memory than
// they do, each or all together, is computed at each call, from what does not.
//
//===----------------------------------------------------------------------===//

#include "../lowering/Rows.h"
#include "Captured.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::wax {
#define GEN_PASS_DEF_PREPARECAPTURED
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Where what is prepared is made, and which captured arguments the entry still
/// takes, by their numbers among these.
static constexpr StringLiteral prepareName = "main$prepare",
                               keptName = "wax.kept";
/// Bytes that are no matter to keep; and those that are none to compute again,
/// each of one or a few, within what reads them.
static constexpr int64_t fewBytes = 64 * 1024, leastBytes = 4096;

/// The bytes of a tensor; none where its size is open, or it is no tensor.
static std::optional<int64_t> getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  Type element = tensor.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  // Those that a caller has arrays of.
  if (!isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(element) &&
      !llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                          element.isInteger() ? element.getIntOrFloatBitWidth()
                                              : 0u))
    return std::nullopt;
  return tensor.getNumElements() * parts *
         llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Whether an operation costs anything but an address.
static bool isWork(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return !iree::isTogether(slice);
  return !iree::isView(op) &&
         !isa<linalg::FillOp, tensor::EmptyOp, iree::TensorReshapeOp,
              iree::TensorBitcastOp, iree::TieShapeOp>(op);
}

/// Whether an operation makes each element of one, or a few, of others.
static bool isMap(Operation *op) {
  if (auto nest = dyn_cast<linalg::LinalgOp>(op))
    return nest.getNumReductionLoops() == 0;
  return isa<tensor::TensorDialect>(op->getDialect());
}

namespace {
class Preparation {
public:
  explicit Preparation(CapturedValues &captured)
      : captured(captured), entry(captured.getEntry()),
        block(captured.getEntry().front()) {}

  void run(unsigned count);

private:
  void leaveRegions();
  bool isMade(Operation *op);
  bool isDear(Operation *op, bool shrinks);
  std::optional<int64_t> getBytesToKeep(Operation *op);
  llvm::SetVector<Value> getSources(Operation *op);
  bool isNeeded(Value value);
  void emitPrepare(ArrayRef<Value> kept, unsigned count);
  void take(ArrayRef<Value> kept, unsigned count);

  CapturedValues &captured;
  func::FuncOp entry;
  Block &block;
  /// What is made of captured arguments and yet computed at each call.
  llvm::DenseSet<Operation *> remaining;
};
} // namespace

/// Brings what is worth keeping out of loops and branches, with the constants
/// that it reads. It has no effects, and what it computes is defined for all
/// elements.
void Preparation::leaveRegions() {
  SmallVector<Operation *> made;
  iree::walkHost(entry, [&](Operation *op) {
    if (op->getBlock() != &block && op->getNumResults() &&
        isa<iree::DispatchRegionOp, linalg::LinalgOp>(op) && isMade(op) &&
        getBytesToKeep(op))
      made.push_back(op);
  });
  for (Operation *op : made) {
    llvm::SetVector<Operation *> leaving;
    leaving.insert(op);
    for (size_t i = 0; i < leaving.size(); ++i)
      for (Value read : getReadValues(leaving[i]))
        if (read.getParentBlock() != &block)
          leaving.insert(read.getDefiningOp());
    Operation *place = block.findAncestorOpInBlock(*op);
    SmallVector<Operation *> inOrder(leaving.begin(), leaving.end());
    mlir::computeTopologicalSorting(inOrder);
    for (Operation *one : inOrder)
      one->moveBefore(place);
  }
}

/// Whether an operation makes something of captured arguments alone.
bool Preparation::isMade(Operation *op) {
  return op->getNumResults() && captured.contains(op->getResult(0));
}

/// The captured arguments that something is made of.
llvm::SetVector<Value> Preparation::getSources(Operation *op) {
  llvm::SetVector<Value> sources;
  llvm::SetVector<Operation *> seen;
  seen.insert(op);
  for (size_t i = 0; i < seen.size(); ++i)
    for (Value read : getReadValues(seen[i])) {
      if (isa<BlockArgument>(read))
        sources.insert(read);
      else
        seen.insert(read.getDefiningOp());
    }
  return sources;
}

/// Whether to compute a map with what reads it takes longer than to read it: it
/// `shrinks` what it is made of, takes many operations, or is read by what does
/// not go through it element by element.
bool Preparation::isDear(Operation *op, bool shrinks) {
  if (shrinks || !llvm::all_of(op->getUsers(), isMap))
    return true;
  llvm::SetVector<Operation *> maps;
  maps.insert(op);
  for (size_t i = 0; i < maps.size(); ++i) {
    auto generic = dyn_cast<linalg::GenericOp>(maps[i]);
    if (generic && !isCheap(generic, [](Value) { return false; }))
      return true;
    for (Value read : maps[i]->getOperands())
      if (Operation *producer = read.getDefiningOp();
          producer && isMade(producer) && isMap(producer))
        maps.insert(producer);
  }
  return false;
}

/// The bytes of what an operation makes, if it is worth keeping.
std::optional<int64_t> Preparation::getBytesToKeep(Operation *op) {
  if (!isWork(op))
    return std::nullopt;
  int64_t bytes = 0, most = 0;
  for (Type type : op->getResultTypes()) {
    std::optional<int64_t> known = getBytes(type);
    if (!known)
      return std::nullopt;
    bytes += *known;
  }
  for (Value source : getSources(op))
    most += getBytes(source.getType()).value_or(0);
  if (isMap(op) && (bytes < leastBytes || !isDear(op, bytes < most)))
    return std::nullopt;
  // Panels have whole vectors of columns, and a few turns at once.
  bool isHardlyMore =
      isa<iree::DispatchRegionOp>(op) ? bytes < 2 * most : bytes <= most;
  if (!isHardlyMore && bytes > fewBytes)
    return std::nullopt;
  return bytes;
}

/// Whether what a call computes reads a value.
bool Preparation::isNeeded(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *above = block.findAncestorOpInBlock(*user);
    return !isMade(above) || remaining.contains(above);
  });
}

void Preparation::emitPrepare(ArrayRef<Value> kept, unsigned count) {
  OpBuilder builder(entry);
  ArrayRef<Type> types = entry.getFunctionType().getInputs().take_back(count);
  auto prepare = func::FuncOp::create(
      builder, entry.getLoc(), prepareName,
      builder.getFunctionType(types, ValueRange(kept).getTypes()));
  builder.setInsertionPointToStart(prepare.addEntryBlock());
  llvm::SetVector<Operation *> needed;
  for (Value value : kept)
    needed.insert(value.getDefiningOp());
  for (size_t i = 0; i < needed.size(); ++i)
    for (Value read : getReadValues(needed[i]))
      if (Operation *op = read.getDefiningOp())
        needed.insert(op);
  IRMapping mapping;
  for (auto [outer, inner] : llvm::zip_equal(
           entry.getArguments().take_back(count), prepare.getArguments()))
    mapping.map(outer, inner);
  for (Operation &op : block)
    if (needed.contains(&op))
      builder.clone(op, mapping);
  func::ReturnOp::create(builder, entry.getLoc(),
                         llvm::map_to_vector(kept, [&](Value value) {
                           return mapping.lookup(value);
                         }));
}

/// Has the entry take what is prepared, and no captured argument that it reads
/// no more.
void Preparation::take(ArrayRef<Value> kept, unsigned count) {
  unsigned first = entry.getNumArguments() - count;
  for (auto [number, made] : llvm::enumerate(kept)) {
    Value value = made;
    unsigned index = entry.getNumArguments();
    auto name = StringAttr::get(entry.getContext(),
                                "prepared" + std::to_string(number));
    DictionaryAttr attributes = DictionaryAttr::get(
        entry.getContext(), NamedAttribute("wax.name", name));
    (void)entry.insertArgument(index, value.getType(), attributes,
                               value.getLoc());
    value.replaceAllUsesWith(entry.getArgument(index));
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  SmallVector<int64_t> stay;
  BitVector go(entry.getNumArguments());
  for (unsigned number : llvm::seq(count)) {
    if (entry.getArgument(first + number).use_empty())
      go.set(first + number);
    else
      stay.push_back(number);
  }
  (void)entry.eraseArguments(go);
  entry->setAttr(keptName,
                 Builder(entry.getContext()).getDenseI64ArrayAttr(stay));
}

void Preparation::run(unsigned count) {
  leaveRegions();
  // All together take hardly more than all that is captured.
  int64_t left = fewBytes;
  for (BlockArgument argument : entry.getArguments().take_back(count))
    left += getBytes(argument.getType()).value_or(0);
  left += left / 4;
  SmallVector<Value> kept;
  for (Operation &op : llvm::reverse(block)) {
    if (!isMade(&op) || llvm::none_of(op.getResults(), [&](Value result) {
          return isNeeded(result);
        }))
      continue;
    std::optional<int64_t> bytes = getBytesToKeep(&op);
    if (!bytes || *bytes > left) {
      remaining.insert(&op);
      continue;
    }
    left -= *bytes;
    llvm::copy_if(op.getResults(), std::back_inserter(kept),
                  [&](Value result) { return isNeeded(result); });
  }
  if (kept.empty())
    return;
  std::reverse(kept.begin(), kept.end());
  emitPrepare(kept, count);
  take(kept, count);
}

namespace {
struct PrepareCaptured : wax::impl::PrepareCapturedBase<PrepareCaptured> {
  using PrepareCapturedBase::PrepareCapturedBase;

  void runOnOperation() override {
    CapturedValues values(getOperation(), captured);
    if (values.getEntry() && !getOperation().lookupSymbol(prepareName))
      Preparation(values).run(captured);
  }
};
} // namespace
