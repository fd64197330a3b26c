//===- Collectives.cpp - What rows of a batch share -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over the batch's own axis they are what has the batch, or sums of it, and the
// same for all rows. Over another axis they stay, for who batches that.
//
//===----------------------------------------------------------------------===//

#include "../differentiation/ScalarRules.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

Value mlir::wax::sumRows(OpBuilder &builder, Location loc, Value rows) {
  Type element = getElementTypeOrSelf(rows.getType());
  Value sum =
      createSum(builder, loc,
                createConverted(builder, loc, rows, getSumType(element)), {0});
  return createConverted(builder, loc, sum, element);
}

/// As many times a value as there are rows.
static Value multiplyByRows(OpBuilder &builder, Location loc, Value value,
                            int64_t count) {
  return createPointwise(
      builder, loc, value,
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Type element = in[0].getType(), wide = getSumType(element);
        if (isa<IntegerType>(element)) {
          Value factor = arith::ConstantOp::create(
              body, loc,
              IntegerAttr::get(
                  element, APInt(element.getIntOrFloatBitWidth(), count,
                                 /*isSigned=*/false, /*implicitTrunc=*/true)));
          return arith::MulIOp::create(body, loc, in[0], factor);
        }
        Value term = in[0];
        if (wide != element)
          term = scalar::convert(body, loc, term, wide);
        Value factor = scalar::constant(body, loc, wide, count);
        Value product = scalar::mul(body, loc, term, factor);
        return wide == element ? product
                               : scalar::convert(body, loc, product, element);
      });
}

/// What is greatest of all rows; least, for a minimum.
static Value reduceToMax(OpBuilder &builder, PmaxOp op, Value rows) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(rows.getType());
  bool isLeast = op.getMinimum();
  bool isUnsigned = op.getUnsignedIntegers() || element.isInteger(1);
  TypedAttr start;
  if (auto type = dyn_cast<FloatType>(element)) {
    start = FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/!isLeast));
  } else {
    unsigned width = element.getIntOrFloatBitWidth();
    start = IntegerAttr::get(
        element, isUnsigned ? (isLeast ? APInt::getMaxValue(width)
                                       : APInt::getMinValue(width))
                            : (isLeast ? APInt::getSignedMaxValue(width)
                                       : APInt::getSignedMinValue(width)));
  }
  Value init = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             ArrayRef<Attribute>(start)));
  auto kernel = [&](OpBuilder &body, Location loc,
                    ValueRange in) -> SmallVector<Value> {
    if (isa<FloatType>(element))
      return {
          isLeast
              ? arith::MinimumFOp::create(body, loc, in[0], in[1]).getResult()
              : arith::MaximumFOp::create(body, loc, in[0], in[1]).getResult()};
    if (isUnsigned)
      return {
          isLeast
              ? arith::MinUIOp::create(body, loc, in[0], in[1]).getResult()
              : arith::MaxUIOp::create(body, loc, in[0], in[1]).getResult()};
    return {isLeast
                ? arith::MinSIOp::create(body, loc, in[0], in[1]).getResult()
                : arith::MaxSIOp::create(body, loc, in[0], in[1]).getResult()};
  };
  return ReduceOp::create(builder, loc, rows, init, ArrayRef<int64_t>{0},
                          kernel, kernel)
      ->getResult(0);
}

/// For each row that of its source, or zeros.
static Value permuteRows(OpBuilder &builder, PpermuteOp op, Value rows) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(rows.getType());
  ArrayRef<int64_t> sources = op.getSources();
  int64_t count = sources.size();
  auto places = llvm::map_to_vector(
      sources, [](int64_t source) { return std::max<int64_t>(source, 0); });
  Value index = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({count}, builder.getI64Type()),
          ArrayRef<int64_t>(places)));
  SmallVector<int64_t> dims = getAllDims(type.getRank());
  dims[0] = -1;
  Value taken =
      GatherOp::create(builder, loc, rows, index, dims,
                       builder.getArrayAttr(builder.getDenseI64ArrayAttr({0})));
  if (!llvm::is_contained(sources, -1))
    return taken;
  auto hasSource =
      llvm::map_to_vector(sources, [](int64_t source) { return source >= 0; });
  Value chosen = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({count}, builder.getI1Type()),
          ArrayRef<bool>(hasSource)));
  Value zeros = createZeros(builder, loc, taken, type.getElementType());
  return createRowSelect(builder, loc, chosen, taken, true, zeros, true);
}

bool BatchWalk::isOverThisBatch(Operation *op) const {
  auto name = op->getAttrOfType<StringAttr>("axis");
  return name && name == axis &&
         isa<AxisIndexOp, AllGatherOp, PsumOp, PmaxOp, PpermuteOp>(op);
}

LogicalResult BatchWalk::batchCollective(Operation *op) {
  Location loc = op->getLoc();
  if (auto index = dyn_cast<AxisIndexOp>(op)) {
    SmallVector<Value> sizes;
    if (auto value = dyn_cast<Value>(size))
      sizes.push_back(value);
    set(index,
        IotaOp::create(builder, loc,
                       getBatchedType(index.getType(), getStaticSize()), sizes,
                       /*dim=*/0),
        /*isBatched=*/true);
    return success();
  }
  Value operand = op->getOperand(0), result = op->getResult(0);
  Row row = get(operand);
  bool isBatched = false;
  Value made;
  if (auto permuted = dyn_cast<PpermuteOp>(op)) {
    if (getStaticSize() != static_cast<int64_t>(permuted.getSources().size()))
      return op->emitOpError("[ppermute_c2] has ")
             << permuted.getSources().size()
             << " sources for another number of rows";
    made = permuteRows(builder, permuted, getBatched(operand));
    isBatched = true;
  } else if (isa<AllGatherOp>(op)) {
    made = getBatched(operand);
  } else if (auto greatest = dyn_cast<PmaxOp>(op)) {
    made =
        row.isBatched ? reduceToMax(builder, greatest, row.value) : row.value;
  } else if (!row.isBatched && !ShapedType::isDynamic(getStaticSize())) {
    made = multiplyByRows(builder, loc, row.value, getStaticSize());
  } else {
    made = sumRows(builder, loc, getBatched(operand));
  }
  Type type = result.getType();
  if (isBatched)
    type = getBatchedType(type, getStaticSize());
  set(result, castTo(builder, loc, type, made), isBatched);
  return success();
}

namespace {

/// Over another axis: its rows stand before this one's.
struct BatchAllGather
    : BatchableOpInterface::ExternalModel<BatchAllGather, AllGatherOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto gathered = cast<AllGatherOp>(op);
    if (!batched[0])
      return op->emitOpError("has a size that differs within the batch");
    Value made = AllGatherOp::create(
        builder, op->getLoc(), operands[0], operands.drop_front(),
        gathered.getStaticSizes(), gathered.getAxis());
    SmallVector<int64_t> order = getAllDims(made);
    std::swap(order[0], order[1]);
    return SmallVector<Value>{
        PermuteOp::create(builder, op->getLoc(), made, order)};
  }
};

/// What goes on element by element.
template <typename OpTy>
struct BatchElements
    : BatchableOpInterface::ExternalModel<BatchElements<OpTy>, OpTy> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    FailureOr<Operation *> made = cloneBatched(op, builder, operands, batched);
    return getResults(*made);
  }
};

} // namespace

void mlir::wax::attachCollectiveBatching(MLIRContext *context) {
  AllGatherOp::attachInterface<BatchAllGather>(*context);
  PsumOp::attachInterface<BatchElements<PsumOp>>(*context);
  PmaxOp::attachInterface<BatchElements<PmaxOp>>(*context);
  PpermuteOp::attachInterface<BatchElements<PpermuteOp>>(*context);
}
