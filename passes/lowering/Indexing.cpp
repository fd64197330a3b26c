//===- Indexing.cpp - gather, reverse, iota, constant -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "CopyRows.h"

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

/// How many last dims of the operand are last dims of the result, and of no
/// index: the operand's rows are then the result's.
int64_t countRowDims(GatherOp gather) {
  ArrayRef<int64_t> dims = gather.getOperandDims();
  llvm::SmallDenseSet<int64_t> indexed;
  for (unsigned i : llvm::seq<unsigned>(0, gather.getIndices().size()))
    indexed.insert_range(gather.getDimsOfIndex(i));
  int64_t rank = gather.getResult().getType().getRank();
  int64_t along = 0;
  while (along < rank && along < static_cast<int64_t>(dims.size()) &&
         dims.rbegin()[along] == rank - 1 - along &&
         !indexed.contains(rank - 1 - along))
    ++along;
  return along;
}

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

    // The operand's first `dims` places, at the scalars of the indices.
    auto emitPlace = [&](OpBuilder &body, Location loc, int64_t dims,
                         ValueRange scalars,
                         llvm::function_ref<Value(int64_t)> resultIndex) {
      SmallVector<Value> position;
      unsigned next = 0;
      for (int64_t from : gather.getOperandDims().take_front(dims)) {
        if (from >= 0) {
          position.push_back(resultIndex(from));
          continue;
        }
        Value index = arith::IndexCastOp::create(body, loc, body.getIndexType(),
                                                 scalars[next]);
        Value low = arith::MaxSIOp::create(body, loc, index, zero);
        position.push_back(arith::MinSIOp::create(body, loc, low, last[next]));
        ++next;
      }
      return position;
    };

    int64_t operandRank = gather.getOperandDims().size();
    int64_t along = countRowDims(gather);
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, gather.getResult());
    if (context.usesVectors() && along > 0 &&
        canCopyRows(type.getElementType(), ArrayRef(sizes).take_back(along))) {
      auto emitRowPlace = [&](OpBuilder &body, Location loc,
                              ValueRange indices) {
        SmallVector<Value> scalars;
        for (auto [i, index] : llvm::enumerate(gather.getIndices()))
          scalars.push_back(extractElement(
              body, loc, index,
              llvm::map_to_vector(gather.getDimsOfIndex(i),
                                  [&](int64_t dim) { return indices[dim]; })));
        return emitPlace(body, loc, operandRank - along, scalars,
                         [&](int64_t dim) { return indices[dim]; });
      };
      return SmallVector<Value>{copyRows(rewriter, loc, context, type, sizes,
                                         operand, along, /*isReversed=*/false,
                                         emitRowPlace)};
    }

    Value empty = createEmptyLike(rewriter, loc, gather.getResult(), context);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, gather.getIndices(), empty, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          SmallVector<Value> position = emitPlace(
              body, loc, operandRank, scalars, [&](int64_t dim) -> Value {
                return linalg::IndexOp::create(body, loc, dim);
              });
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
    int64_t rank = type.getRank();
    SmallVector<Value> last(rank);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t dim : reverse.getDims())
      last[dim] = arith::SubIOp::create(
          rewriter, loc,
          getValueOrCreateConstantIndexOp(
              rewriter, loc, context.getSize(rewriter, loc, operand, dim)),
          one);
    auto turn = [&](OpBuilder &body, Location loc, ValueRange indices) {
      SmallVector<Value> position(indices);
      for (auto [index, end] : llvm::zip(position, last))
        if (end)
          index = arith::SubIOp::create(body, loc, end, index);
      return position;
    };

    // The last dims that are all reversed, or none.
    bool isReversed = rank > 0 && last.back();
    int64_t along = llvm::find_if(llvm::reverse(last),
                                  [&](Value end) {
                                    return static_cast<bool>(end) != isReversed;
                                  }) -
                    last.rbegin();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, reverse.getResult());
    if (context.usesVectors() && along > 0 &&
        canCopyRows(type.getElementType(), ArrayRef(sizes).take_back(along)))
      return SmallVector<Value>{copyRows(rewriter, loc, context, type, sizes,
                                         operand, along, isReversed, turn)};

    Value empty = createEmptyLike(rewriter, loc, reverse.getResult(), context);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(type.getRank()), loops,
        [&](OpBuilder &body, Location loc, ValueRange) {
          SmallVector<Value> indices;
          for (int64_t dim : llvm::seq(rank))
            indices.push_back(linalg::IndexOp::create(body, loc, dim));
          SmallVector<Value> position = turn(body, loc, indices);
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
