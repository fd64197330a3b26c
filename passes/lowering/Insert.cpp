//===- Insert.cpp - insert ------------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct LowerInsert
    : LowerableOpInterface::ExternalModel<LowerInsert, InsertOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto insert = cast<InsertOp>(op);
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(insert.getResult().getType());
    SmallVector<OpFoldResult> boxSizes =
        context.getSizes(rewriter, loc, insert.getUpdate());
    if (isKnownEmpty(boxSizes))
      return SmallVector<Value>{
          castTo(rewriter, loc, type, insert.getOperand())};
    SmallVector<OpFoldResult> starts;
    for (auto [dim, offset, stride] :
         llvm::enumerate(insert.getMixedOffsets(), insert.getStrides()))
      starts.push_back(clampOffset(
          rewriter, loc, offset, boxSizes[dim], stride,
          context.getSize(rewriter, loc, insert.getOperand(), dim)));

    bool isDense = llvm::all_of(insert.getStrides(),
                                [](int64_t stride) { return stride == 1; });
    if (!isDense && context.getTarget() == LoweringTarget::IREE)
      return SmallVector<Value>{
          choose(insert, starts, boxSizes, rewriter, context)};
    SmallVector<OpFoldResult> strides =
        llvm::map_to_vector(insert.getStrides(), [&](int64_t stride) {
          return OpFoldResult(rewriter.getIndexAttr(stride));
        });
    // Sizes that are known have to show in the update's type.
    Value update =
        castTo(rewriter, loc, getTensorType(boxSizes, type.getElementType()),
               insert.getUpdate());
    Value written = tensor::InsertSliceOp::create(
        rewriter, loc, update, insert.getOperand(), starts, boxSizes, strides);
    return SmallVector<Value>{castTo(rewriter, loc, type, written)};
  }

  /// Each element is the update's, or stays: IREE 3.13 refuses to write to a
  /// strided box.
  Value choose(InsertOp insert, ArrayRef<OpFoldResult> starts,
               ArrayRef<OpFoldResult> boxSizes, RewriterBase &rewriter,
               LoweringContext &context) const {
    Location loc = insert.getLoc();
    auto type = cast<RankedTensorType>(insert.getResult().getType());
    int64_t rank = type.getRank();
    auto value = [&](OpFoldResult mixed) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, mixed);
    };
    SmallVector<Value> first = llvm::map_to_vector(starts, value);
    SmallVector<Value> sizes = llvm::map_to_vector(boxSizes, value);
    SmallVector<Value> strides =
        llvm::map_to_vector(insert.getStrides(), [&](int64_t stride) {
          return value(rewriter.getIndexAttr(stride));
        });
    // Made in the dispatch that reads it at computed places, the update would
    // be on that dispatch's small stack.
    Value update = insert.getUpdate();
    if (Operation *op = update.getDefiningOp();
        op &&
        !isa<arith::ConstantOp, tensor::CastOp, tensor::ExtractSliceOp>(op))
      update = iree::createApart(rewriter, loc, update, boxSizes);
    Value empty = createEmptyLike(rewriter, loc, insert.getResult(), context);
    Value operand = castTo(rewriter, loc, type, insert.getOperand());
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, operand, empty, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          Value zero = arith::ConstantIndexOp::create(body, loc, 0);
          Value isInside = arith::ConstantIntOp::create(body, loc, 1, 1);
          SmallVector<Value> position;
          auto both = [&](Value condition) {
            isInside = arith::AndIOp::create(body, loc, isInside, condition);
          };
          for (int64_t dim : llvm::seq(rank)) {
            // Before the box's start this is beyond any size, as unsigned.
            Value distance = arith::SubIOp::create(
                body, loc, linalg::IndexOp::create(body, loc, dim), first[dim]);
            Value place = distance;
            if (insert.getStrides()[dim] != 1) {
              place = arith::DivUIOp::create(body, loc, distance, strides[dim]);
              Value rest =
                  arith::RemUIOp::create(body, loc, distance, strides[dim]);
              both(arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq,
                                         rest, zero));
            }
            both(arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                       place, sizes[dim]));
            position.push_back(place);
          }
          auto read = scf::IfOp::create(
              body, loc, isInside,
              [&](OpBuilder &then, Location loc) {
                scf::YieldOp::create(
                    then, loc, extractElement(then, loc, update, position));
              },
              [&](OpBuilder &otherwise, Location loc) {
                scf::YieldOp::create(otherwise, loc, scalars[0]);
              });
          linalg::YieldOp::create(body, loc, read.getResults());
        });
    return generic.getResult(0);
  }
};

} // namespace

void mlir::wax::attachInsertLowerings(MLIRContext *context) {
  InsertOp::attachInterface<LowerInsert>(*context);
}
