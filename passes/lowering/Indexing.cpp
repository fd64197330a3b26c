//===- Indexing.cpp - gather, reverse, iota, constant -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

/// One loop per result dim over the index operands; the body reads the operand
/// at the clamped indices.
struct LowerGather
    : LowerableOpInterface::ExternalModel<LowerGather, GatherOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto gather = cast<GatherOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(gather.getResult().getType());
    int64_t rank = type.getRank();
    Value operand = gather.getOperand();

    SmallVector<AffineMap> maps;
    for (unsigned i = 0, e = gather.getIndices().size(); i < e; ++i)
      maps.push_back(
          getSelectionMap(op->getContext(), rank, gather.getDimsOfIndex(i)));
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    Value empty = createEmptyLike(rewriter, loc, gather.getResult(), context);

    // The last index of each dim that is read at one.
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    SmallVector<Value> last;
    for (auto [dim, from] : llvm::enumerate(gather.getOperandDims())) {
      if (from >= 0)
        continue;
      OpFoldResult size = context.getSize(rewriter, loc, operand, dim);
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      last.push_back(arith::SubIOp::create(
          rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, size),
          one));
    }

    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, gather.getIndices(), empty, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          SmallVector<Value> position;
          unsigned next = 0;
          for (int64_t from : gather.getOperandDims()) {
            if (from >= 0) {
              position.push_back(linalg::IndexOp::create(body, loc, from));
              continue;
            }
            Value index = arith::IndexCastOp::create(
                body, loc, body.getIndexType(), scalars[next]);
            Value low = arith::MaxSIOp::create(body, loc, index, zero);
            position.push_back(
                arith::MinSIOp::create(body, loc, low, last[next]));
            ++next;
          }
          Value element = extractElement(body, loc, operand, position);
          linalg::YieldOp::create(body, loc, element);
        });
    return SmallVector<Value>(generic.getResults());
  }
};

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

struct LowerReverse
    : LowerableOpInterface::ExternalModel<LowerReverse, ReverseOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto reverse = cast<ReverseOp>(op);
    Location loc = op->getLoc();
    Value operand = reverse.getOperand();
    auto type = cast<RankedTensorType>(reverse.getResult().getType());
    Value empty = createEmptyLike(rewriter, loc, reverse.getResult(), context);
    SmallVector<Value> last(type.getRank());
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t dim : reverse.getDims())
      last[dim] = arith::SubIOp::create(
          rewriter, loc,
          getValueOrCreateConstantIndexOp(
              rewriter, loc, context.getSize(rewriter, loc, operand, dim)),
          one);
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(type.getRank()), loops,
        [&](OpBuilder &body, Location loc, ValueRange) {
          SmallVector<Value> position;
          for (auto [dim, end] : llvm::enumerate(last)) {
            Value index = linalg::IndexOp::create(body, loc, dim);
            position.push_back(
                end ? arith::SubIOp::create(body, loc, end, index).getResult()
                    : index);
          }
          linalg::YieldOp::create(body, loc,
                                  extractElement(body, loc, operand, position));
        });
    return SmallVector<Value>(generic.getResults());
  }
};

//===----------------------------------------------------------------------===//
// iota and constant
//===----------------------------------------------------------------------===//

/// An index as an element; integers wrap.
Value convertIndex(OpBuilder &builder, Location loc, Value index, Type type) {
  if (isa<IntegerType>(type))
    return arith::IndexCastOp::create(builder, loc, type, index);
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
  // Half-width floats are rounded once all the same: an index that f32 cannot
  // hold is beyond what they tell apart.
  Type via = type.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : type;
  Value converted = arith::SIToFPOp::create(builder, loc, via, integer);
  if (via == type)
    return converted;
  return arith::TruncFOp::create(builder, loc, type, converted);
}

struct LowerIota : LowerableOpInterface::ExternalModel<LowerIota, IotaOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto iota = cast<IotaOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(iota.getResult().getType());
    Value empty = createEmptyLike(rewriter, loc, iota.getResult(), context);
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(type.getRank()), loops,
        [&](OpBuilder &body, Location loc, ValueRange) {
          Value index = linalg::IndexOp::create(body, loc, iota.getDim());
          linalg::YieldOp::create(
              body, loc, convertIndex(body, loc, index, type.getElementType()));
        });
    return SmallVector<Value>(generic.getResults());
  }
};

struct LowerConstant
    : LowerableOpInterface::ExternalModel<LowerConstant, ConstantOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &) const {
    auto constant = cast<ConstantOp>(op);
    Value value = arith::ConstantOp::create(
        rewriter, op->getLoc(), cast<TypedAttr>(constant.getValueAttr()));
    return SmallVector<Value>{value};
  }
};

} // namespace

void mlir::wax::attachIndexingLowerings(MLIRContext *context) {
  GatherOp::attachInterface<LowerGather>(*context);
  ReverseOp::attachInterface<LowerReverse>(*context);
  IotaOp::attachInterface<LowerIota>(*context);
  ConstantOp::attachInterface<LowerConstant>(*context);
}
