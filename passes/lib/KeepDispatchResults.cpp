//===- KeepDispatchResults.cpp - Keep what a dispatch makes ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lowering/Dispatch.h"
#include "CPUContext.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

namespace mlir::wax {
#define GEN_PASS_DEF_KEEPDISPATCHRESULTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

/// Whether IREE would compute `tensor` inside the dispatch that reads it, as it
/// does with what widens elements, in whatever layout, and with what is made of
/// such elements one by one. Next to loops that are dealt to workgroups, IREE
/// 3.13 cannot place it there.
static bool isWidened(Value tensor) {
  auto widthOf = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 128;
  };
  SetVector<Value> made;
  made.insert(tensor);
  for (size_t i = 0; i < made.size(); ++i) {
    Operation *op = made[i].getDefiningOp();
    if (wax::iree::isRelaid(op)) {
      made.insert(op->getOperand(0));
      continue;
    }
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    if (!generic)
      continue;
    bool isMap = generic.getNumParallelLoops() == generic.getNumLoops();
    for (Value input : generic.getDpsInputs()) {
      if (widthOf(input) < widthOf(made[i]))
        return true;
      if (isMap)
        made.insert(input);
    }
  }
  return false;
}

/// What makes `tensor`, or what that is a view of, element by element.
static linalg::LinalgOp getMap(Value tensor) {
  auto op = wax::iree::getViewed(tensor).getDefiningOp<linalg::LinalgOp>();
  return op && op->getNumResults() == 1 && op.hasPureTensorSemantics() &&
                 op.getNumParallelLoops() == op.getNumLoops() &&
                 !op->getParentOfType<wax::iree::DispatchRegionOp>()
             ? op
             : linalg::LinalgOp();
}

/// Makes a dispatch of a map that makes `tensor`, or what that is a view of,
/// and says whether it could: not where IREE would have a dispatch of what it
/// sums up make it too, nor of what is made of no tensor in the end, as IREE
/// 3.13 copies such a dispatch to some of those who read it and loses it for
/// the others.
static bool makeDispatch(Value tensor) {
  linalg::LinalgOp map = getMap(tensor);
  if (!map || llvm::none_of(map.getDpsInputOperands(), [&](OpOperand *input) {
        return isa<TensorType>(input->get().getType()) &&
               map.payloadUsesValueFromOperand(input) &&
               !wax::iree::isMadeOfNone(input->get());
      }))
    return false;
  if (llvm::any_of(map.getDpsInputs(), [](Value input) {
        auto made =
            wax::iree::getViewed(input).getDefiningOp<linalg::LinalgOp>();
        return made && made.getNumReductionLoops() > 0;
      }))
    return false;
  OpBuilder builder(map);
  Location loc = map->getLoc();
  SmallVector<Value> openSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(
      tensor::getMixedSizes(builder, loc, map.getDpsInits().front()), openSizes,
      staticSizes);
  wax::CPUContext context;
  SmallVector<Value> made =
      wax::emitDispatch(builder, loc, context, map->getResultTypes(), openSizes,
                        [&](OpBuilder &inside) -> SmallVector<Value> {
                          return inside.clone(*map)->getResults();
                        });
  map->replaceAllUsesWith(made);
  map->erase();
  return true;
}

/// `value` as IREE cannot tell it from what is given.
static Value createHidden(OpBuilder &builder, Location loc, Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return wax::iree::createApart(builder, loc, value,
                                  tensor::getMixedSizes(builder, loc, value));
  return wax::iree::OptimizationBarrierOp::create(builder, loc, value.getType(),
                                                  value)
      .getResult(0);
}

/// Keeps IREE from seeing that a dispatch of several results depends on
/// constants only. It would run it while it compiles, or once for all calls,
/// and IREE 3.13 then takes results for others.
static void hideConstants(wax::iree::DispatchRegionOp dispatch,
                          const SetVector<Value> &read) {
  const auto *hides = llvm::find_if(read, [](Value value) {
    return isa<RankedTensorType, IndexType>(value.getType());
  });
  if (hides == read.end())
    return;
  OpBuilder builder(dispatch);
  replaceAllUsesInRegionWith(*hides,
                             createHidden(builder, dispatch.getLoc(), *hides),
                             dispatch.getBody());
}

/// A float behind a barrier, made where the function begins: by its bits, as
/// IREE 3.13 has no constants on the host that are negative zeros.
static Value createHidden(Operation *op, FloatAttr constant) {
  auto function = op->getParentOfType<func::FuncOp>();
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  builder.setInsertionPointToStart(&function.front());
  APInt bits = constant.getValue().bitcastToAPInt();
  Value word = arith::ConstantOp::create(
      builder,
      builder.getIntegerAttr(builder.getIntegerType(bits.getBitWidth()), bits));
  return arith::BitcastOp::create(builder, constant.getType(),
                                  createHidden(builder, op->getLoc(), word));
}

/// A complex number of constants is none to IREE's folding, but to its hoisting
/// of what depends on constants only, which mistakes one result for another.
static void hideConstants(complex::CreateOp number) {
  FloatAttr real;
  if (matchPattern(number.getReal(), m_Constant(&real)) &&
      matchPattern(number.getImaginary(), m_Constant()))
    number.getRealMutable().assign(createHidden(number, real));
}

/// Nor does it fold what is computed with a complex constant, and what it fills
/// with one has no negative zeros.
static void hideConstants(complex::ConstantOp number) {
  ArrayAttr parts = number.getValue();
  bool isFilled =
      llvm::all_of(number->getUsers(), llvm::IsaPred<linalg::YieldOp>);
  bool hasNegativeZero = llvm::any_of(parts, [](Attribute part) {
    return cast<FloatAttr>(part).getValue().isNegZero();
  });
  if (isFilled && !hasNegativeZero)
    return;
  Value real = createHidden(number, cast<FloatAttr>(parts[0]));
  OpBuilder builder(number);
  Value imaginary = arith::ConstantOp::create(builder, number.getLoc(),
                                              cast<TypedAttr>(parts[1]));
  number.getResult().replaceAllUsesWith(complex::CreateOp::create(
      builder, number.getLoc(), number.getType(), real, imaginary));
  number.erase();
}

/// What fills each part of the numbers that `nest` makes, if it makes all alike
/// of two filled tensors.
static std::optional<std::array<Value, 2>> getParts(linalg::GenericOp nest) {
  auto number = nest.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<complex::CreateOp>();
  if (!number || nest->getNumResults() != 1)
    return std::nullopt;
  std::array<Value, 2> parts;
  for (auto [part, operand] : llvm::zip_equal(parts, number->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != nest.getBody() ||
        argument.getArgNumber() >= nest.getInputs().size())
      return std::nullopt;
    auto fill = nest.getInputs()[argument.getArgNumber()]
                    .getDefiningOp<linalg::FillOp>();
    if (!fill)
      return std::nullopt;
    part = fill.getInputs()[0];
  }
  return parts;
}

/// Has a sum over windows of open sizes begin with a tensor that is filled with
/// a number made outside: with what a nest makes IREE 3.13 does not deal it to
/// workgroups.
static void fillStarts(linalg::GenericOp sum) {
  bool hasWindows = llvm::any_of(sum.getIndexingMapsArray(), [](AffineMap map) {
    return !map.isProjectedPermutation();
  });
  if (sum.getNumReductionLoops() == 0 || !hasWindows)
    return;
  for (OpOperand &start : sum.getDpsInitsMutable()) {
    auto type = cast<RankedTensorType>(start.get().getType());
    auto nest = start.get().getDefiningOp<linalg::GenericOp>();
    std::optional<std::array<Value, 2>> parts =
        nest ? getParts(nest) : std::nullopt;
    if (!parts || type.hasStaticShape())
      continue;
    OpBuilder builder(sum);
    Location loc = nest.getLoc();
    Value number = complex::CreateOp::create(
        builder, loc, type.getElementType(), (*parts)[0], (*parts)[1]);
    start.set(
        linalg::FillOp::create(builder, loc, number, nest.getOutputs().front())
            .getResult(0));
  }
}

/// Keeps apart what `pad` is put around, where that is a pad too, or scattered
/// to: of both IREE 3.13 makes one dispatch, and cannot deal it to workgroups.
static void keepPadded(tensor::PadOp pad) {
  Value padded = wax::iree::getViewed(pad.getSource());
  if (pad->getParentOfType<wax::iree::DispatchRegionOp>() ||
      !isa_and_present<tensor::PadOp, wax::iree::ScatterOp>(
          padded.getDefiningOp()))
    return;
  OpBuilder builder(pad);
  pad.getSourceMutable().assign(
      createHidden(builder, pad.getLoc(), pad.getSource()));
}

/// What a dispatch reads of what is made outside.
static SetVector<Value> getRead(wax::iree::DispatchRegionOp dispatch) {
  SetVector<Value> read;
  getUsedValuesDefinedAbove(dispatch->getRegions(), read);
  return read;
}

/// Whether a dispatch reads a tensor, and not only elements that IREE reads
/// before it.
static bool isReadInside(Value value, wax::iree::DispatchRegionOp dispatch) {
  return isa<TensorType>(value.getType()) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           return dispatch->isProperAncestor(user) &&
                  !(isa<tensor::ExtractOp>(user) &&
                    user->getParentOp() == dispatch);
         });
}

namespace {
struct KeepDispatchResults
    : wax::impl::KeepDispatchResultsBase<KeepDispatchResults> {
  void runOnOperation() override {
    getOperation().walk(fillStarts);
    getOperation().walk([](complex::CreateOp op) { hideConstants(op); });
    getOperation().walk([](complex::ConstantOp op) { hideConstants(op); });
    getOperation().walk(keepPadded);
    auto hasSeveralResults = [](wax::iree::DispatchRegionOp dispatch) {
      return dispatch.getOutputs().size() > 1;
    };
    DenseSet<Operation *> ofConstants =
        wax::iree::findMadeOfConstants(getOperation(), hasSeveralResults);
    getOperation().walk([&](wax::iree::DispatchRegionOp dispatch) {
      OpBuilder builder(dispatch);
      bool hasSeveral = hasSeveralResults(dispatch);
      bool isHidden = !hasSeveral || !ofConstants.contains(dispatch);
      SetVector<Value> read = getRead(dispatch);
      for (size_t i = 0; i < read.size();) {
        Value value = read[i++];
        if (!isa<RankedTensorType>(value.getType()) ||
            !(isWidened(value) || wax::iree::isMadeOfNone(value)))
          continue;
        if (makeDispatch(value)) {
          // What was a map, which others are views of, is read no more.
          read = getRead(dispatch);
          i = 0;
          continue;
        }
        isHidden = true;
        replaceAllUsesInRegionWith(
            value, createHidden(builder, dispatch.getLoc(), value),
            dispatch.getBody());
      }
      read = getRead(dispatch);
      if (!isHidden)
        hideConstants(dispatch, read);
      // With its only result a dispatch goes as a whole.
      if (!hasSeveral)
        return;
      // One that reads no tensor IREE 3.13 makes anew for each reshape of a
      // result, and takes its first result for whichever was reshaped.
      bool isRemade = llvm::none_of(
          read, [&](Value value) { return isReadInside(value, dispatch); });
      bool readsElements = llvm::any_of(
          read, [](Value value) { return isa<TensorType>(value.getType()); });
      builder.setInsertionPointAfter(dispatch);
      ValueRange dynamicSizes = dispatch.getResultDims();
      for (Value result : dispatch.getOutputs()) {
        auto type = cast<RankedTensorType>(result.getType());
        ValueRange ours = dynamicSizes.take_front(type.getNumDynamicDims());
        dynamicSizes = dynamicSizes.drop_front(ours.size());
        if (!isRemade) {
          wax::iree::OptimizationBarrierOp::create(builder, dispatch.getLoc(),
                                                   type, result);
          continue;
        }
        SmallVector<OpFoldResult> sizes =
            getMixedValues(type.getShape(), ours, builder);
        Value apart =
            wax::iree::createApart(builder, dispatch.getLoc(), result, sizes);
        // IREE mistakes no result that is returned as it is, where elements
        // are read.
        result.replaceUsesWithIf(apart, [&](OpOperand &use) {
          return !isa<wax::iree::OptimizationBarrierOp>(use.getOwner()) &&
                 !(readsElements && isa<func::ReturnOp>(use.getOwner()));
        });
      }
    });
  }
};
} // namespace
