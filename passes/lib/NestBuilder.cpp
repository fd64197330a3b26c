//===- NestBuilder.cpp - What loops of a nest are made of -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"

#include "CPUContext.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

SmallVector<ReassociationIndices>
mlir::wax::getRuns(ArrayRef<AffineMap> maps,
                   llvm::function_ref<bool(int64_t, int64_t)> areAlike) {
  SmallVector<ReassociationIndices> runs;
  for (int64_t loop : llvm::seq<int64_t>(maps.front().getNumDims())) {
    if (!runs.empty() && areAlike(runs.back().back(), loop)) {
      ReassociationIndices longer(runs.back());
      longer.push_back(loop);
      if (linalg::areDimSequencesPreserved(maps, longer)) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({loop});
  }
  return runs;
}

linalg::GenericOp mlir::wax::mergeRuns(linalg::GenericOp op,
                                       ArrayRef<ReassociationIndices> runs,
                                       RewriterBase &rewriter) {
  if (runs.size() == op.getNumLoops())
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, runs, rewriter);
  if (failed(collapsed))
    return nullptr;
  rewriter.replaceOp(op, collapsed->results);
  return cast<linalg::GenericOp>(collapsed->collapsedOp.getOperation());
}

bool NestBuilder::isMultiple(Value size, int64_t of) {
  std::optional<int64_t> known = getConstantIntValue(size);
  return known && *known % of == 0;
}

Value NestBuilder::getSize(unsigned loop) {
  for (OpOperand &operand : nest->getOpOperands()) {
    AffineMap map = nest.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> dim =
            map.getResultPosition(builder.getAffineDimExpr(loop)))
      return getValueOrCreateConstantIndexOp(
          builder, builder.getLoc(),
          tensor::getMixedSize(builder, builder.getLoc(), operand.get(), *dim));
  }
  llvm_unreachable("each loop goes along a dim");
}

SmallVector<Value> NestBuilder::getPosition(AffineMap map,
                                            ArrayRef<Value> indices) {
  SmallVector<Value> position;
  for (AffineExpr dim : map.getResults())
    position.push_back(
        affine::expandAffineExpr(builder, builder.getLoc(), dim, indices, {}));
  return position;
}

Value NestBuilder::emitParts(RankedTensorType type, ValueRange openSizes,
                             Value count,
                             llvm::function_ref<TensorPart(Value number)> place,
                             llvm::function_ref<Value(Value part)> fill) {
  Location loc = builder.getLoc();
  auto emitPlace = [&](OpBuilder &inside, Value number) {
    SmallVector<TensorPart> parts(1);
    emitAt(inside, [&]() -> Values {
      parts.front() = place(number);
      return {};
    });
    return parts;
  };
  auto emitFill = [&](OpBuilder &inside, ValueRange parts) {
    return emitAt(inside, [&]() -> Values { return {fill(parts.front())}; });
  };
  CPUContext context;
  return emitDispatch(builder, loc, context, type, openSizes,
                      [&](OpBuilder &inside) {
                        Value empty = tensor::EmptyOp::create(inside, loc, type,
                                                              openSizes);
                        return emitWorkgroups(inside, loc, count, empty,
                                              emitPlace, emitFill);
                      })
      .front();
}
