//===- SmallTensors.cpp - Small tensors in registers ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallTensors.h"

#include "../lowering/Stored.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Reads or writes of a tensor in a turn, beyond which several are one.
static constexpr int64_t mostAccesses = 64;

SmallVector<int64_t> mlir::wax::getDistances(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> distances(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    distances[dim] = distances[dim + 1] * shape[dim + 1];
  return distances;
}

size_t mlir::wax::getRunDim(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  size_t dim = sizes.empty() ? 0 : sizes.size() - 1;
  while (dim > 0 && sizes[dim] == shape[dim])
    --dim;
  return dim;
}

SmallVector<Run> mlir::wax::getRuns(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> distances = getDistances(shape);
  size_t dim = getRunDim(shape, sizes);
  int64_t length = llvm::product_of(sizes.drop_front(dim));
  SmallVector<Run> runs{{0, length}};
  while (dim > 0) {
    --dim;
    SmallVector<Run> more;
    for (int64_t index : llvm::seq(sizes[dim]))
      for (Run run : runs)
        more.push_back({run.first + index * distances[dim], length});
    runs = more;
  }
  return runs;
}

SmallVector<Type> RegisterBuilder::getTypes(Type element,
                                            int64_t elements) const {
  if (elements == 1)
    return {element};
  return SmallVector<Type>(getCount(elements), VectorType::get(lanes, element));
}

Value RegisterBuilder::getScalar(Location loc, Element element) {
  if (!isa<VectorType>(element.holder.getType()))
    return element.holder;
  return vector::ExtractOp::create(builder, loc, element.holder,
                                   ArrayRef<int64_t>{element.lane});
}

Value RegisterBuilder::createVector(Location loc, ArrayRef<Element> elements) {
  SmallVector<Element> wanted(elements);
  // Lanes that nothing reads stay where they are.
  for (int64_t lane : llvm::seq<int64_t>(elements.size(), lanes))
    wanted.push_back({elements.back().holder, lane});
  llvm::SmallSetVector<Value, 4> holders;
  for (Element element : wanted)
    holders.insert(element.holder);
  auto getVector = [&](Value holder) {
    return isa<VectorType>(holder.getType())
               ? holder
               : createSplat(builder, loc, holder, lanes);
  };
  Value made = getVector(holders.front());
  SmallVector<int64_t> places(lanes, 0);
  for (auto [lane, element] : llvm::enumerate(wanted))
    if (element.holder == holders.front())
      places[lane] = element.lane;
  bool isMixed = holders.size() > 1;
  // The first shuffle joins two vectors, and each other adds one.
  for (Value holder : ArrayRef(holders.getArrayRef()).drop_front()) {
    for (auto [lane, element] : llvm::enumerate(wanted))
      if (element.holder == holder)
        places[lane] = lanes + element.lane;
    made = vector::ShuffleOp::create(builder, loc, made, getVector(holder),
                                     places);
    places = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  }
  if (isMixed || !isa<VectorType>(holders.front().getType()) ||
      llvm::equal(places, llvm::seq<int64_t>(0, lanes)))
    return made;
  return createShuffle(builder, loc, made, places);
}

Registers RegisterBuilder::create(Location loc, ArrayRef<Element> elements) {
  if (elements.size() == 1)
    return {getScalar(loc, elements.front())};
  Registers made;
  for (; !elements.empty();
       elements = elements.drop_front(std::min<size_t>(lanes, elements.size())))
    made.push_back(createVector(
        loc, elements.take_front(std::min<size_t>(lanes, elements.size()))));
  return made;
}

Registers RegisterBuilder::create(Location loc, DenseElementsAttr constant) {
  int64_t count = constant.getNumElements();
  Type element = constant.getElementType();
  auto values = llvm::to_vector(constant.getValues<Attribute>());
  if (count == 1)
    return {
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(values[0]))};
  auto type = VectorType::get(lanes, element);
  Registers made;
  for (int64_t first = 0; first < count; first += lanes) {
    SmallVector<Attribute> some;
    for (int64_t lane : llvm::seq(lanes))
      some.push_back(values[std::min(first + lane, count - 1)]);
    made.push_back(arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, some)));
  }
  return made;
}

Registers RegisterBuilder::createZeros(Location loc, Type element,
                                       int64_t elements) {
  Registers made;
  for (Type type : getTypes(element, elements))
    made.push_back(arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
  return made;
}

void RegisterBuilder::forPieces(Location loc, Value first, int64_t count,
                                int64_t width, PieceAt body) {
  for (int64_t done = 0; done < count;) {
    Value offset = arith::ConstantIndexOp::create(builder, loc, done);
    Value from = builder.createOrFold<arith::AddIOp>(loc, first, offset);
    if (count - done < width)
      width = lanes;
    int64_t size = std::min(width, count - done);
    Value mask;
    if (size < lanes)
      mask = vector::ConstantMaskOp::create(
          builder, loc, VectorType::get(lanes, builder.getI1Type()),
          ArrayRef<int64_t>{size});
    body(done, width, size, from, mask);
    done += size;
  }
}

/// How many elements of `count` are read or written at a time: IREE 3.13 takes
/// time for each of a tensor's accesses by all others, squared.
static int64_t getWidth(int64_t count, int64_t lanes) {
  int64_t pieces = llvm::divideCeil(count, lanes);
  return lanes * std::max<int64_t>(1, llvm::PowerOf2Ceil(llvm::divideCeil(
                                          pieces, mostAccesses)));
}

Registers RegisterBuilder::read(Location loc, Value memory, Value first,
                                int64_t count, Type element) {
  Registers made;
  auto add = [&](Value value) {
    made.push_back(convertStored(builder, loc, value, element));
  };
  if (count == 1) {
    add(tensor::ExtractOp::create(builder, loc, memory, first));
    return made;
  }
  forPieces(loc, first, count, getWidth(count, lanes),
            [&](int64_t, int64_t width, int64_t, Value from, Value mask) {
              Value all = readLanes(builder, loc, memory, from, width, mask);
              if (width == lanes)
                return add(all);
              for (int64_t lane = 0; lane < width; lane += lanes)
                add(vector::ShuffleOp::create(
                    builder, loc, all, all,
                    llvm::to_vector(llvm::seq(lane, lane + lanes))));
            });
  return made;
}

Value RegisterBuilder::write(Location loc, ArrayRef<Element> elements,
                             Value memory, Value first) {
  auto asStored = [&](Value value) {
    return convertStored(builder, loc, value,
                         getElementTypeOrSelf(memory.getType()));
  };
  if (elements.size() == 1)
    return tensor::InsertOp::create(builder, loc,
                                    asStored(getScalar(loc, elements.front())),
                                    memory, first);
  forPieces(
      loc, first, elements.size(), getWidth(elements.size(), lanes),
      [&](int64_t done, int64_t width, int64_t size, Value from, Value mask) {
        SmallVector<Value> parts;
        for (int64_t lane = 0; lane < size; lane += lanes)
          parts.push_back(asStored(createVector(
              loc, elements.slice(done + lane, std::min(lanes, size - lane)))));
        for (int64_t part = lanes; part < width; part *= 2) {
          auto both = llvm::to_vector(llvm::seq(2 * part));
          for (size_t i = 0; i < parts.size() / 2; ++i)
            parts[i] = vector::ShuffleOp::create(builder, loc, parts[2 * i],
                                                 parts[2 * i + 1], both);
          parts.truncate(parts.size() / 2);
        }
        memory = writeLanes(builder, loc, parts.front(), memory, from, mask);
      });
  return memory;
}

Value RegisterBuilder::createIndices(Location loc, ArrayRef<int64_t> indices,
                                     bool onVectors) {
  if (!onVectors)
    return arith::ConstantIndexOp::create(builder, loc, indices.front());
  auto type = VectorType::get(lanes, builder.getIndexType());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, indices));
}

SmallVector<Value>
RegisterBuilder::emit(Block &block, ArrayRef<Value> arguments, bool onVectors,
                      ArrayRef<SmallVector<int64_t>> coordinates,
                      llvm::function_ref<Value(Value)> captured) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  auto getValue = [&](Value value) {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    Value scalar = captured(value);
    Value mapped = onVectors
                       ? createSplat(builder, value.getLoc(), scalar, lanes)
                       : scalar;
    mapping.map(value, mapped);
    return mapped;
  };
  for (Operation &op : block.without_terminator()) {
    TypedAttr constant;
    if (onVectors && matchPattern(&op, m_Constant(&constant))) {
      auto type = VectorType::get(lanes, op.getResult(0).getType());
      mapping.map(op.getResult(0), arith::ConstantOp::create(
                                       builder, op.getLoc(),
                                       DenseElementsAttr::get(type, constant))
                                       .getResult());
      continue;
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(
          index.getResult(),
          createIndices(op.getLoc(), coordinates[index.getDim()], onVectors));
      continue;
    }
    for (Value operand : op.getOperands())
      getValue(operand);
    Operation *made = builder.clone(op, mapping);
    if (onVectors)
      for (Value result : made->getResults())
        result.setType(VectorType::get(lanes, result.getType()));
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), getValue);
}
