//===- Assembly.cpp - pad and concat ------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

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
    if (std::optional<int64_t> constant = getConstantIntValue(lhs))
      return builder.getIndexAttr(*constant * rhs);
    Value factor = arith::ConstantIndexOp::create(builder, loc, rhs);
    return arith::MulIOp::create(builder, loc, value(lhs), factor).getResult();
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

struct LowerPad : LowerableOpInterface::ExternalModel<LowerPad, PadOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto pad = cast<PadOp>(op);
    Location loc = op->getLoc();
    Shaped shaped{pad.getOperand(),
                  context.getSizes(rewriter, loc, pad.getOperand())};
    Value result = pad.getResult();
    SmallVector<OpFoldResult> sizes = context.getSizes(rewriter, loc, result);
    // Nothing but padding.
    if (isKnownEmpty(shaped.sizes) || isAllPadding(pad))
      return SmallVector<Value>{castTo(
          rewriter, loc, result.getType(),
          createFilled(rewriter, loc, cast<RankedTensorType>(result.getType()),
                       sizes, pad.getValue()))};
    if (llvm::any_of(pad.getInterior(), [](int64_t n) { return n != 0; }))
      dilate(pad, rewriter, shaped);

    auto positive = [](ArrayRef<int64_t> amounts) {
      return llvm::map_to_vector(
          amounts, [](int64_t amount) { return std::max<int64_t>(amount, 0); });
    };
    SmallVector<int64_t> low = positive(pad.getLow());
    SmallVector<int64_t> high = positive(pad.getHigh());
    auto isNonzero = [](int64_t amount) { return amount != 0; };
    if (llvm::any_of(low, isNonzero) || llvm::any_of(high, isNonzero))
      surround(pad, low, high, rewriter, shaped);

    auto isNegative = [](int64_t amount) { return amount < 0; };
    if (llvm::any_of(pad.getLow(), isNegative) ||
        llvm::any_of(pad.getHigh(), isNegative))
      crop(pad, rewriter, shaped, sizes);
    return SmallVector<Value>{
        castTo(rewriter, loc, result.getType(), shaped.value)};
  }

  /// Whether the result's sizes say that the operand has no elements.
  static bool isAllPadding(PadOp pad) {
    return llvm::any_of(llvm::zip_equal(pad.getType().getShape(), pad.getLow(),
                                        pad.getHigh()),
                        [](auto dim) {
                          auto [size, low, high] = dim;
                          return !ShapedType::isDynamic(size) &&
                                 size == low + high;
                        });
  }

  /// Puts `interior` values after each element along each dim, in a dim of
  /// their own, and cuts off those after the last. Slices with strides, which
  /// would say the same, are not accepted everywhere as destinations.
  void dilate(PadOp pad, RewriterBase &rewriter, Shaped &shaped) const {
    Location loc = pad.getLoc();
    Sizes s{rewriter, loc};
    ArrayRef<int64_t> interior = pad.getInterior();
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
      cutSizes.push_back(
          s.atLeastZero(s.add(mergedSizes.back(), -interior[dim])));
      if (step == 1)
        continue;
      splitSizes.push_back(rewriter.getIndexAttr(1));
      wideSizes.push_back(rewriter.getIndexAttr(step));
      groups[dim].push_back(next++);
    }

    Type element = shaped.getType().getElementType();
    auto typeOf = [&](ArrayRef<OpFoldResult> sizes) {
      return RankedTensorType::get(
          decomposeMixedValues(SmallVector<OpFoldResult>(sizes)).first,
          element);
    };
    Value source = castTo(rewriter, loc, typeOf(shaped.sizes), shaped.value);
    Value split = tensor::ExpandShapeOp::create(
        rewriter, loc, typeOf(splitSizes), source, groups, splitSizes);
    Value wide = createFilled(rewriter, loc, typeOf(wideSizes), wideSizes,
                              pad.getValue());
    SmallVector<OpFoldResult> zeros(next, rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(next, rewriter.getIndexAttr(1));
    Value filled = tensor::InsertSliceOp::create(rewriter, loc, split, wide,
                                                 zeros, splitSizes, ones);
    Value merged = tensor::CollapseShapeOp::create(
        rewriter, loc, typeOf(mergedSizes), filled, groups);
    zeros.resize(rank);
    ones.resize(rank);
    shaped.value = tensor::ExtractSliceOp::create(rewriter, loc, merged, zeros,
                                                  cutSizes, ones);
    shaped.sizes = cutSizes;
  }

  void surround(PadOp pad, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                RewriterBase &rewriter, Shaped &shaped) const {
    Location loc = pad.getLoc();
    Sizes s{rewriter, loc};
    SmallVector<OpFoldResult> sizes, before, after;
    for (auto [size, l, h] : llvm::zip_equal(shaped.sizes, low, high)) {
      sizes.push_back(s.add(size, l + h));
      before.push_back(rewriter.getIndexAttr(l));
      after.push_back(rewriter.getIndexAttr(h));
    }
    Type element = shaped.getType().getElementType();
    auto type =
        RankedTensorType::get(decomposeMixedValues(sizes).first, element);
    // IREE 3.13 crashes where tensor.pad has a constant that is complex.
    Attribute constant = isa<ComplexType>(element)
                             ? Attribute()
                             : getConstantElement(pad.getValue());
    if (constant) {
      Value scalar = createScalar(rewriter, loc, element, constant);
      shaped.value = tensor::PadOp::create(rewriter, loc, type, shaped.value,
                                           before, after, scalar);
    } else {
      Value filled = createFilled(rewriter, loc, type, sizes, pad.getValue());
      SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
      shaped.value = tensor::InsertSliceOp::create(
          rewriter, loc, shaped.value, filled, before, shaped.sizes, ones);
    }
    shaped.sizes = sizes;
  }

  void crop(PadOp pad, RewriterBase &rewriter, Shaped &shaped,
            ArrayRef<OpFoldResult> sizes) const {
    Location loc = pad.getLoc();
    SmallVector<OpFoldResult> offsets;
    for (int64_t low : pad.getLow())
      offsets.push_back(rewriter.getIndexAttr(std::max<int64_t>(-low, 0)));
    SmallVector<OpFoldResult> ones(offsets.size(), rewriter.getIndexAttr(1));
    shaped.value = tensor::ExtractSliceOp::create(rewriter, loc, shaped.value,
                                                  offsets, sizes, ones);
    shaped.sizes.assign(sizes.begin(), sizes.end());
  }
};

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

struct LowerConcat
    : LowerableOpInterface::ExternalModel<LowerConcat, ConcatOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto concat = cast<ConcatOp>(op);
    auto resultType = cast<RankedTensorType>(concat.getResult().getType());
    int64_t dim = concat.getDim();
    // Upstream wants the other dims of all operands alike.
    SmallVector<Value> inputs;
    for (Value input : concat.getInputs()) {
      if (isKnownEmpty(context.getSizes(rewriter, op->getLoc(), input)))
        continue;
      SmallVector<int64_t> shape(resultType.getShape());
      shape[dim] = cast<RankedTensorType>(input.getType()).getDimSize(dim);
      auto type = RankedTensorType::get(shape, resultType.getElementType());
      inputs.push_back(castTo(rewriter, op->getLoc(), type, input));
    }
    Value joined =
        tensor::ConcatOp::create(rewriter, op->getLoc(), dim, inputs);
    return SmallVector<Value>{
        castTo(rewriter, op->getLoc(), resultType, joined)};
  }
};

} // namespace

void mlir::wax::attachAssemblyLowerings(MLIRContext *context) {
  PadOp::attachInterface<LowerPad>(*context);
  ConcatOp::attachInterface<LowerConcat>(*context);
}
