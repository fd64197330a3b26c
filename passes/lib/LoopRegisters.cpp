//===- LoopRegisters.cpp - Loops over registers ---------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRegisters.h"

#include "../lowering/Stored.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

static SmallVector<ReassociationIndices> getOneGroup(int64_t rank) {
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
}

Value mlir::wax::flatten(OpBuilder &builder, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() > 1)
    tensor = tensor::CollapseShapeOp::create(builder, tensor.getLoc(), tensor,
                                             getOneGroup(type.getRank()));
  return convertStored(builder, tensor.getLoc(), tensor,
                       getStoredType(type.getElementType()));
}

Value mlir::wax::unflatten(OpBuilder &builder, Value flat, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  flat = convertStored(builder, flat.getLoc(), flat, type.getElementType());
  if (type.getRank() <= 1)
    return flat;
  return tensor::ExpandShapeOp::create(
      builder, like.getLoc(), type, flat, getOneGroup(type.getRank()),
      tensor::getMixedSizes(builder, like.getLoc(), like));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The only element of a tensor.
static Value createElement(OpBuilder &builder, Value tensor) {
  Location loc = tensor.getLoc();
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<Value> place;
  if (rank > 0)
    place.assign(rank, arith::ConstantIndexOp::create(builder, loc, 0));
  return builder.createOrFold<tensor::ExtractOp>(loc, tensor, place);
}

void LoopRegisters::enter(Value value, Value flat) {
  Location loc = value.getLoc();
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor) {
    known[value] = {value};
    return;
  }
  if (flat) {
    memory[value] = flat;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    if (isSmall(tensor))
      known[value] = registers.read(loc, flat, zero, tensor.getNumElements(),
                                    tensor.getElementType());
    return;
  }
  // What is only extracted from, or carried in memory, has no registers.
  if (!isSmall(tensor))
    return;
  Operation *definition = value.getDefiningOp();
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    known[value] = registers.create(loc, constant);
  else if (isa_and_present<tensor::EmptyOp>(definition) ||
           isStaticView(definition))
    convert(definition);
  else if (getElementCount(tensor) == 1)
    known[value] = {createElement(builder, value)};
}

Registers LoopRegisters::get(Value value) {
  if (plan.isInMemory(value))
    return {memory.lookup(value)};
  return known.lookup(value);
}

Registers LoopRegisters::get(ValueRange values) {
  Registers all;
  for (Value value : values)
    llvm::append_range(all, get(value));
  return all;
}

SmallVector<Type> LoopRegisters::getTypes(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return {value.getType()};
  Type element = tensor.getElementType();
  if (!plan.isInMemory(value))
    return registers.getTypes(element, tensor.getNumElements());
  RankedTensorType whole = plan.getMemoryType(value);
  int64_t count =
      whole.hasStaticShape() ? whole.getNumElements() : ShapedType::kDynamic;
  return {RankedTensorType::get(count, getStoredType(element))};
}

void LoopRegisters::setAll(ValueRange values, ValueRange converted) {
  for (Value value : values) {
    size_t count = getTypes(value).size();
    if (plan.isInMemory(value))
      memory[value] = converted.front();
    else
      known[value] = Registers(converted.take_front(count));
    converted = converted.drop_front(count);
  }
}

SmallVector<Element> LoopRegisters::getElements(Value tensor) {
  Registers held = get(tensor);
  SmallVector<Element> elements;
  for (int64_t i : llvm::seq(*getElementCount(tensor.getType())))
    elements.push_back(registers.getElement(held, i));
  return elements;
}

Value LoopRegisters::copy(Value init) {
  Location loc = init.getLoc();
  Type stored = getStoredType(getElementTypeOrSelf(init.getType()));
  OpFoldResult size = getAsOpFoldResult(sizes.lookup(init));
  Value made = tensor::EmptyOp::create(builder, loc, {size}, stored);
  if (init.getDefiningOp<tensor::EmptyOp>())
    return made;
  int64_t lanes = registers.getLanes();
  Value flat = memory.lookup(init), filling;
  if (Value scalar = createFilling(builder, loc, init))
    filling = createSplat(builder, loc,
                          convertStored(builder, loc, scalar, stored), lanes);
  auto copyPiece = [&](OpBuilder &inside, Location loc, Value first, Value mask,
                       ValueRange carried) -> SmallVector<Value> {
    Value piece = filling;
    if (!filling)
      piece = readLanes(inside, loc, flat, first, lanes, mask);
    return {writeLanes(inside, loc, piece, carried.front(), first, mask)};
  };
  Value filled = emitPieces(builder, loc, size, lanes, made, copyPiece).front();
  keepApart(made);
  return filled;
}

/// Merged with another one, a tensor would be copied for one of them, on the
/// stack; or not at all, where both begin with the same.
void LoopRegisters::keepApart(Value empty) {
  for (Operation *writer : empty.getUsers())
    writer->setAttr("copy", builder.getIndexAttr(copies++));
}

Value LoopRegisters::store(Value result) {
  if (plan.isInMemory(result))
    return memory.lookup(result);
  Location loc = result.getLoc();
  auto type = cast<RankedTensorType>(result.getType());
  Type stored = getStoredType(type.getElementType());
  if (type.getRank() > 0) {
    Value empty = tensor::EmptyOp::create(
        builder, loc, ArrayRef<int64_t>{type.getNumElements()}, stored);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value written = registers.write(loc, getElements(result), empty, zero);
    keepApart(empty);
    return written;
  }
  Value scalar = convertStored(builder, loc, get(result).front(), stored);
  Value empty =
      tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), stored);
  return tensor::InsertOp::create(builder, loc, scalar, empty, ValueRange());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void LoopRegisters::fill(Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(builder);
  Block &source = from.front();
  Block *block = builder.createBlock(&to);
  for (BlockArgument argument : source.getArguments())
    for (Type type : getTypes(argument))
      block->addArgument(type, argument.getLoc());
  setAll(source.getArguments(), block->getArguments());
  for (Operation &op : source)
    convert(&op);
}

void LoopRegisters::convertStructure(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  auto counted = dyn_cast<scf::ForOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (BlockArgument carried = counted
                                    ? counted.getTiedLoopRegionIterArg(&operand)
                                    : BlockArgument();
        carried && plan.getWindow(carried))
      state.addOperands(memory.lookup(plan.getWindow(carried).getDest()));
    else if (carried && plan.isInMemory(carried))
      state.addOperands(copy(operand.get()));
    else
      state.addOperands(get(operand.get()));
  for (Value result : op->getResults())
    state.addTypes(getTypes(result));
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions()))
    if (!from.empty())
      fill(from, to);
  setAll(op->getResults(), made->getResults());
}

/// The elements of a shape that indexing maps tell for some points.
static SmallVector<int64_t> getPlaces(AffineMap map, ArrayRef<int64_t> shape,
                                      ArrayRef<SmallVector<int64_t>> points) {
  SmallVector<int64_t> distances = getDistances(shape), places;
  for (ArrayRef<int64_t> point : points) {
    int64_t place = 0;
    for (auto [index, distance] :
         llvm::zip_equal(map.compose(point), distances))
      place += index * distance;
    places.push_back(place);
  }
  return places;
}

SmallVector<Value> LoopRegisters::read(linalg::LinalgOp op,
                                       const Points &points,
                                       ArrayRef<SmallVector<int64_t>> lanes,
                                       bool onVectors) {
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand)) {
      arguments.push_back(Value());
      continue;
    }
    Registers held = get(operand.get());
    SmallVector<Element> elements;
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType()))
      for (int64_t place : getPlaces(op.getMatchingIndexingMap(&operand),
                                     type.getShape(), lanes))
        elements.push_back(registers.getElement(held, place));
    else
      elements.assign(lanes.size(), Element{held.front()});
    Location loc = op.getLoc();
    arguments.push_back(onVectors ? registers.createVector(loc, elements)
                                  : registers.getScalar(loc, elements.front()));
  }
  return arguments;
}

/// The indices of each loop, lane by lane.
static SmallVector<SmallVector<int64_t>>
getCoordinates(ArrayRef<SmallVector<int64_t>> points, int64_t lanes) {
  SmallVector<SmallVector<int64_t>> coordinates(points.front().size());
  for (auto [dim, indices] : llvm::enumerate(coordinates))
    for (int64_t lane : llvm::seq(lanes))
      indices.push_back(
          points[std::min<int64_t>(lane, points.size() - 1)][dim]);
  return coordinates;
}

SmallVector<Value> LoopRegisters::foldAcross(linalg::LinalgOp op,
                                             const Points &points,
                                             int64_t first) {
  int64_t lanes = registers.getLanes();
  bool onVectors = points.count > 1;
  auto captured = [&](Value value) { return get(value).front(); };
  Block &body = op->getRegion(0).front();
  SmallVector<Value> accumulators;
  for (int64_t folded : llvm::seq(points.folded)) {
    SmallVector<SmallVector<int64_t>> some;
    for (int64_t point :
         llvm::seq(first, std::min(first + lanes, points.count)))
      some.push_back(points.getIndices(point, folded));
    SmallVector<Value> arguments = read(op, points, some, onVectors);
    for (auto [i, accumulator] : llvm::enumerate(accumulators))
      arguments[op.getNumDpsInputs() + i] = accumulator;
    accumulators =
        registers.emit(body, arguments, onVectors,
                       getCoordinates(some, onVectors ? lanes : 1), captured);
  }
  return accumulators;
}

Value LoopRegisters::foldAlong(linalg::LinalgOp op, const Points &points,
                               int64_t point) {
  Location loc = op.getLoc();
  int64_t lanes = registers.getLanes();
  auto captured = [&](Value value) { return get(value).front(); };
  auto combine = [&](Value lhs, Value rhs) {
    IRMapping mapping;
    mapping.map(points.combiner->getOperands(), ValueRange{lhs, rhs});
    Operation *made = builder.clone(*points.combiner, mapping);
    made->getResult(0).setType(lhs.getType());
    return made->getResult(0);
  };
  Value neutral = arith::ConstantOp::create(builder, loc, points.neutral);
  Value accumulator = createSplat(builder, loc, neutral, lanes);
  Block &body = op->getRegion(0).front();
  for (int64_t first = 0; first < points.folded; first += lanes) {
    SmallVector<SmallVector<int64_t>> some;
    for (int64_t folded :
         llvm::seq(first, std::min(first + lanes, points.folded)))
      some.push_back(points.getIndices(point, folded));
    SmallVector<Value> arguments = read(op, points, some, /*onVectors=*/true);
    arguments.back() = accumulator;
    Value next = registers
                     .emit(body, arguments, /*onVectors=*/true,
                           getCoordinates(some, lanes), captured)
                     .front();
    int64_t left = some.size();
    if (left < lanes) {
      SmallVector<bool> used(lanes, false);
      std::fill_n(used.begin(), left, true);
      auto type = VectorType::get(lanes, builder.getI1Type());
      Value mask = arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(type, used));
      next = arith::SelectOp::create(builder, loc, mask, next, accumulator);
    }
    accumulator = next;
  }
  for (int64_t left = lanes / 2; left > 0; left /= 2) {
    Value lower = createShuffle(builder, loc, accumulator,
                                llvm::to_vector(llvm::seq<int64_t>(0, left)));
    Value upper =
        createShuffle(builder, loc, accumulator,
                      llvm::to_vector(llvm::seq<int64_t>(left, 2 * left)));
    accumulator = combine(lower, upper);
  }
  Value folded = registers.getScalar(loc, {accumulator, 0});
  Value init = op.getDpsInits().front();
  SmallVector<int64_t> place =
      getPlaces(op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
                cast<RankedTensorType>(init.getType()).getShape(),
                {points.getIndices(point, 0)});
  Element start = registers.getElement(get(init), place.front());
  return combine(registers.getScalar(loc, start), folded);
}

void LoopRegisters::convertPoints(linalg::LinalgOp op) {
  Points points = *Points::of(op);
  int64_t lanes = registers.getLanes();
  SmallVector<Registers> results(op->getNumResults());
  if (points.foldsLanes(lanes)) {
    SmallVector<Element> elements;
    for (int64_t point : llvm::seq(points.count))
      elements.push_back({foldAlong(op, points, point)});
    results.front() = registers.create(op.getLoc(), elements);
  } else {
    for (int64_t first = 0; first < points.count; first += lanes)
      for (auto [result, made] :
           llvm::zip_equal(results, foldAcross(op, points, first)))
        result.push_back(made);
  }
  for (auto [result, made] : llvm::zip_equal(op->getResults(), results))
    known[result] = made;
}

/// The elements of tensors side by side along a dim.
static SmallVector<Element> concatenate(ArrayRef<SmallVector<Element>> parts,
                                        ArrayRef<int64_t> chunks) {
  SmallVector<Element> all;
  for (int64_t row = 0;
       row * chunks.front() < static_cast<int64_t>(parts.front().size()); ++row)
    for (auto [part, chunk] : llvm::zip_equal(parts, chunks))
      llvm::append_range(all, ArrayRef(part).slice(row * chunk, chunk));
  return all;
}

void LoopRegisters::convert(Operation *op) {
  Location loc = op->getLoc();
  if (isStructure(op))
    return convertStructure(op);
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return convertPoints(generic);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return convertSlice(slice);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return convertInsert(insert);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    known[op->getResult(0)] = get(op->getOperand(0));
    return;
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    auto type = empty.getType();
    // Nothing reads it, so that a complex number needs none.
    if (!isLaneType(type.getElementType()))
      return;
    known[empty] = registers.createZeros(loc, type.getElementType(),
                                         type.getNumElements());
    return;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<SmallVector<Element>> parts;
    SmallVector<int64_t> chunks;
    for (Value input : concat.getInputs()) {
      parts.push_back(getElements(input));
      ArrayRef<int64_t> shape =
          cast<RankedTensorType>(input.getType()).getShape();
      chunks.push_back(llvm::product_of(shape.drop_front(concat.getDim())));
    }
    known[concat] = registers.create(loc, concatenate(parts, chunks));
    return;
  }
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    known[elements] = registers.create(
        loc, llvm::map_to_vector(get(elements.getElements()),
                                 [](Value value) { return Element{value}; }));
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Value tensor = extract.getTensor();
    if (plan.isInMemory(tensor)) {
      Value place =
          getPlace(loc, tensor, getAsOpFoldResult(extract.getIndices()));
      known[extract] = registers.read(loc, memory.lookup(tensor), place, 1,
                                      extract.getType());
      return;
    }
    if (getElementCount(tensor.getType()) == 1) {
      known[extract] = get(tensor);
      return;
    }
    known[extract] = {tensor::ExtractOp::create(builder, loc, tensor,
                                                get(extract.getIndices()))};
    return;
  }
  DenseElementsAttr constant;
  if (op->getNumResults() == 1 && matchPattern(op, m_Constant(&constant))) {
    known[op->getResult(0)] = registers.create(loc, constant);
    return;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand).front());
  Operation *made = builder.clone(*op, mapping);
  setAll(op->getResults(), made->getResults());
}
