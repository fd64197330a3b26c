//===- Window.cpp - Batches of window and fold ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct BatchWindow
    : BatchableOpInterface::ExternalModel<BatchWindow, WindowOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto window = cast<WindowOp>(op);
    FailureOr<WindowOp> made = cloneBatched(window, builder, operands, batched);
    made->setDims(shiftDims(window.getDims()));
    return getResults(*made);
  }
};

struct BatchFold : BatchableOpInterface::ExternalModel<BatchFold, FoldOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto fold = cast<FoldOp>(op);
    if (batched[1])
      return foldFromRows(fold, builder, operands, batched);
    FailureOr<FoldOp> made = cloneBatched(fold, builder, operands, batched);
    if (failed(made))
      return failure();
    made->setDims(shiftDims(fold.getDims()));
    return getResults(*made);
  }

  /// What starts elsewhere in each row is scattered to: the elements in the
  /// same order, to the same places.
  static Rows foldFromRows(FoldOp op, OpBuilder &builder,
                           ArrayRef<Value> operands,
                           const llvm::SmallBitVector &batched) {
    for (unsigned i : batched.set_bits())
      if (i > 1)
        return op.emitOpError("has a size that differs within the batch");
    Location loc = op.getLoc();
    OpFoldResult rows = getBatchSize(builder, loc, operands, batched);
    Value elements = batched[0]
                         ? operands[0]
                         : createRepeated(builder, loc, operands[0], rows);
    auto type = cast<RankedTensorType>(elements.getType());
    SmallVector<OpFoldResult> from = getSizes(builder, loc, elements), to;
    int64_t rank = op.getResult().getType().getRank();
    to.append(from.begin(), from.begin() + 1 + rank);
    SmallVector<int64_t> places = getAllDims(rank + 1);
    SmallVector<Value> indices;
    SmallVector<Attribute> indexDims;
    ArrayRef<Value> dynamic = operands.drop_front(2);
    for (auto [m, dim] : llvm::enumerate(op.getDims())) {
      int64_t size = op.getStaticSizes()[m];
      if (ShapedType::isDynamic(size)) {
        to[dim + 1] = dynamic.front();
        dynamic = dynamic.drop_front();
      } else {
        to[dim + 1] = builder.getIndexAttr(size);
      }
      int64_t window = dim + 1, element = rank + 1 + m;
      places[window] = -1;
      indices.push_back(
          createPlaces(op, builder, m, from[window], from[element]));
      indexDims.push_back(builder.getDenseI64ArrayAttr({window, element}));
    }
    Value start = createBroadcast(
        builder, loc, Operand{operands[1], {0}}, to,
        [](OpBuilder &, Location, ValueRange in) { return in[0]; });
    auto scatter =
        ScatterOp::create(builder, loc, start.getType(), elements, start,
                          indices, places, builder.getArrayAttr(indexDims));
    IRMapping mapping;
    op.getFold().cloneInto(&scatter.getFold(), mapping);
    if (op.hasCombine())
      op.getCombine().cloneInto(&scatter.getCombine(), mapping);
    return SmallVector<Value>{
        castTo(builder, loc,
               getBatchedType(op.getResult().getType(), type.getDimSize(0)),
               scatter->getResult(0))};
  }

  /// For each window and element of one, the place of it.
  static Value createPlaces(FoldOp op, OpBuilder &builder, unsigned m,
                            OpFoldResult windows, OpFoldResult elements) {
    Location loc = op.getLoc();
    auto count = [&](OpFoldResult size) -> Value {
      SmallVector<Value> dynamic;
      int64_t known = ShapedType::kDynamic;
      if (auto value = dyn_cast<Value>(size))
        dynamic.push_back(value);
      else
        known = *getConstantIntValue(size);
      auto type = RankedTensorType::get({known}, builder.getI64Type());
      return IotaOp::create(builder, loc, type, dynamic, 0);
    };
    SmallVector<Operand> operands{{count(windows), {0}},
                                  {count(elements), {1}}};
    return createBroadcast(
        builder, loc, operands, {windows, elements},
        [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
          auto times = [&](Value value, int64_t factor) -> Value {
            Value number = arith::ConstantOp::create(
                body, loc, body.getI64IntegerAttr(factor));
            return arith::MulIOp::create(body, loc, value, number);
          };
          return arith::AddIOp::create(body, loc,
                                       times(in[0], op.getStrides()[m]),
                                       times(in[1], op.getDilations()[m]));
        });
  }
};

} // namespace

void mlir::wax::attachWindowBatching(MLIRContext *context) {
  WindowOp::attachInterface<BatchWindow>(*context);
  FoldOp::attachInterface<BatchFold>(*context);
}
