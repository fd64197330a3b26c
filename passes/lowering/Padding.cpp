//===- Padding.cpp - Values around and between elements -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Index arithmetic on sizes that folds what is static.
struct Sizes {
  OpBuilder &builder;
  Location loc;

  Value value(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }
  OpFoldResult add(OpFoldResult lhs, int64_t rhs) {
    if (std::optional<int64_t> constant = getConstantIntValue(lhs))
      return builder.getIndexAttr(*constant + rhs);
    if (rhs == 0)
      return lhs;
    Value amount = arith::ConstantIndexOp::create(builder, loc, rhs);
    return arith::AddIOp::create(builder, loc, value(lhs), amount).getResult();
  }
  OpFoldResult multiply(OpFoldResult lhs, int64_t rhs) {
    return wax::multiply(builder, loc, {lhs, builder.getIndexAttr(rhs)});
  }
  OpFoldResult dilate(OpFoldResult size, int64_t interior) {
    return interior == 0
               ? size
               : atLeastZero(add(multiply(size, interior + 1), -interior));
  }
  OpFoldResult atLeastZero(OpFoldResult size) {
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return builder.getIndexAttr(std::max<int64_t>(*constant, 0));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return arith::MaxSIOp::create(builder, loc, value(size), zero).getResult();
  }
};

/// A tensor and its sizes, on its way through the steps of a pad.
struct Shaped {
  Value value;
  SmallVector<OpFoldResult> sizes;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(value.getType());
  }
};

/// Puts `interior` values between elements along each dim, and takes `low` and
/// `high` of the dims' ends off. Not by slices with strides, which are not
/// accepted everywhere as destinations; and nothing larger than the result is
/// made on the way, which between few elements far apart could be very large.
void dilate(OpBuilder &builder, Location loc, Value value,
            ArrayRef<int64_t> interior, ArrayRef<int64_t> low,
            ArrayRef<int64_t> high, Shaped &shaped) {
  Sizes s{builder, loc};
  int64_t rank = interior.size();
  SmallVector<OpFoldResult> sizes;
  for (auto [size, between, l, h] :
       llvm::zip_equal(shaped.sizes, interior, low, high))
    sizes.push_back(s.add(s.dilate(size, between), -(l + h)));

  Type element = shaped.getType().getElementType();
  Value source = shaped.value, scalar;
  if (Attribute constant = getConstantElement(value);
      constant && !isa<ComplexType>(element))
    scalar = createScalar(builder, loc, element, constant);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  if (!scalar) {
    inputs.push_back(value);
    maps.push_back(AffineMap::get(rank, 0, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), inputs, empty, maps, loops,
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        auto constant = [&](int64_t number) -> Value {
          return arith::ConstantIndexOp::create(body, loc, number);
        };
        SmallVector<Value> position;
        Value isThere;
        for (int64_t dim = 0; dim < rank; ++dim) {
          Value place = linalg::IndexOp::create(body, loc, dim);
          if (low[dim] != 0)
            place = arith::AddIOp::create(body, loc, place, constant(low[dim]));
          if (interior[dim] != 0) {
            Value step = constant(interior[dim] + 1);
            Value rest = arith::RemUIOp::create(body, loc, place, step);
            Value isElement = arith::CmpIOp::create(
                body, loc, arith::CmpIPredicate::eq, rest, constant(0));
            isThere = isThere
                          ? arith::AndIOp::create(body, loc, isThere, isElement)
                          : isElement;
            place = arith::DivUIOp::create(body, loc, place, step);
          }
          position.push_back(place);
        }
        Value read = extractElement(body, loc, source, position);
        Value chosen = arith::SelectOp::create(
            body, loc, isThere, read, scalar ? scalar : scalars.front());
        linalg::YieldOp::create(body, loc, chosen);
      });
  shaped.value = generic.getResult(0);
  shaped.sizes = sizes;
}

void surround(OpBuilder &builder, Location loc, Value value,
              ArrayRef<int64_t> low, ArrayRef<int64_t> high, Shaped &shaped) {
  Sizes s{builder, loc};
  SmallVector<OpFoldResult> sizes, before, after;
  for (auto [size, l, h] : llvm::zip_equal(shaped.sizes, low, high)) {
    sizes.push_back(s.add(size, l + h));
    before.push_back(builder.getIndexAttr(l));
    after.push_back(builder.getIndexAttr(h));
  }
  Type element = shaped.getType().getElementType();
  RankedTensorType type = getTensorType(sizes, element);
  // IREE 3.13 crashes on boxes of complex constants.
  Attribute constant = getConstantElement(value);
  if (constant && !isa<ComplexType>(element)) {
    Value scalar = createScalar(builder, loc, element, constant);
    shaped.value = tensor::PadOp::create(builder, loc, type, shaped.value,
                                         before, after, scalar);
  } else {
    Value filled = createFilled(builder, loc, type, sizes, value);
    SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
    // Sizes that are known have to show in the operand's type.
    Value operand = castTo(builder, loc, getTensorType(shaped.sizes, element),
                           shaped.value);
    shaped.value = tensor::InsertSliceOp::create(builder, loc, operand, filled,
                                                 before, shaped.sizes, ones);
  }
  shaped.sizes = sizes;
}

void crop(OpBuilder &builder, Location loc, ArrayRef<int64_t> lows,
          ArrayRef<OpFoldResult> sizes, Shaped &shaped) {
  SmallVector<OpFoldResult> offsets;
  for (int64_t low : lows)
    offsets.push_back(builder.getIndexAttr(std::max<int64_t>(-low, 0)));
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  shaped.value = tensor::ExtractSliceOp::create(builder, loc, shaped.value,
                                                offsets, sizes, ones);
  shaped.sizes.assign(sizes.begin(), sizes.end());
}

} // namespace

SmallVector<OpFoldResult>
mlir::wax::getPaddedSizes(OpBuilder &builder, Location loc,
                          ArrayRef<OpFoldResult> sizes, Padding padding) {
  Sizes s{builder, loc};
  SmallVector<OpFoldResult> padded;
  for (auto [size, low, high, interior] :
       llvm::zip_equal(sizes, padding.low, padding.high, padding.interior))
    padded.push_back(s.add(s.dilate(size, interior), low + high));
  return padded;
}

/// Whether the result's sizes say that the operand has no elements.
static bool isAllPadding(const Padding &padding, ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(llvm::zip_equal(sizes, padding.low, padding.high),
                      [](auto dim) {
                        auto [size, low, high] = dim;
                        return isConstantIntValue(size, low + high);
                      });
}

Value mlir::wax::createPadded(OpBuilder &builder, Location loc, Value operand,
                              ArrayRef<OpFoldResult> operandSizes, Value value,
                              Padding padding, ArrayRef<OpFoldResult> sizes) {
  Shaped shaped{operand, SmallVector<OpFoldResult>(operandSizes)};
  // Nothing but padding, or nothing: upstream lets no slice begin at the end.
  if (isKnownEmpty(operandSizes) || isKnownEmpty(sizes) ||
      isAllPadding(padding, sizes)) {
    RankedTensorType type =
        getTensorType(sizes, shaped.getType().getElementType());
    return createFilled(builder, loc, type, sizes, value);
  }
  auto isNonzero = [](int64_t amount) { return amount != 0; };
  SmallVector<int64_t> interior(padding.interior), low(padding.low),
      high(padding.high);
  // Nothing lies between the elements where there is one.
  for (auto [amount, size] : llvm::zip_equal(interior, operandSizes))
    if (isConstantIntValue(size, 1))
      amount = 0;
  if (llvm::any_of(interior, isNonzero)) {
    // A dim that only loses something does so at once.
    SmallVector<int64_t> lowCut(low.size()), highCut(low.size());
    for (auto [l, h, lowOff, highOff] :
         llvm::zip_equal(low, high, lowCut, highCut))
      if (l <= 0 && h <= 0) {
        lowOff = -std::exchange(l, 0);
        highOff = -std::exchange(h, 0);
      }
    dilate(builder, loc, value, interior, lowCut, highCut, shaped);
  }
  auto positive = [](ArrayRef<int64_t> amounts) {
    return llvm::map_to_vector(
        amounts, [](int64_t amount) { return std::max<int64_t>(amount, 0); });
  };
  if (llvm::any_of(positive(low), isNonzero) ||
      llvm::any_of(positive(high), isNonzero))
    surround(builder, loc, value, positive(low), positive(high), shaped);
  auto isNegative = [](int64_t amount) { return amount < 0; };
  if (llvm::any_of(low, isNegative) || llvm::any_of(high, isNegative))
    crop(builder, loc, low, sizes, shaped);
  return shaped.value;
}
