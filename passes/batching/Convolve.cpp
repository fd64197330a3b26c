//===- Convolve.cpp - Batches of convolve ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution has dims that the batch is merged with. Of `lhs` alone it is
// more of the batch, of `rhs` alone more outs; of both, more groups. What is in
// groups already keeps the groups outside.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

/// A size without a factor that it has.
static OpFoldResult divide(OpBuilder &builder, Location loc, OpFoldResult size,
                           OpFoldResult factor) {
  std::optional<int64_t> a = getConstantIntValue(size);
  std::optional<int64_t> b = getConstantIntValue(factor);
  if (b == 1)
    return size;
  if (a && b && *b != 0)
    return builder.getIndexAttr(*a / *b);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value divisor = arith::MaxSIOp::create(
      builder, loc, getValueOrCreateConstantIndexOp(builder, loc, factor), one);
  return arith::DivSIOp::create(
             builder, loc, getValueOrCreateConstantIndexOp(builder, loc, size),
             divisor)
      .getResult();
}

/// A reshape between sizes, of which the dims in `dims` are one on the other
/// side: split on the way there, merged on the way back.
static Value createSplit(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, ArrayRef<OpFoldResult> parts) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Attribute> source, result;
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    source.push_back(builder.getDenseI64ArrayAttr({i}));
    SmallVector<int64_t> group;
    if (i != dim) {
      group.push_back(shape.size());
      shape.push_back(type.getDimSize(i));
    } else {
      for (OpFoldResult part : parts) {
        group.push_back(shape.size());
        shape.push_back(
            getConstantIntValue(part).value_or(ShapedType::kDynamic));
        if (ShapedType::isDynamic(shape.back()))
          sizes.push_back(cast<Value>(part));
      }
    }
    result.push_back(builder.getDenseI64ArrayAttr(group));
  }
  return ReshapeOp::create(builder, loc, type.clone(shape), value, sizes,
                           builder.getArrayAttr(source),
                           builder.getArrayAttr(result));
}

static Value createMerge(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, unsigned count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Attribute> source, result;
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank();) {
    SmallVector<int64_t> group{i};
    int64_t size = type.getDimSize(i++);
    if (group.front() == dim)
      for (unsigned more = 1; more < count; ++more, ++i) {
        group.push_back(i);
        int64_t factor = type.getDimSize(i);
        bool isKnown =
            !ShapedType::isDynamic(size) && !ShapedType::isDynamic(factor);
        bool isEmpty = size == 0 || factor == 0;
        size = isEmpty ? 0 : isKnown ? size * factor : ShapedType::kDynamic;
      }
    source.push_back(builder.getDenseI64ArrayAttr(group));
    result.push_back(
        builder.getDenseI64ArrayAttr({static_cast<int64_t>(shape.size())}));
    shape.push_back(size);
  }
  return ReshapeOp::create(builder, loc, type.clone(shape), value, ValueRange(),
                           builder.getArrayAttr(source),
                           builder.getArrayAttr(result));
}

/// A dim moved to another place; the others keep their order.
static Value createMove(OpBuilder &builder, Location loc, Value value,
                        int64_t from, int64_t to) {
  if (from == to)
    return value;
  SmallVector<int64_t> dims = getAllDims(value);
  dims.erase(dims.begin() + from);
  dims.insert(dims.begin() + to, from);
  return PermuteOp::create(builder, loc, value, dims);
}

/// A batched operand, of which the batch becomes part of the row's dim `dim`:
/// inside of `groups`, which that dim has outside.
static Value absorb(OpBuilder &builder, Location loc, Value rows, int64_t dim,
                    int64_t groups) {
  if (groups != 1) {
    OpFoldResult size = getSizes(builder, loc, rows)[dim + 1];
    OpFoldResult count = builder.getIndexAttr(groups);
    rows = createSplit(builder, loc, rows, dim + 1,
                       {count, divide(builder, loc, size, count)});
    return createMerge(builder, loc, createMove(builder, loc, rows, 0, dim + 1),
                       dim, 3);
  }
  return createMerge(builder, loc, createMove(builder, loc, rows, 0, dim), dim,
                     2);
}

/// The way back, of a result whose row has `rest` there.
static Value release(OpBuilder &builder, Location loc, Value merged,
                     int64_t dim, int64_t groups, OpFoldResult batch,
                     OpFoldResult rest) {
  if (groups == 1)
    return createMove(builder, loc,
                      createSplit(builder, loc, merged, dim, {batch, rest}),
                      dim, 0);
  OpFoldResult count = builder.getIndexAttr(groups);
  Value split = createSplit(builder, loc, merged, dim,
                            {count, batch, divide(builder, loc, rest, count)});
  return createMerge(builder, loc, createMove(builder, loc, split, dim + 1, 0),
                     dim + 1, 2);
}

namespace {

struct BatchConvolve
    : BatchableOpInterface::ExternalModel<BatchConvolve, ConvolveOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto convolve = cast<ConvolveOp>(op);
    Location loc = op->getLoc();
    OpFoldResult size = getBatchSize(builder, loc, operands, batched);
    int64_t featureGroups = convolve.getFeatureGroups(),
            batchGroups = convolve.getBatchGroups();
    int64_t lhsBatch = convolve.getLhsDims()[ConvolveOp::kBatch],
            lhsFeature = convolve.getLhsDims()[ConvolveOp::kFeature],
            rhsOut = convolve.getRhsDims()[ConvolveOp::kOut],
            batchDim = convolve.getResultDims()[ConvolveOp::kBatch],
            out = convolve.getResultDims()[ConvolveOp::kFeature];
    Value lhs = operands[0], rhs = operands[1];
    auto create = [&]() -> Value {
      return ConvolveOp::create(builder, loc, lhs, rhs, convolve.getLhsDims(),
                                convolve.getRhsDims(), convolve.getResultDims(),
                                convolve.getStrides(), convolve.getLow(),
                                convolve.getHigh(), convolve.getLhsDilations(),
                                convolve.getRhsDilations(), featureGroups,
                                batchGroups, convolve.getElement());
    };
    if (!batched[1]) {
      OpFoldResult own =
          divide(builder, loc, getSizes(builder, loc, lhs)[lhsBatch + 1],
                 builder.getIndexAttr(batchGroups));
      lhs = absorb(builder, loc, lhs, lhsBatch, batchGroups);
      return SmallVector<Value>{release(builder, loc, create(), batchDim,
                                        /*groups=*/1, size, own)};
    }
    OpFoldResult outs = getSizes(builder, loc, rhs)[rhsOut + 1];
    if (!batched[0]) {
      int64_t groups = featureGroups * batchGroups;
      rhs = absorb(builder, loc, rhs, rhsOut, groups);
      return SmallVector<Value>{
          release(builder, loc, create(), out, groups, size, outs)};
    }
    std::optional<int64_t> count = getConstantIntValue(size);
    if (!count)
      return op->emitOpError(
          "is batched in both operands where the size of the batch is static");
    if (*count == 0) { // no groups would be left: the result of any row
      for (Value *operand : {&lhs, &rhs}) {
        SmallVector<OpFoldResult> sizes = getSizes(builder, loc, *operand);
        *operand = createFilled(
            builder, loc,
            createScalarTensor(builder, loc, getElementTypeOrSelf(*operand), 0),
            ArrayRef(sizes).drop_front());
      }
      return SmallVector<Value>{createRepeated(builder, loc, create(), size)};
    }
    bool hasBatchGroups = batchGroups != 1;
    lhs = absorb(builder, loc, lhs, hasBatchGroups ? lhsBatch : lhsFeature, 1);
    rhs = absorb(builder, loc, rhs, rhsOut, 1);
    (hasBatchGroups ? batchGroups : featureGroups) *= *count;
    return SmallVector<Value>{
        release(builder, loc, create(), out, /*groups=*/1, size, outs)};
  }
};

} // namespace

void mlir::wax::attachConvolveBatching(MLIRContext *context) {
  ConvolveOp::attachInterface<BatchConvolve>(*context);
}
