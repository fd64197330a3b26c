//===- Tensors.cpp - Operations of the basis, built -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

Type mlir::wax::getSumType(Type element) {
  if (auto type = dyn_cast<FloatType>(element); type && type.getWidth() < 32)
    return Float32Type::get(element.getContext());
  return element;
}

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

SmallVector<OpFoldResult> mlir::wax::getSizes(OpBuilder &builder, Location loc,
                                              Value tensor) {
  return tensor::getMixedSizes(builder, loc, tensor);
}

OpFoldResult mlir::wax::addSizes(OpBuilder &builder, Location loc,
                                 OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> a = getConstantIntValue(lhs);
  std::optional<int64_t> b = getConstantIntValue(rhs);
  if (a && b)
    return builder.getIndexAttr(*a + *b);
  return arith::AddIOp::create(
             builder, loc, getValueOrCreateConstantIndexOp(builder, loc, lhs),
             getValueOrCreateConstantIndexOp(builder, loc, rhs))
      .getResult();
}

Value mlir::wax::createScalarTensor(OpBuilder &builder, Location loc,
                                    Type element, double value) {
  auto type = RankedTensorType::get({}, element);
  if (auto integer = dyn_cast<IntegerType>(element))
    return ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, APInt(integer.getWidth(), static_cast<int64_t>(value),
                        /*isSigned=*/true, /*implicitTrunc=*/true)));
  auto toFloat = [](FloatType type, double value) {
    APFloat converted(value);
    bool isInexact;
    converted.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                      &isInexact);
    return converted;
  };
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    return ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type,
            std::complex<APFloat>(toFloat(part, value), toFloat(part, 0.0))));
  }
  return ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, toFloat(cast<FloatType>(element), value)));
}

bool mlir::wax::isZero(Attribute element, bool anySign) {
  if (auto number = dyn_cast<FloatAttr>(element))
    return anySign ? number.getValue().isZero() : number.getValue().isPosZero();
  if (auto number = dyn_cast<IntegerAttr>(element))
    return number.getValue().isZero();
  auto parts = dyn_cast<ArrayAttr>(element);
  return parts && llvm::all_of(parts, [&](Attribute part) {
           return isZero(part, anySign);
         });
}

bool mlir::wax::isZeros(Value value) {
  value = withoutCasts(value);
  if (auto filled = value.getDefiningOp<BroadcastOp>()) {
    if (filled->getNumOperands() != 1 ||
        getForwardedArgument(filled.getKernel()) != 0u)
      return false;
    value = filled->getOperand(0);
  }
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  return isZero(elements.getSplatValue<Attribute>(), /*anySign=*/true);
}

Value mlir::wax::createFilled(OpBuilder &builder, Location loc, Value scalar,
                              ArrayRef<OpFoldResult> sizes) {
  if (sizes.empty())
    return scalar;
  return createBroadcast(
      builder, loc, Operand{scalar, {}}, sizes,
      [](OpBuilder &, Location, ValueRange in) { return in[0]; });
}

Value mlir::wax::createZeros(OpBuilder &builder, Location loc, Value like,
                             Type element) {
  Value zeros =
      createFilled(builder, loc, createScalarTensor(builder, loc, element, 0),
                   getSizes(builder, loc, like));
  return castTo(builder, loc, getTensor(like).clone(element), zeros);
}

Value mlir::wax::createZerosLike(OpBuilder &builder, Location loc, Value like) {
  return createZeros(builder, loc, like, getTensor(like).getElementType());
}

Value mlir::wax::createAdd(OpBuilder &builder, Location loc, Value lhs,
                           Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return createPointwise(builder, loc, {lhs, rhs},
                         [](OpBuilder &body, Location loc, ValueRange in) {
                           return scalar::add(body, loc, in[0], in[1]);
                         });
}

/// The arguments of a kernel's block that its result is computed from.
static llvm::DenseSet<Value> getUsedArguments(Block &block, Value yielded) {
  llvm::DenseSet<Value> used{yielded};
  for (Operation &op : llvm::reverse(block))
    if (llvm::any_of(op.getResults(),
                     [&](Value result) { return used.contains(result); }))
      used.insert(op.operand_begin(), op.operand_end());
  return used;
}

Value mlir::wax::createBroadcast(
    OpBuilder &builder, Location loc, ArrayRef<Operand> operands,
    ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> kernel) {
  SmallVector<Type> elements =
      llvm::map_to_vector(operands, [](const Operand &operand) {
        return getTensor(operand.value).getElementType();
      });
  // The kernel is made before the operation: there may be none to make.
  Region region;
  Value yielded;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(
        &region, {}, elements, SmallVector<Location>(elements.size(), loc));
    yielded = kernel(builder, loc, block->getArguments());
  }
  if (!yielded)
    return nullptr;

  SmallVector<unsigned> read;
  SmallVector<Value> inputs;
  SmallVector<SmallVector<int64_t>> dims;
  llvm::SmallBitVector covered(sizes.size());
  llvm::DenseSet<Value> used = getUsedArguments(region.front(), yielded);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isLast = i + 1 == operands.size() && inputs.empty();
    if (!sizes.empty() && !isLast &&
        !used.contains(region.front().getArgument(i)))
      continue;
    read.push_back(i);
    inputs.push_back(operand.value);
    dims.push_back(operand.dims);
    if (!sizes.empty())
      for (int64_t dim : operand.dims)
        covered.set(dim);
  }
  SmallVector<OpFoldResult> freeSizes;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!covered[dim])
      freeSizes.push_back(size);
  return BroadcastOp::create(
      builder, loc, inputs, dims, freeSizes,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [i, argument] : llvm::zip_equal(read, arguments))
          mapping.map(region.front().getArgument(i), argument);
        for (Operation &op : region.front())
          if (llvm::all_of(op.getOperands(), [&](Value operand) {
                return mapping.contains(operand);
              }))
            body.clone(op, mapping);
        return SmallVector<Value>{mapping.lookup(yielded)};
      });
}

Value mlir::wax::createPointwise(
    OpBuilder &builder, Location loc, ValueRange operands,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> kernel) {
  SmallVector<Operand> joined = llvm::map_to_vector(
      operands, [](Value value) { return Operand{value, getAllDims(value)}; });
  return createBroadcast(builder, loc, joined, {}, kernel);
}

Value mlir::wax::createSum(OpBuilder &builder, Location loc, Value tensor,
                           ArrayRef<int64_t> dims) {
  if (dims.empty())
    return tensor;
  Value zero =
      createScalarTensor(builder, loc, getTensor(tensor).getElementType(), 0);
  auto add = [](OpBuilder &body, Location loc, ValueRange in) {
    return SmallVector<Value>{scalar::add(body, loc, in[0], in[1])};
  };
  return ReduceOp::create(builder, loc, tensor, zero, dims, add, add)
      ->getResult(0);
}

Value mlir::wax::createConverted(OpBuilder &builder, Location loc, Value tensor,
                                 Type element) {
  if (getTensor(tensor).getElementType() == element)
    return tensor;
  return createPointwise(builder, loc, tensor,
                         [&](OpBuilder &body, Location loc, ValueRange in) {
                           return scalar::convert(body, loc, in[0], element);
                         });
}

SmallVector<int64_t> mlir::wax::getAllDims(int64_t rank) {
  return llvm::to_vector(llvm::seq(rank));
}

SmallVector<int64_t> mlir::wax::getAllDims(Value tensor) {
  return getAllDims(getTensor(tensor).getRank());
}

SmallVector<int64_t> mlir::wax::getOtherDims(int64_t rank,
                                             ArrayRef<int64_t> dims) {
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return others;
}

Value mlir::wax::castTo(OpBuilder &builder, Location loc, Type type,
                        Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

Value mlir::wax::createSlice(OpBuilder &builder, Location loc, Value tensor,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             ArrayRef<int64_t> strides) {
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return SliceOp::create(builder, loc, tensor, dynamicOffsets, dynamicSizes,
                         staticOffsets, staticSizes, strides);
}

ArrayAttr mlir::wax::getDimGroups(Builder &builder,
                                  ArrayRef<SmallVector<int64_t, 2>> groups) {
  return builder.getArrayAttr(
      llvm::map_to_vector(groups, [&](ArrayRef<int64_t> group) -> Attribute {
        return builder.getDenseI64ArrayAttr(group);
      }));
}

Value mlir::wax::createReshape(OpBuilder &builder, Location loc, Value tensor,
                               ArrayRef<int64_t> shape,
                               ArrayRef<SmallVector<int64_t, 2>> from,
                               ArrayRef<SmallVector<int64_t, 2>> to) {
  if (getTensor(tensor).getShape() == shape)
    return tensor;
  return ReshapeOp::create(builder, loc, getTensor(tensor).clone(shape), tensor,
                           ValueRange(), getDimGroups(builder, from),
                           getDimGroups(builder, to));
}

Value mlir::wax::createRank0(OpBuilder &builder, Location loc, Value scalar) {
  Type type = scalar.getType();
  if (type.isIndex()) {
    APInt number;
    type = builder.getI64Type();
    if (matchPattern(scalar, m_ConstantInt(&number)))
      return createCount(builder, loc,
                         builder.getIndexAttr(number.getSExtValue()));
    scalar = arith::IndexCastOp::create(builder, loc, type, scalar);
  }
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type), scalar);
}

Value mlir::wax::withoutCasts(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  return tensor;
}

Value mlir::wax::createScalar(OpBuilder &builder, Location loc, Value tensor,
                              Type type) {
  Value scalar = tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
  return isa<IndexType>(type)
             ? arith::IndexCastOp::create(builder, loc, type, scalar)
             : scalar;
}

Value mlir::wax::createCount(OpBuilder &builder, Location loc,
                             OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return createRank0(builder, loc, value);
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, *getConstantIntValue(size)));
}
