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

struct LowerPad : LowerableOpInterface::ExternalModel<LowerPad, PadOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto pad = cast<PadOp>(op);
    Location loc = op->getLoc();
    Value result = pad.getResult();
    SmallVector<OpFoldResult> sizes = context.getSizes(rewriter, loc, result);
    Value padded = createPadded(
        rewriter, loc, pad.getOperand(),
        context.getSizes(rewriter, loc, pad.getOperand()), pad.getValue(),
        {pad.getLow(), pad.getHigh(), pad.getInterior()}, sizes);
    return SmallVector<Value>{castTo(rewriter, loc, result.getType(), padded)};
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
