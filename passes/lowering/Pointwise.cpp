//===- Pointwise.cpp - map and broadcast --------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

/// The value everywhere in the result, where the kernel yields a constant.
static Attribute getYieldedConstant(Region &kernel, ValueRange inputs) {
  Value yielded = kernel.front().getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(yielded))
    return getConstantElement(inputs[argument.getArgNumber()]);
  Attribute value;
  if (matchPattern(yielded, m_Constant(&value)))
    return value;
  return {};
}

/// One loop per result dim. Constant inputs become scalars of the body, where
/// they may prove that no guard is needed.
static LoweringResult lowerPointwise(Operation *op, ValueRange inputs,
                                     ArrayRef<AffineMap> inputMaps,
                                     Region &kernel, RewriterBase &rewriter,
                                     LoweringContext &context) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty = createEmptyLike(rewriter, loc, op->getResult(0), context);
  if (Attribute constant = getYieldedConstant(kernel, inputs)) {
    Value scalar = createScalar(rewriter, loc, type.getElementType(), constant);
    return SmallVector<Value>(
        linalg::FillOp::create(rewriter, loc, scalar, empty).getResults());
  }

  SmallVector<Attribute> constants =
      llvm::map_to_vector(inputs, getConstantElement);
  SmallVector<Value> read;
  SmallVector<AffineMap> maps;
  for (auto [input, map, constant] :
       llvm::zip_equal(inputs, inputMaps, constants)) {
    if (constant)
      continue;
    read.push_back(input);
    maps.push_back(map);
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);

  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, read, empty, maps, loops,
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        SmallVector<Value> arguments;
        unsigned next = 0;
        for (auto [input, constant] : llvm::zip_equal(inputs, constants)) {
          Type element = getElementTypeOrSelf(input.getType());
          arguments.push_back(constant
                                  ? createScalar(body, loc, element, constant)
                                  : scalars[next++]);
        }
        linalg::YieldOp::create(body, loc, emitKernel(body, kernel, arguments));
      });
  return SmallVector<Value>(generic.getResults());
}

namespace {

struct LowerMap : LowerableOpInterface::ExternalModel<LowerMap, MapOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto map = cast<MapOp>(op);
    int64_t rank = map.getResult().getType().getRank();
    return lowerPointwise(op, map->getOperands(),
                          rewriter.getMultiDimIdentityMap(rank),
                          map.getKernel(), rewriter, context);
  }
};

struct LowerBroadcast
    : LowerableOpInterface::ExternalModel<LowerBroadcast, BroadcastOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto broadcast = cast<BroadcastOp>(op);
    int64_t rank = broadcast.getResult().getType().getRank();
    SmallVector<AffineMap> maps;
    for (unsigned i = 0, e = broadcast.getInputs().size(); i < e; ++i)
      maps.push_back(
          getSelectionMap(op->getContext(), rank, broadcast.getOperandDims(i)));
    return lowerPointwise(op, broadcast.getInputs(), maps,
                          broadcast.getKernel(), rewriter, context);
  }
};

} // namespace

void mlir::wax::attachPointwiseLowerings(MLIRContext *context) {
  MapOp::attachInterface<LowerMap>(*context);
  BroadcastOp::attachInterface<LowerBroadcast>(*context);
}
