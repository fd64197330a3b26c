//===- Assembly.cpp - pad and concat ------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Along.h"
#include "CopyRows.h"
#include "Lowering.h"
#include "Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "wax/Passes/IREE.h"

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
    Location loc = op->getLoc();
    Type resultType = concat.getResult().getType();
    Type element = getElementTypeOrSelf(resultType);
    int64_t dim = concat.getDim();
    SmallVector<OpFoldResult> sizes =
        context.getSizes(rewriter, loc, concat.getResult());
    // Upstream wants the other dims of all operands alike, and IREE 3.13 loses
    // the size along the dim where it finds that it is static.
    SmallVector<Value> inputs;
    for (Value input : concat.getInputs()) {
      SmallVector<OpFoldResult> inputSizes =
          context.getSizes(rewriter, loc, input);
      if (isZeroInteger(inputSizes[dim]))
        continue;
      // Without elements in spite of its size along the dim, as the others are.
      if (isKnownEmpty(inputSizes)) {
        inputs.clear();
        break;
      }
      SmallVector<OpFoldResult> shape(sizes);
      shape[dim] = inputSizes[dim];
      inputs.push_back(
          castTo(rewriter, loc, getTensorType(shape, element), input));
    }
    if (inputs.empty())
      return SmallVector<Value>{
          createEmptyLike(rewriter, loc, concat.getResult(), context)};
    auto type = cast<RankedTensorType>(resultType);
    int64_t along = type.getRank() - dim;
    // What is made of no other tensor IREE makes where it is to be. Short rows
    // are copied with long ones: IREE would copy neither well.
    auto isCopied = [&](Value input) {
      return canCopyRows(element,
                         ArrayRef(tensor::getMixedSizes(rewriter, loc, input))
                             .take_back(along));
    };
    // What goes to each row of many; to one IREE copies it at once.
    bool isByRows =
        llvm::any_of(ArrayRef(sizes).take_front(dim),
                     [](OpFoldResult size) { return !isOneInteger(size); });
    bool isWorth = llvm::none_of(inputs, iree::isMadeOfNone) &&
                   llvm::any_of(inputs, isCopied);
    if (context.isAlone())
      isWorth |= isStoredLaneType(element) && isOfFew(sizes);
    if (context.usesVectors() && isByRows && inputs.size() > 1 && isWorth)
      return SmallVector<Value>{
          joinRows(rewriter, loc, context, type, sizes, inputs, along)};
    Value joined = tensor::ConcatOp::create(rewriter, loc, dim, inputs);
    return SmallVector<Value>{castTo(rewriter, loc, resultType, joined)};
  }
};

} // namespace

void mlir::wax::attachAssemblyLowerings(MLIRContext *context) {
  PadOp::attachInterface<LowerPad>(*context);
  ConcatOp::attachInterface<LowerConcat>(*context);
}
