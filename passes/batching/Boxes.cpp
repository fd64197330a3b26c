//===- Boxes.cpp - Batches of slice and insert ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A box at the same place in each row is a box. One whose place differs is read
// by `gather`, and written by `scatter`, along the dims where it differs, at
// indices that are clamped as the box was.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Where a box starts along a dim: at a number, or in each row elsewhere.
struct Offset {
  OpFoldResult same;
  Value rows;
};

/// The offsets of an operation, of which the dynamic ones are operands from
/// `first` on.
SmallVector<Offset> getOffsets(OpBuilder &builder,
                               ArrayRef<int64_t> staticOffsets, unsigned first,
                               ArrayRef<Value> operands,
                               const llvm::SmallBitVector &batched) {
  SmallVector<Offset> offsets;
  for (int64_t offset : staticOffsets) {
    if (!ShapedType::isDynamic(offset)) {
      offsets.push_back({builder.getIndexAttr(offset), nullptr});
      continue;
    }
    if (batched[first])
      offsets.push_back({OpFoldResult(), operands[first]});
    else
      offsets.push_back({operands[first], nullptr});
    ++first;
  }
  return offsets;
}

/// The places of a box's elements along a dim: `[row, element]`, or
/// `[element]` where rows are alike.
Value createPlaces(OpBuilder &builder, Location loc, const Offset &offset,
                   OpFoldResult size, OpFoldResult whole, int64_t stride) {
  std::optional<int64_t> count = getConstantIntValue(size),
                         length = getConstantIntValue(whole);
  Type word = builder.getI64Type();
  // Indices are as narrow as the dim admits.
  Type narrow = length && *length <= std::numeric_limits<int32_t>::max()
                    ? builder.getI32Type()
                    : word;
  int64_t dim = offset.rows ? 1 : 0;
  SmallVector<Operand> operands;
  if (offset.rows)
    operands.push_back({offset.rows, {0}});
  else
    operands.push_back({createCount(builder, loc, offset.same), {}});
  SmallVector<Value> dynamic;
  if (auto value = dyn_cast<Value>(size))
    dynamic.push_back(value);
  auto along =
      RankedTensorType::get({count.value_or(ShapedType::kDynamic)}, word);
  operands.push_back({IotaOp::create(builder, loc, along, dynamic, 0), {dim}});
  operands.push_back({createCount(builder, loc, whole), {}});
  operands.push_back({createCount(builder, loc, size), {}});
  SmallVector<OpFoldResult> sizes;
  if (offset.rows)
    sizes.push_back(getSizes(builder, loc, offset.rows).front());
  sizes.push_back(size);
  return createBroadcast(
      builder, loc, operands, sizes,
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(body, loc,
                                           body.getI64IntegerAttr(value));
        };
        Value last;
        if (count && length) {
          int64_t span = *count ? (*count - 1) * stride + 1 : 0;
          last = number(*length - span);
        } else {
          // A size that is not known is not 0.
          Value before =
              count ? number(*count - 1)
                    : arith::SubIOp::create(body, loc, in[3], number(1))
                          .getResult();
          Value reach =
              arith::MulIOp::create(body, loc, before, number(stride));
          Value end = arith::SubIOp::create(body, loc, in[2], reach);
          last = arith::SubIOp::create(body, loc, end, number(1));
        }
        Value start = in[0];
        if (start.getType() != word)
          start = arith::ExtSIOp::create(body, loc, word, start);
        start = arith::MaxSIOp::create(body, loc, start, number(0));
        start = arith::MinSIOp::create(body, loc, start, last);
        Value place = start;
        if (count != 1) {
          Value step = arith::MulIOp::create(body, loc, in[1], number(stride));
          place = arith::AddIOp::create(body, loc, start, step);
        }
        if (narrow != word)
          place = arith::TruncIOp::create(body, loc, narrow, place);
        return place;
      });
}

bool isWhole(const Offset &offset, OpFoldResult size, OpFoldResult whole,
             int64_t stride) {
  if (offset.rows || !isEqualConstantIntOrValue(size, whole))
    return false;
  return getConstantIntValue(offset.same) == 0 && stride == 1;
}

struct BatchSlice : BatchableOpInterface::ExternalModel<BatchSlice, SliceOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto slice = cast<SliceOp>(op);
    Location loc = op->getLoc();
    unsigned sizePlace = 1 + slice.getOffsets().size();
    for (unsigned i : batched.set_bits())
      if (i >= sizePlace)
        return op->emitOpError("has a size that differs within the batch");
    SmallVector<Offset> offsets =
        getOffsets(builder, slice.getStaticOffsets(), 1, operands, batched);
    SmallVector<OpFoldResult> sizes;
    ArrayRef<Value> dynamic = operands.drop_front(sizePlace);
    for (int64_t size : slice.getStaticSizes()) {
      if (!ShapedType::isDynamic(size)) {
        sizes.push_back(builder.getIndexAttr(size));
        continue;
      }
      sizes.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    }

    // Where it is the same for all rows.
    Value operand = operands[0];
    SmallVector<OpFoldResult> wholes = getSizes(builder, loc, operand);
    SmallVector<OpFoldResult> starts, counts;
    SmallVector<int64_t> strides;
    if (batched[0]) {
      starts.push_back(builder.getIndexAttr(0));
      counts.push_back(wholes.front());
      strides.push_back(1);
      wholes.erase(wholes.begin());
    }
    bool isCut = false, differs = false;
    for (auto [offset, size, whole, stride] :
         llvm::zip(offsets, sizes, wholes, slice.getStrides())) {
      isCut |= !offset.rows && !isWhole(offset, size, whole, stride);
      differs |= bool(offset.rows);
      starts.push_back(offset.rows ? OpFoldResult(builder.getIndexAttr(0))
                                   : offset.same);
      counts.push_back(offset.rows ? whole : size);
      strides.push_back(offset.rows ? 1 : stride);
    }
    if (isCut)
      operand = createSlice(builder, loc, operand, starts, counts, strides);
    if (!differs)
      return SmallVector<Value>{operand};

    SmallVector<int64_t> dims;
    if (batched[0])
      dims.push_back(0);
    SmallVector<Value> indices;
    SmallVector<Attribute> indexDims;
    for (auto [i, offset] : llvm::enumerate(offsets)) {
      int64_t dim = i + 1;
      dims.push_back(offset.rows ? -1 : dim);
      if (!offset.rows)
        continue;
      indices.push_back(createPlaces(builder, loc, offset, sizes[i], wholes[i],
                                     slice.getStrides()[i]));
      indexDims.push_back(builder.getDenseI64ArrayAttr({0, dim}));
    }
    return SmallVector<Value>{GatherOp::create(
        builder, loc, operand, indices, dims, builder.getArrayAttr(indexDims))};
  }
};

struct BatchInsert
    : BatchableOpInterface::ExternalModel<BatchInsert, InsertOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto insert = cast<InsertOp>(op);
    Location loc = op->getLoc();
    SmallVector<Offset> offsets =
        getOffsets(builder, insert.getStaticOffsets(), 2, operands, batched);
    SmallVector<Value> all = repeatOthers(builder, loc, operands, batched);
    Value update = all[0], operand = all[1];
    if (llvm::none_of(offsets,
                      [](const Offset &one) { return bool(one.rows); })) {
      SmallVector<Value> dynamic;
      for (const Offset &offset : offsets)
        if (auto value = dyn_cast<Value>(offset.same))
          dynamic.push_back(value);
      return SmallVector<Value>{
          InsertOp::create(builder, loc, update, operand, dynamic,
                           prepend(0, insert.getStaticOffsets()),
                           prepend(1, insert.getStrides()))};
    }

    SmallVector<OpFoldResult> sizes = getSizes(builder, loc, update),
                              wholes = getSizes(builder, loc, operand);
    SmallVector<int64_t> dims{0};
    SmallVector<Value> indices;
    SmallVector<Attribute> indexDims;
    for (auto [i, offset] : llvm::enumerate(offsets)) {
      int64_t dim = i + 1, stride = insert.getStrides()[i];
      bool isStraight = isWhole(offset, sizes[dim], wholes[dim], stride);
      dims.push_back(isStraight ? dim : -1);
      if (isStraight)
        continue;
      indices.push_back(
          createPlaces(builder, loc, offset, sizes[dim], wholes[dim], stride));
      indexDims.push_back(builder.getDenseI64ArrayAttr(
          offset.rows ? SmallVector<int64_t>{0, dim}
                      : SmallVector<int64_t>{dim}));
    }
    Type element = getElementTypeOrSelf(update.getType());
    auto scatter =
        ScatterOp::create(builder, loc, operand.getType(), update, operand,
                          indices, dims, builder.getArrayAttr(indexDims));
    buildKernel(builder, loc, scatter.getFold(), {element, element},
                [](OpBuilder &, Location, ValueRange in) {
                  return SmallVector<Value>{in[0]};
                });
    return getResults(scatter);
  }
};

} // namespace

void mlir::wax::attachBoxBatching(MLIRContext *context) {
  SliceOp::attachInterface<BatchSlice>(*context);
  InsertOp::attachInterface<BatchInsert>(*context);
}
