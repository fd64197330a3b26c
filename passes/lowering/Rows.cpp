//===- Rows.cpp - What is read along rows, vector by vector ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "Dispatch.h"
#include "Stored.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

/// Elements of which one is read that are read as vectors.
static constexpr int64_t mostApart = 4;
/// Operations of a loop that are done again for each of several readers.
static constexpr int64_t mostShared = 6;

SmallVector<Value> mlir::wax::getRowIndices(OpBuilder &builder, Location loc,
                                            Value number,
                                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (int64_t dim = sizes.size() - 1; dim > 0; --dim) {
    Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]);
    indices[dim] = builder.createOrFold<arith::RemUIOp>(loc, number, size);
    number = builder.createOrFold<arith::DivUIOp>(loc, number, size);
  }
  if (!indices.empty())
    indices.front() = isOneInteger(sizes.front())
                          ? arith::ConstantIndexOp::create(builder, loc, 0)
                          : number;
  return indices;
}

Value mlir::wax::mergeRow(OpBuilder &builder, Location loc, Value tensor,
                          int64_t along) {
  if (along == 1)
    return tensor;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim : llvm::seq(rank - along))
    groups.push_back({dim});
  groups.emplace_back(llvm::to_vector<2>(llvm::seq(rank - along, rank)));
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
}

RowReader::Access RowReader::getAccess(Value tensor, AffineMap map) const {
  int64_t first = rank - along, moving = 0;
  if (!map.isProjectedPermutation())
    return Access::None;
  for (AffineExpr expr : map.getResults())
    moving += cast<AffineDimExpr>(expr).getPosition() >= first;
  Type element = getElementTypeOrSelf(tensor);
  if (moving == 0)
    return isLaneType(element) ? Access::Once : Access::None;
  if (moving != along ||
      !isStoredLaneType(isLate ? getStoredType(element) : element))
    return Access::None;
  for (auto [expr, loop] : llvm::zip_equal(map.getResults().take_back(along),
                                           llvm::seq(first, rank)))
    if (cast<AffineDimExpr>(expr).getPosition() != loop)
      return Access::None;
  return Access::Along;
}

linalg::GenericOp mlir::wax::getPointwise(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  bool isPointwise =
      generic && generic.hasPureTensorSemantics() &&
      generic->getNumResults() == 1 &&
      generic.getNumParallelLoops() == generic.getNumLoops() &&
      generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
          .isIdentity() &&
      !generic.payloadUsesValueFromOperand(generic.getDpsInitOperand(0));
  return isPointwise ? generic : linalg::GenericOp();
}

bool RowReader::isPossible(linalg::GenericOp generic) const {
  if (!getPointwise(generic) || generic.getNumLoops() != rank ||
      !hasLanes(*generic.getBody(), isLate))
    return false;
  bool readsIndicesAlong = llvm::any_of(
      generic.getBody()->getOps<linalg::IndexOp>(), [&](linalg::IndexOp index) {
        return static_cast<int64_t>(index.getDim()) >= rank - along;
      });
  if (readsIndicesAlong && along != 1)
    return false;
  return llvm::all_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    return getAccess(input->get(), generic.getMatchingIndexingMap(input)) !=
           Access::None;
  });
}

bool mlir::wax::isCheap(linalg::GenericOp generic,
                        llvm::function_ref<bool(Value)> mayBeProduct) {
  int64_t count = 0;
  for (Operation &op : generic.getBody()->without_terminator()) {
    if (isa<linalg::IndexOp, arith::IndexCastOp, arith::ConstantOp>(op))
      continue;
    if (!isa_and_present<arith::ArithDialect>(op.getDialect()) ||
        isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp>(op) ||
        (isa<arith::AddFOp, arith::SubFOp>(op) &&
         llvm::any_of(op.getOperands(), mayBeProduct)) ||
        ++count > mostShared)
      return false;
  }
  return true;
}

bool mlir::wax::isMadeOnce(Value tensor) {
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  bool isCounter = generic && generic.getInputs().empty() &&
                   isCheap(generic, [](Value) { return false; });
  return generic && !isCounter && iree::isMadeOfConstants(tensor);
}

/// Whether an operation makes elements of those of a tensor, one of one, or
/// folds them.
static bool isLoopOver(Operation *op, Value tensor) {
  if (auto join = dyn_cast<BroadcastOp>(op))
    return join.getType().getRank() ==
           cast<RankedTensorType>(tensor.getType()).getRank();
  return isa<linalg::GenericOp, MapOp, ReduceOp>(op);
}

linalg::GenericOp RowReader::getProducer(Value tensor, Operation *user) const {
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  if (!generic || own.contains(generic))
    return generic;
  if (isClosed)
    return {};
  bool isElsewhere = llvm::any_of(
      tensor.getUsers(), [&](Operation *other) { return other != user; });
  bool isShared = sharesProducers &&
                  isCheap(generic, [](Value) { return true; }) &&
                  llvm::all_of(tensor.getUsers(), [&](Operation *other) {
                    return other == user || isLoopOver(other, tensor);
                  });
  // Indices cost nothing to tell again.
  if (isElsewhere && !isShared && !generic.getInputs().empty())
    return {};
  // What is the same in all calls is not made in each.
  if (isLate && isMadeOnce(tensor) &&
      !llvm::all_of(reader->getResults(), iree::isMadeOfConstants))
    return {};
  return isPossible(generic) ? generic : linalg::GenericOp();
}

/// Whether what makes the tensor for one reader reads less than it makes.
static bool isExpansion(Value tensor) {
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  SmallVector<OpOperand *> inputs = generic.getDpsInputOperands();
  return !inputs.empty() && llvm::none_of(inputs, [&](OpOperand *input) {
    return generic.getMatchingIndexingMap(input).getNumResults() ==
           generic.getNumLoops();
  });
}

/// Whether a pointwise loop, or a transposition, makes the tensor for one
/// reader.
static bool isPointwise(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  return op && tensor.hasOneUse() &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         !isa<linalg::FillOp>(op.getOperation());
}

bool RowReader::addRead(Value tensor, AffineMap map) {
  foundProducerLeft |= isPointwise(tensor);
  switch (getAccess(tensor, map)) {
  case Access::None:
    return false;
  case Access::Once:
    reads.emplace_back(tensor, map);
    return true;
  case Access::Along:
    if (!rows.contains(tensor))
      merged.insert({tensor, tensor});
    elements.push_back(getStoredType(getElementTypeOrSelf(tensor)));
    return true;
  }
  llvm_unreachable("not an access");
}

bool RowReader::add(Value tensor, Operation *user) {
  foundExpansion |= isExpansion(tensor);
  linalg::GenericOp generic = getProducer(tensor, user);
  if (!generic)
    return addRead(
        tensor, AffineMap::getMultiDimIdentityMap(rank, tensor.getContext()));
  return !producers.insert({tensor, generic}).second || addInputs(generic);
}

bool RowReader::addInputs(linalg::GenericOp generic) {
  return llvm::all_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    return map.isIdentity() ? add(input->get(), generic)
                            : addRead(input->get(), map);
  });
}

bool RowReader::addMade(linalg::GenericOp generic) {
  if (!isPossible(generic))
    return false;
  tensors.push_back(generic.getResult(0));
  producers.insert({generic.getResult(0), generic});
  return addInputs(generic);
}

/// A loop is found when the last one of its readers is.
void RowReader::findOwn(ValueRange read) {
  llvm::DenseMap<Operation *, llvm::SmallPtrSet<Operation *, 4>> others;
  SmallVector<std::pair<Value, Operation *>> next;
  for (Value tensor : read)
    next.emplace_back(tensor, reader);
  while (!next.empty()) {
    auto [tensor, user] = next.pop_back_val();
    auto generic = tensor.getDefiningOp<linalg::GenericOp>();
    if (!generic)
      continue;
    auto [left, isNew] = others.try_emplace(generic);
    if (isNew)
      left->second.insert_range(tensor.getUsers());
    left->second.erase(user);
    if (!left->second.empty() || own.contains(generic) || !isPossible(generic))
      continue;
    own.insert(generic);
    for (OpOperand *input : generic.getDpsInputOperands())
      if (generic.getMatchingIndexingMap(input).isIdentity())
        next.emplace_back(input->get(), generic);
  }
}

bool RowReader::add(ValueRange read) {
  findOwn(read);
  return llvm::all_of(read, [&](Value tensor) {
    tensors.push_back(tensor);
    return add(tensor, reader);
  });
}

bool RowReader::add(ValueRange read, ArrayRef<Operation *> made,
                    ArrayRef<Value> held) {
  own.insert_range(made);
  isClosed = true;
  for (Value tensor : held)
    rows.insert({tensor, Held()});
  return llvm::all_of(read, [&](Value tensor) {
    tensors.push_back(tensor);
    return add(tensor, reader);
  });
}

bool RowReader::isMadeBy(llvm::function_ref<bool(Block &)> is) const {
  return llvm::any_of(
      llvm::make_second_range(producers),
      [&](linalg::GenericOp generic) { return is(*generic.getBody()); });
}

namespace {

/// A tensor that shows one of every few elements along the last dim of another:
/// a slice with a stride, or one element of each of many short rows, which are
/// then taken as one dim.
struct EveryFew {
  tensor::ExtractSliceOp slice;
  int64_t stride;
  /// The element of short rows.
  std::optional<int64_t> phase;

  /// The other tensor, as it is read.
  Value getWhole(OpBuilder &builder, Location loc) {
    return phase ? mergeRow(builder, loc, slice.getSource(), 2)
                 : slice.getSource();
  }
  /// Where the first of those is, from the one at `position` of this tensor on.
  SmallVector<Value> getPlace(OpBuilder &builder, Location loc,
                              ValueRange position);
};

} // namespace

/// If there are few between, and it is known how many.
static std::optional<EveryFew> getEveryFew(Value tensor) {
  auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>();
  auto slice = (collapse ? collapse.getSrc() : tensor)
                   .getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() == 0)
    return std::nullopt;
  auto isFew = [](int64_t stride) { return stride > 1 && stride <= mostApart; };
  unsigned last = slice.getSourceType().getRank() - 1;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> strides = slice.getMixedStrides();
  std::optional<int64_t> stride = getConstantIntValue(strides[last]);
  if (!collapse && stride && isFew(*stride) && !dropped.test(last) &&
      slice.getType().getShape().back() > 0)
    return EveryFew{slice, *stride, std::nullopt};

  std::optional<int64_t> phase =
      getConstantIntValue(slice.getMixedOffsets()[last]);
  int64_t width = slice.getSourceType().getShape().back();
  if (last == 0 || !phase || ShapedType::isDynamic(width) || !isFew(width) ||
      !isOneInteger(slice.getMixedSizes()[last]) ||
      !isOneInteger(strides[last - 1]) || slice.getStaticSizes()[last - 1] == 0)
    return std::nullopt;
  // The short rows' dim is all that is left out.
  if (collapse) {
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    if (dropped.any() || groups.size() != last || groups.back().size() != 2)
      return std::nullopt;
  } else if (dropped.count() != 1 || !dropped.test(last)) {
    return std::nullopt;
  }
  return EveryFew{slice, width, phase};
}

SmallVector<Value> EveryFew::getPlace(OpBuilder &builder, Location loc,
                                      ValueRange position) {
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            strides = slice.getMixedStrides();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  if (phase) {
    offsets.pop_back();
    strides.pop_back();
    dropped.resize(offsets.size());
    offsets.back() =
        multiply(builder, loc, {offsets.back(), builder.getIndexAttr(stride)});
  }
  strides.back() = builder.getIndexAttr(stride);
  SmallVector<Value> place;
  for (auto [dim, offset, step] : llvm::enumerate(offsets, strides)) {
    Value at = getValueOrCreateConstantIndexOp(builder, loc, offset);
    if (!dropped.test(dim)) {
      Value moved = builder.createOrFold<arith::MulIOp>(
          loc, position.front(),
          getValueOrCreateConstantIndexOp(builder, loc, step));
      at = builder.createOrFold<arith::AddIOp>(loc, moved, at);
      position = position.drop_front();
    }
    place.push_back(at);
  }
  return place;
}

bool RowReader::readsEveryFew() const {
  return along == 1 && llvm::any_of(getReadAlong(), [](Value tensor) {
           return getEveryFew(tensor).has_value();
         });
}

void RowReader::walkReads(
    llvm::function_ref<void(Value tensor, AffineMap map)> visit) const {
  for (linalg::GenericOp generic : llvm::make_second_range(producers))
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      if (!map.isIdentity() || !producers.contains(input->get()))
        visit(input->get(), map);
    }
}

void RowReader::mergeRows(OpBuilder &builder, Location loc,
                          llvm::function_ref<bool(Value)> isTold) {
  for (auto &[tensor, row] : merged) {
    Value whole = tensor;
    if (isLate && along == 1)
      if (std::optional<EveryFew> few = getEveryFew(tensor))
        whole = few->getWhole(builder, loc);
    Type stored = getStoredType(getElementTypeOrSelf(tensor));
    row = mergeRow(builder, loc,
                   isLate ? iree::createBitcast(builder, loc, whole, stored)
                          : convertStored(builder, loc, whole, stored),
                   along);
  }
  if (isLate)
    for (Value tensor : getReadOnce())
      if (Type element = getElementTypeOrSelf(tensor);
          element.isInteger(1) && !(isTold && isTold(tensor)))
        bytes[tensor] =
            iree::createBitcast(builder, loc, tensor, getStoredType(element));
}

void RowReader::startRow(OpBuilder &builder, Location loc, ValueRange indices,
                         int64_t lanes) {
  rowIndices = llvm::to_vector(indices);
  this->lanes = lanes;
  splats.clear();
  for (auto [tensor, map] : reads) {
    SmallVector<Value> position;
    for (AffineExpr expr : map.getResults())
      position.push_back(rowIndices[cast<AffineDimExpr>(expr).getPosition()]);
    Value scalar = known.lookup(tensor);
    if (!scalar)
      scalar = readElements(builder, loc, bytes.lookup_or(tensor, tensor),
                            position, getElementTypeOrSelf(tensor))
                   .front();
    splats[{tensor, map}] = createSplat(builder, loc, scalar, lanes);
  }
}

Value RowReader::load(OpBuilder &builder, Location loc, Value tensor,
                      AffineMap map, Value first, Value mask) {
  if (loadInstead)
    return loadInstead(builder, loc, tensor, map);
  if (Value splat = splats.lookup({tensor, map}))
    return splat;
  Value row = merged.lookup(tensor);
  SmallVector<Value> position;
  if (auto *held = rows.find(tensor); held != rows.end()) {
    row = held->second.row;
    position = held->second.place;
  } else {
    for (AffineExpr expr : map.getResults().drop_back(along))
      position.push_back(rowIndices[cast<AffineDimExpr>(expr).getPosition()]);
  }
  position.push_back(first);
  std::optional<EveryFew> few;
  if (isLate && along == 1)
    few = getEveryFew(tensor);
  Value stored =
      few ? readApart(builder, loc, row, few->getPlace(builder, loc, position),
                      lanes, few->stride, few->phase, mask)
          : readLanes(builder, loc, row, position, lanes, mask);
  return convertStored(builder, loc, stored, getElementTypeOrSelf(tensor));
}

Value RowReader::emit(OpBuilder &builder, Location loc, Value tensor,
                      Value first, Value mask,
                      llvm::DenseMap<Value, Value> &made) {
  if (Value vector = made.lookup(tensor))
    return vector;
  auto *found = producers.find(tensor);
  if (found == producers.end()) {
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(rank, tensor.getContext());
    return made[tensor] = load(builder, loc, tensor, identity, first, mask);
  }
  linalg::GenericOp generic = found->second;
  SmallVector<Value> vectors;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    vectors.push_back(map.isIdentity()
                          ? emit(builder, loc, input->get(), first, mask, made)
                          : load(builder, loc, input->get(), map, first, mask));
  }
  Block *body = generic.getBody();
  SmallVector<Value> indices(rowIndices);
  indices.push_back(first);
  // Of the result's own element there is none.
  vectors.resize(body->getNumArguments());
  return made[tensor] =
             emitOnLanes(builder, *body, body->getTerminator()->getOperands(),
                         vectors, lanes, indices)
                 .front();
}

SmallVector<Value> RowReader::read(OpBuilder &builder, Location loc,
                                   Value first, Value mask) {
  llvm::DenseMap<Value, Value> made(given);
  return llvm::map_to_vector(tensors, [&](Value tensor) {
    return emit(builder, loc, tensor, first, mask, made);
  });
}
