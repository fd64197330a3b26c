//===- Padding.cpp - Values around and between elements -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// Puts `interior` values after each element along each dim, in a dim of
/// their own, and cuts off those after the last. Slices with strides, which
/// would say the same, are not accepted everywhere as destinations.
void dilate(OpBuilder &builder, Location loc, Value value,
            ArrayRef<int64_t> interior, Shaped &shaped) {
  Sizes s{builder, loc};
  int64_t rank = interior.size();

  SmallVector<OpFoldResult> splitSizes, wideSizes, mergedSizes, cutSizes;
  SmallVector<ReassociationIndices> groups(rank);
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t step = interior[dim] + 1;
    OpFoldResult size = shaped.sizes[dim];
    splitSizes.push_back(size);
    wideSizes.push_back(size);
    groups[dim].push_back(next++);
    mergedSizes.push_back(s.multiply(size, step));
    cutSizes.push_back(s.dilate(size, interior[dim]));
    if (step == 1)
      continue;
    splitSizes.push_back(builder.getIndexAttr(1));
    wideSizes.push_back(builder.getIndexAttr(step));
    groups[dim].push_back(next++);
  }

  Type element = shaped.getType().getElementType();
  auto typeOf = [&](ArrayRef<OpFoldResult> sizes) {
    return getTensorType(sizes, element);
  };
  Value source = castTo(builder, loc, typeOf(shaped.sizes), shaped.value);
  Value split = tensor::ExpandShapeOp::create(builder, loc, typeOf(splitSizes),
                                              source, groups, splitSizes);
  Value wide = createFilled(builder, loc, typeOf(wideSizes), wideSizes, value);
  SmallVector<OpFoldResult> zeros(next, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(next, builder.getIndexAttr(1));
  Value filled = tensor::InsertSliceOp::create(builder, loc, split, wide, zeros,
                                               splitSizes, ones);
  Value merged = tensor::CollapseShapeOp::create(
      builder, loc, typeOf(mergedSizes), filled, groups);
  zeros.resize(rank);
  ones.resize(rank);
  shaped.value = tensor::ExtractSliceOp::create(builder, loc, merged, zeros,
                                                cutSizes, ones);
  shaped.sizes = cutSizes;
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
    shaped.value = tensor::InsertSliceOp::create(
        builder, loc, shaped.value, filled, before, shaped.sizes, ones);
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
  // Nothing but padding.
  if (isKnownEmpty(operandSizes) || isAllPadding(padding, sizes)) {
    RankedTensorType type =
        getTensorType(sizes, shaped.getType().getElementType());
    return createFilled(builder, loc, type, sizes, value);
  }
  auto isNonzero = [](int64_t amount) { return amount != 0; };
  auto isNegative = [](int64_t amount) { return amount < 0; };
  auto positive = [](ArrayRef<int64_t> amounts) {
    return llvm::map_to_vector(
        amounts, [](int64_t amount) { return std::max<int64_t>(amount, 0); });
  };
  // Nothing lies between the elements where there is one.
  SmallVector<int64_t> interior(padding.interior);
  for (auto [amount, size] : llvm::zip_equal(interior, operandSizes))
    if (isConstantIntValue(size, 1))
      amount = 0;
  if (llvm::any_of(interior, isNonzero))
    dilate(builder, loc, value, interior, shaped);
  SmallVector<int64_t> low = positive(padding.low);
  SmallVector<int64_t> high = positive(padding.high);
  if (llvm::any_of(low, isNonzero) || llvm::any_of(high, isNonzero))
    surround(builder, loc, value, low, high, shaped);
  if (llvm::any_of(padding.low, isNegative) ||
      llvm::any_of(padding.high, isNegative))
    crop(builder, loc, padding.low, sizes, shaped);
  return shaped.value;
}
