//===- Scatter.cpp - scatter ----------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "Dispatch.h"
#include "ScatterRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Tensors without their dims that are known to be 1: IREE 3.13 reads elements
/// in a loop through a view without them, which it then moves out of the loop.
class WithoutUnits {
public:
  explicit WithoutUnits(ArrayRef<OpFoldResult> sizes) : all(sizes) {
    ReassociationIndices group;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      group.push_back(dim);
      if (isOneInteger(size))
        continue;
      kept.push_back(size);
      groups.push_back(std::move(group));
      group.clear();
    }
    if (!groups.empty())
      llvm::append_range(groups.back(), group);
  }

  ArrayRef<OpFoldResult> getSizes() const { return kept; }

  /// What is said of the dims that stay.
  SmallVector<Value> select(ValueRange values) const {
    SmallVector<Value> selected;
    for (auto [value, size] : llvm::zip_equal(values, all))
      if (!isOneInteger(size))
        selected.push_back(value);
    return selected;
  }

  Value drop(OpBuilder &builder, Location loc, Value tensor) const {
    Type element = getElementTypeOrSelf(tensor.getType());
    tensor = castTo(builder, loc, getTensorType(all, element), tensor);
    if (kept.size() == all.size())
      return tensor;
    return tensor::CollapseShapeOp::create(
        builder, loc, getTensorType(kept, element), tensor, groups);
  }

  Value restore(OpBuilder &builder, Location loc, Value tensor) const {
    if (kept.size() == all.size())
      return tensor;
    return tensor::ExpandShapeOp::create(
        builder, loc,
        getTensorType(all, getElementTypeOrSelf(tensor.getType())), tensor,
        groups, all);
  }

private:
  SmallVector<OpFoldResult> all, kept;
  /// The dims that each of those that stay is merged from.
  SmallVector<ReassociationIndices> groups;
};

/// The operands as they are before the loops: on IREE copies in the memory of
/// the results, which are of `types`, and which the loops then update in place.
SmallVector<Value> emitStarts(OpBuilder &builder, Location loc,
                              LoweringContext &context,
                              ArrayRef<RankedTensorType> types,
                              ValueRange operands,
                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> empties =
      llvm::map_to_vector(types, [&](RankedTensorType type) -> Value {
        return tensor::EmptyOp::create(builder, loc, sizes,
                                       type.getElementType());
      });
  empties.front() = startLoops(builder, loc, context, empties.front());
  SmallVector<Value> bounds =
      getValueOrCreateConstantIndexOp(builder, loc, sizes);
  return emitNest(
      builder, loc, bounds, empties,
      [&](OpBuilder &body, Location loc, ValueRange at, ValueRange carried) {
        SmallVector<Value> elements =
            llvm::map_to_vector(operands, [&](Value operand) {
              return extractElement(body, loc, operand, at);
            });
        return writeElements(body, loc, elements, carried, at);
      });
}

/// Loops over the updates in their order; each reads its place, and if that
/// lies in the operands, folds.
struct UpdateLoops {
  ScatterOp scatter;
  /// What is read in the loops: the operation's own, or the same elsewhere.
  SmallVector<Value> updates, indices;
  SmallVector<Value> updateSizes, operandSizes;
  /// How the accumulators are seen, if not as they are.
  const WithoutUnits *view = nullptr;

  SmallVector<Value> emit(OpBuilder &builder, Location loc, ValueRange starts) {
    return emitNest(
        builder, loc, updateSizes, starts,
        [&](OpBuilder &body, Location loc, ValueRange at, ValueRange carried) {
          return fold(body, loc, at, carried);
        });
  }

private:
  SmallVector<Value> fold(OpBuilder &builder, Location loc, ValueRange at,
                          ValueRange carried) {
    SmallVector<Value> place;
    Value isInside;
    unsigned next = 0;
    for (auto [dim, loop] : llvm::enumerate(scatter.getOperandDims())) {
      if (loop != -1) {
        place.push_back(at[loop]);
        continue;
      }
      SmallVector<Value> from = llvm::map_to_vector(
          scatter.getDimsOfIndex(next), [&](int64_t loop) { return at[loop]; });
      Value index = arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(),
          extractElement(builder, loc, indices[next++], from));
      // Negative indices are beyond any size, as unsigned.
      Value fits = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, index, operandSizes[dim]);
      isInside =
          isInside
              ? arith::AndIOp::create(builder, loc, isInside, fits).getResult()
              : fits;
      place.push_back(index);
    }
    if (view)
      place = view->select(place);
    auto write = [&](OpBuilder &inside, Location loc) {
      SmallVector<Value> arguments;
      for (Value update : updates)
        arguments.push_back(extractElement(inside, loc, update, at));
      llvm::append_range(arguments,
                         readElements(inside, loc, carried, place,
                                      getElementTypes(scatter.getInits())));
      return writeElements(inside, loc,
                           emitKernel(inside, scatter.getFold(), arguments),
                           carried, place);
    };
    if (!isInside)
      return write(builder, loc);
    auto choice = scf::IfOp::create(
        builder, loc, isInside,
        [&](OpBuilder &then, Location loc) {
          scf::YieldOp::create(then, loc, write(then, loc));
        },
        [&](OpBuilder &otherwise, Location loc) {
          scf::YieldOp::create(otherwise, loc, carried);
        });
    return choice.getResults();
  }
};

struct LowerScatter
    : LowerableOpInterface::ExternalModel<LowerScatter, ScatterOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto scatter = cast<ScatterOp>(op);
    Location loc = op->getLoc();
    Value operand = scatter.getInits().front();
    SmallVector<OpFoldResult> updateSizes =
        context.getSizes(rewriter, loc, scatter.getUpdates().front());
    SmallVector<OpFoldResult> operandSizes =
        context.getSizes(rewriter, loc, operand);

    SmallVector<Value> operands;
    for (auto [init, result] :
         llvm::zip_equal(scatter.getInits(), scatter.getResults()))
      operands.push_back(castTo(rewriter, loc, result.getType(), init));
    // Indices may say it where the updates, of their size, do not.
    if (isKnownEmpty(updateSizes) || isKnownEmpty(operandSizes) ||
        llvm::any_of(scatter.getIndices(), [&](Value index) {
          return isKnownEmpty(context.getSizes(rewriter, loc, index));
        }))
      return operands;

    bool isIREE = context.getTarget() == LoweringTarget::IREE;
    if (isIREE && isScatterOfRows(scatter))
      return SmallVector<Value>{scatterRows(rewriter, context, scatter,
                                            operands.front(), updateSizes,
                                            operandSizes)};

    UpdateLoops loops{
        scatter, scatter.getUpdates(), scatter.getIndices(),
        getValueOrCreateConstantIndexOp(rewriter, loc, updateSizes),
        getValueOrCreateConstantIndexOp(rewriter, loc, operandSizes)};
    if (!isIREE)
      return loops.emit(rewriter, loc, operands);

    WithoutUnits view(operandSizes);
    loops.view = &view;
    for (Value &update : loops.updates)
      update = iree::createApart(rewriter, loc, update, updateSizes);
    for (Value &index : loops.indices)
      index = iree::createApart(rewriter, loc, index,
                                context.getSizes(rewriter, loc, index));
    SmallVector<RankedTensorType> types;
    SmallVector<Value> dynamicSizes;
    for (Value &start : operands) {
      start = iree::createApart(rewriter, loc, view.drop(rewriter, loc, start),
                                view.getSizes());
      auto type = cast<RankedTensorType>(start.getType());
      types.push_back(
          type.clone(getStoredType(context, type.getElementType())));
      SmallVector<int64_t> staticSizes;
      dispatchIndexOpFoldResults(view.getSizes(), dynamicSizes, staticSizes);
    }
    SmallVector<Value> made = emitDispatch(
        rewriter, loc, context, SmallVector<Type>(types.begin(), types.end()),
        dynamicSizes, [&](OpBuilder &inside) {
          return loops.emit(inside, loc,
                            emitStarts(inside, loc, context, types, operands,
                                       view.getSizes()));
        });
    for (auto [value, result] : llvm::zip_equal(made, scatter.getResults())) {
      value = convertStored(rewriter, loc, value,
                            getElementTypeOrSelf(result.getType()));
      value = castTo(rewriter, loc, result.getType(),
                     view.restore(rewriter, loc, value));
    }
    return made;
  }
};

} // namespace

void mlir::wax::attachScatterLowerings(MLIRContext *context) {
  ScatterOp::attachInterface<LowerScatter>(*context);
}
