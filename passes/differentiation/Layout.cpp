//===- Layout.cpp - Derivatives of permute, reshape, reverse, slice, pad --===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "ScalarRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Layout operations are linear: they move tangents as they move elements.
template <typename Model, typename OpTy>
struct Moving : DifferentiableOpInterface::ExternalModel<Model, OpTy> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    SmallVector<Value> results(op->getNumOperands());
    results[0] = Model::transpose(cast<OpTy>(op), builder, cotangents.front());
    return results;
  }
};

struct DifferentiatePermute : Moving<DifferentiatePermute, PermuteOp> {
  static Value transpose(PermuteOp op, OpBuilder &builder, Value cotangent) {
    return PermuteOp::create(builder, op.getLoc(), cotangent,
                             invertPermutationVector(op.getPermutation()));
  }
};

struct DifferentiateReshape : Moving<DifferentiateReshape, ReshapeOp> {
  static Value transpose(ReshapeOp op, OpBuilder &builder, Value cotangent) {
    // Sizes that do not follow from the cotangent's are asked of the operand.
    SmallVector<OpFoldResult> sizes =
        getSizes(builder, op.getLoc(), op.getOperand());
    auto type = cast<RankedTensorType>(cotangent.getType());
    SmallVector<Value> dynamic;
    for (auto [source, result] :
         llvm::zip(op.getSourceGroups(), op.getResultGroups())) {
      auto to = cast<DenseI64ArrayAttr>(source).asArrayRef();
      auto from = cast<DenseI64ArrayAttr>(result).asArrayRef();
      bool follows = to.size() == 1 && llvm::any_of(from, [&](int64_t dim) {
                       return type.isDynamicDim(dim);
                     });
      if (follows)
        continue;
      for (int64_t dim : to)
        if (auto size = dyn_cast<Value>(sizes[dim]))
          dynamic.push_back(size);
    }
    return ReshapeOp::create(builder, op.getLoc(), op.getOperand().getType(),
                             cotangent, dynamic, op.getResultGroups(),
                             op.getSourceGroups());
  }
};

struct DifferentiateReverse : Moving<DifferentiateReverse, ReverseOp> {
  static Value transpose(ReverseOp op, OpBuilder &builder, Value cotangent) {
    return ReverseOp::create(builder, op.getLoc(), cotangent, op.getDims());
  }
};

struct DifferentiateSlice : Moving<DifferentiateSlice, SliceOp> {
  /// Zeros around and between what was taken.
  static Value transpose(SliceOp op, OpBuilder &builder, Value cotangent) {
    Location loc = op.getLoc();
    if (Value padded = pad(op, builder, cotangent))
      return padded;
    Value zeros = createZerosLike(builder, loc, op.getOperand());
    return InsertOp::create(builder, loc, cotangent, zeros, op.getOffsets(),
                            op.getStaticOffsets(), op.getStrides());
  }

  /// Null where a box of static place is not known, or too large a number.
  static Value pad(SliceOp op, OpBuilder &builder, Value cotangent) {
    auto operand = cast<RankedTensorType>(op.getOperand().getType());
    SmallVector<int64_t> low, high, interior;
    for (int64_t dim = 0; dim < operand.getRank(); ++dim) {
      int64_t offset = op.getStaticOffsets()[dim];
      int64_t size = op.getStaticSizes()[dim];
      int64_t stride = op.getStrides()[dim], whole = operand.getDimSize(dim);
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
          ShapedType::isDynamic(whole))
        return nullptr;
      int64_t span = size ? (size - 1) * stride + 1 : 0;
      low.push_back(offset);
      high.push_back(whole - offset - span);
      interior.push_back(stride - 1);
      if (low.back() > kGreatestAmount || high.back() > kGreatestAmount)
        return nullptr;
    }
    Value zero =
        createScalarTensor(builder, op.getLoc(), operand.getElementType(), 0);
    return PadOp::create(builder, op.getLoc(), cotangent, zero, low, high,
                         interior);
  }
};

struct DifferentiatePad
    : DifferentiableOpInterface::ExternalModel<DifferentiatePad, PadOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 2, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto pad = cast<PadOp>(op);
    SmallVector<Value> results(2);
    if (wanted[0])
      results[0] = takeOperand(pad, builder, cotangents[0]);
    if (wanted[1])
      results[1] = sumOfPadding(pad, builder, cotangents[0]);
    return results;
  }

  /// Along a dim with something between its elements, those are taken of it
  /// that were not cropped. Then what is around is cropped, and what was
  /// cropped is 0: nothing has more elements than the operand or the result.
  static Value takeOperand(PadOp op, OpBuilder &builder, Value cotangent) {
    Location loc = op.getLoc();
    Value operand = op.getOperand();
    size_t rank = op.getLow().size();
    SmallVector<OpFoldResult> own = getSizes(builder, loc, operand),
                              sizes = getSizes(builder, loc, cotangent);
    SmallVector<int64_t> strides(rank, 1), low(rank), high(rank), none(rank, 0),
        ones(rank, 1);
    SmallVector<OpFoldResult> starts(rank, builder.getIndexAttr(0));
    const SmallVector<OpFoldResult> zeros = starts;
    bool open = false;
    for (size_t dim : llvm::seq(rank)) {
      int64_t first = -op.getLow()[dim], last = -op.getHigh()[dim];
      int64_t stride = op.getInterior()[dim] + 1;
      low[dim] = first;
      high[dim] = last;
      if (stride == 1)
        continue;
      low[dim] = std::max<int64_t>(llvm::divideCeilSigned(first, stride), 0);
      high[dim] = std::max<int64_t>(llvm::divideCeilSigned(last, stride), 0);
      int64_t start = low[dim] * stride - first, cropped = low[dim] + high[dim];
      strides[dim] = stride;
      starts[dim] = builder.getIndexAttr(start);
      if (std::optional<int64_t> known = getConstantIntValue(own[dim])) {
        if (*known <= cropped)
          return createZerosLike(builder, loc, operand);
        sizes[dim] = builder.getIndexAttr(*known - cropped);
      } else if (cropped == 0) {
        sizes[dim] = own[dim];
      } else {
        sizes[dim] = subtract(builder, loc, cast<Value>(own[dim]), cropped);
        // All may have been cropped, and a static one would be out of range.
        starts[dim] =
            arith::ConstantIndexOp::create(builder, loc, start).getResult();
        open = true;
      }
    }
    Value taken = cotangent;
    if (strides != ones)
      taken = createSlice(builder, loc, taken, starts, sizes, strides);
    if (low != none || high != none) {
      Type element = getElementTypeOrSelf(cotangent.getType());
      taken = PadOp::create(builder, loc, taken,
                            createScalarTensor(builder, loc, element, 0), low,
                            high, none);
    }
    // Then there are more zeros than elements.
    return open ? createSlice(builder, loc, taken, zeros, own, ones) : taken;
  }

  /// `size - amount`, or nothing.
  static OpFoldResult subtract(OpBuilder &builder, Location loc, Value size,
                               int64_t amount) {
    Value less = arith::ConstantIndexOp::create(builder, loc, amount);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value rest = arith::SubIOp::create(builder, loc, size, less);
    return arith::MaxSIOp::create(builder, loc, rest, zero).getResult();
  }

  /// The sum of the cotangent where the padding value is.
  static Value sumOfPadding(PadOp op, OpBuilder &builder, Value cotangent) {
    Location loc = op.getLoc();
    Type bit = builder.getI1Type();
    Value inside = createZeros(builder, loc, op.getOperand(), bit);
    Value mask = PadOp::create(builder, loc, inside,
                               createScalarTensor(builder, loc, bit, 1),
                               op.getLow(), op.getHigh(), op.getInterior());
    auto type = cast<RankedTensorType>(cotangent.getType());
    Type element = type.getElementType();
    Value masked = createPointwise(
        builder, loc, {mask, cotangent},
        [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
          Type sum = getSumType(element);
          Value wide =
              sum == element ? in[1] : scalar::convert(body, loc, in[1], sum);
          return arith::SelectOp::create(body, loc, in[0], wide,
                                         scalar::constant(body, loc, sum, 0));
        });
    return createConverted(
        builder, loc, createSum(builder, loc, masked, getAllDims(cotangent)),
        element);
  }
};

} // namespace

void mlir::wax::attachLayoutDerivatives(MLIRContext *context) {
  PermuteOp::attachInterface<DifferentiatePermute>(*context);
  ReshapeOp::attachInterface<DifferentiateReshape>(*context);
  ReverseOp::attachInterface<DifferentiateReverse>(*context);
  SliceOp::attachInterface<DifferentiateSlice>(*context);
  PadOp::attachInterface<DifferentiatePad>(*context);
}
