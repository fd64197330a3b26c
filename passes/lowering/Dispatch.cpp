//===- Dispatch.cpp - Loops that run as one dispatch ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

/// More than a CPU has cores, so that all of them end at about the same time,
/// and too few for the cost of starting one to count.
static constexpr int64_t mostWorkgroups = 64;

/// Those that each work in memory of their own: new memory costs more than is
/// won by many.
static constexpr int64_t mostWorkspaces = 16;

SmallVector<Value> mlir::wax::emitDispatch(
    OpBuilder &builder, Location loc, LoweringContext &context, TypeRange types,
    ValueRange dynamicSizes,
    llvm::function_ref<SmallVector<Value>(OpBuilder &)> body) {
  if (context.getTarget() != LoweringTarget::IREE)
    return body(builder);
  auto dispatch = iree::DispatchRegionOp::create(
      builder, loc, types, dynamicSizes, /*workload=*/ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&dispatch.getBody());
  iree::ReturnOp::create(builder, loc, body(builder));
  return dispatch.getOutputs();
}

Value mlir::wax::startLoops(OpBuilder &builder, Location loc,
                            LoweringContext &context, Value empty) {
  if (!context.isForGPU())
    return empty;
  Type element = getElementTypeOrSelf(empty.getType());
  Value zero =
      createScalar(builder, loc, element,
                   getConstantElement(createZero(builder, loc, element)));
  auto fill = linalg::FillOp::create(builder, loc, zero, empty);
  fill->setAttr("one_thread", builder.getUnitAttr());
  return fill.getResult(0);
}

/// How many workgroups rows are dealt to, if not by runs at most `most`.
static Value countWorkgroups(OpBuilder &builder, Location loc, Value rows,
                             OpFoldResult run, int64_t most) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (!run)
    return builder.createOrFold<arith::MinUIOp>(loc, rows, constant(most));
  Value length = getValueOrCreateConstantIndexOp(builder, loc, run);
  return builder.createOrFold<arith::CeilDivUIOp>(loc, rows, length);
}

/// The first row of a workgroup, and that after its last one: `run` rows to
/// each, or `rows / workgroups`, to some one more.
static std::pair<Value, Value> dealRows(OpBuilder &builder, Location loc,
                                        Value number, Value rows,
                                        Value workgroups, OpFoldResult run) {
  if (run) {
    Value length = getValueOrCreateConstantIndexOp(builder, loc, run);
    Value first = arith::MulIOp::create(builder, loc, number, length);
    Value end = arith::AddIOp::create(builder, loc, first, length);
    std::optional<int64_t> known = getConstantIntValue(rows);
    std::optional<int64_t> step = getConstantIntValue(run);
    if (!known || !step || *known % *step != 0)
      end = arith::MinUIOp::create(builder, loc, end, rows);
    return {first, end};
  }
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto startOf = [&](Value workgroup) -> Value {
    Value product = arith::MulIOp::create(builder, loc, workgroup, rows);
    return arith::DivUIOp::create(builder, loc, product, workgroups);
  };
  Value first = startOf(number);
  return {first, startOf(arith::AddIOp::create(builder, loc, number, one))};
}

RowsOutput mlir::wax::createWorkspace(OpBuilder &builder, OpFoldResult rows,
                                      int64_t width, Type element) {
  int64_t workgroups = std::min(
      getConstantIntValue(rows).value_or(mostWorkspaces), mostWorkspaces);
  return {RankedTensorType::get({workgroups, width}, element),
          {builder.getIndexAttr(workgroups), builder.getIndexAttr(width)},
          /*isWorkspace=*/true};
}

SmallVector<Value> mlir::wax::emitWorkgroups(
    OpBuilder &builder, Location loc, Value count, ValueRange tensors,
    llvm::function_ref<SmallVector<TensorPart>(OpBuilder &, Value number)>
        place,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange parts)>
        fill) {
  Attribute mapping =
      iree::SplitReductionMappingAttr::get(builder.getContext(), 0);
  auto forall = scf::ForallOp::create(builder, loc, {count}, tensors,
                                      builder.getArrayAttr(mapping));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forall.getBody());
  SmallVector<TensorPart> places = place(builder, forall.getInductionVar(0));
  auto getStrides = [&](const TensorPart &part) {
    return SmallVector<OpFoldResult>(part.offsets.size(),
                                     builder.getIndexAttr(1));
  };
  SmallVector<Value> parts;
  for (auto [part, whole] : llvm::zip_equal(places, forall.getRegionIterArgs()))
    parts.push_back(tensor::ExtractSliceOp::create(
        builder, loc, whole, part.offsets, part.sizes, getStrides(part)));
  SmallVector<Value> filled = fill(builder, parts);
  builder.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [value, part, whole] :
       llvm::zip_equal(filled, places, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(
        builder, loc, value, whole, part.offsets, part.sizes, getStrides(part));
  return forall.getResults();
}

/// Deals rows to workgroups.
static SmallVector<Value> emitRunsOfRows(OpBuilder &builder, Location loc,
                                         LoweringContext &context, Value rows,
                                         Value workgroups, OpFoldResult run,
                                         ArrayRef<RowsOutput> outputs,
                                         ValueRange empties, int64_t rowDim,
                                         RowsBody body) {
  Value first, end;
  auto place = [&](OpBuilder &inside, Value number) {
    std::tie(first, end) = dealRows(inside, loc, number, rows, workgroups, run);
    OpFoldResult count =
        getAsOpFoldResult(inside.createOrFold<arith::SubIOp>(loc, end, first));
    SmallVector<TensorPart> parts;
    for (auto [output, empty] : llvm::zip_equal(outputs, empties)) {
      TensorPart &part = parts.emplace_back();
      part.sizes = tensor::getMixedSizes(inside, loc, empty);
      part.offsets.assign(part.sizes.size(), inside.getIndexAttr(0));
      part.offsets[rowDim] = output.isWorkspace ? number : first;
      part.sizes[rowDim] = output.isWorkspace ? inside.getIndexAttr(1) : count;
    }
    return parts;
  };
  return emitWorkgroups(builder, loc, workgroups, empties, place,
                        [&](OpBuilder &inside, ValueRange parts) {
                          SmallVector<Value> begun(parts);
                          begun.front() =
                              startLoops(inside, loc, context, begun.front());
                          return body(inside, loc, first, end, begun);
                        });
}

SmallVector<Value> mlir::wax::emitRows(OpBuilder &builder, Location loc,
                                       LoweringContext &context,
                                       ArrayRef<RowsOutput> outputs,
                                       std::optional<int64_t> rowDim,
                                       RowsBody body, OpFoldResult run) {
  OpFoldResult mixedRows =
      rowDim ? outputs.front().sizes[*rowDim] : builder.getIndexAttr(1);
  Value rows = getValueOrCreateConstantIndexOp(builder, loc, mixedRows);
  // Known outside: IREE computes from it how many workgroups to start.
  Value workgroups;
  if (context.getTarget() == LoweringTarget::IREE &&
      getConstantIntValue(mixedRows) != 1)
    workgroups = countWorkgroups(
        builder, loc, rows, run,
        llvm::any_of(outputs,
                     [](const RowsOutput &one) { return one.isWorkspace; })
            ? mostWorkspaces
            : mostWorkgroups);

  SmallVector<Type> types;
  SmallVector<Value> dynamicSizes;
  for (const RowsOutput &output : outputs) {
    types.push_back(output.type);
    SmallVector<int64_t> staticSizes;
    dispatchIndexOpFoldResults(output.sizes, dynamicSizes, staticSizes);
  }
  return emitDispatch(
      builder, loc, context, types, dynamicSizes, [&](OpBuilder &inside) {
        SmallVector<Value> empties;
        for (const RowsOutput &output : outputs) {
          Type element = output.type.getElementType();
          // Of loops that carry one empty tensor several times upstream's
          // bufferization lets results that are not used share their memory.
          // A complex tensor may become two of one type.
          bool isShared = isa<ComplexType>(element) ||
                          llvm::count_if(outputs, [&](const RowsOutput &other) {
                            return other.type == output.type;
                          }) > 1;
          empties.push_back(
              isShared && context.getTarget() != LoweringTarget::IREE
                  ? createFilled(inside, loc, output.type, output.sizes,
                                 createZero(inside, loc, element))
                  : tensor::EmptyOp::create(inside, loc, output.sizes,
                                            element));
        }
        if (workgroups)
          return emitRunsOfRows(inside, loc, context, rows, workgroups, run,
                                outputs, empties, *rowDim, body);
        empties.front() = startLoops(inside, loc, context, empties.front());
        Value zero = arith::ConstantIndexOp::create(inside, loc, 0);
        return body(inside, loc, zero, rows, empties);
      });
}

OpFoldResult mlir::wax::getRunOfRows(OpBuilder &builder, Location loc,
                                     OpFoldResult width) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value run = arith::ConstantIndexOp::create(builder, loc, workgroupElements);
  Value length = getValueOrCreateConstantIndexOp(builder, loc, width);
  length = builder.createOrFold<arith::MaxUIOp>(loc, length, one);
  run = builder.createOrFold<arith::DivUIOp>(loc, run, length);
  return getAsOpFoldResult(builder.createOrFold<arith::MaxUIOp>(loc, run, one));
}

SmallVector<Value> mlir::wax::emitEachRow(OpBuilder &builder, Location loc,
                                          LoweringContext &context,
                                          ArrayRef<RowsOutput> outputs,
                                          RowBody body) {
  return emitRows(builder, loc, context, outputs, /*rowDim=*/0,
                  [&](OpBuilder &rows, Location loc, Value first, Value end,
                      ValueRange empties) {
                    Value one = arith::ConstantIndexOp::create(rows, loc, 1);
                    return emitLoop(
                        rows, loc, first, end, one, empties,
                        [&](OpBuilder &inside, Location loc, Value row,
                            ValueRange carried) {
                          Value at =
                              arith::SubIOp::create(inside, loc, row, first);
                          return body(inside, loc, row, at, carried);
                        });
                  });
}

Type mlir::wax::getStoredType(LoweringContext &context, Type element) {
  return context.getTarget() == LoweringTarget::IREE ? getStoredType(element)
                                                     : element;
}

SmallVector<Type> mlir::wax::getElementTypes(ValueRange tensors) {
  return llvm::map_to_vector(tensors, [](Value tensor) {
    return getElementTypeOrSelf(tensor.getType());
  });
}

SmallVector<Value> mlir::wax::readElements(OpBuilder &builder, Location loc,
                                           ValueRange tensors,
                                           ValueRange position,
                                           TypeRange elements) {
  SmallVector<Value> values;
  for (auto [tensor, element] : llvm::zip_equal(tensors, elements)) {
    Value value = tensor::ExtractOp::create(builder, loc, tensor, position);
    values.push_back(convertStored(builder, loc, value, element));
  }
  return values;
}

SmallVector<Value> mlir::wax::writeElements(OpBuilder &builder, Location loc,
                                            ValueRange values,
                                            ValueRange tensors,
                                            ValueRange position) {
  SmallVector<Value> written;
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    Value stored = convertStored(builder, loc, value,
                                 getElementTypeOrSelf(tensor.getType()));
    written.push_back(
        tensor::InsertOp::create(builder, loc, stored, tensor, position));
  }
  return written;
}

SmallVector<Value>
mlir::wax::emitLoop(OpBuilder &builder, Location loc, Value from, Value to,
                    Value step, ValueRange values,
                    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location,
                                                          Value, ValueRange)>
                        body) {
  auto loop = scf::ForOp::create(
      builder, loc, from, to, step, values,
      [&](OpBuilder &inside, Location loc, Value index, ValueRange carried) {
        scf::YieldOp::create(inside, loc, body(inside, loc, index, carried));
      });
  return loop.getResults();
}

SmallVector<Value> mlir::wax::emitNest(OpBuilder &builder, Location loc,
                                       ValueRange sizes, ValueRange values,
                                       NestBody body) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> indices;
  std::function<SmallVector<Value>(OpBuilder &, ValueRange)> nest =
      [&](OpBuilder &inside, ValueRange carried) -> SmallVector<Value> {
    size_t depth = indices.size();
    if (depth == sizes.size())
      return body(inside, loc, indices, carried);
    return emitLoop(
        inside, loc, zero, sizes[depth], one, carried,
        [&](OpBuilder &inner, Location, Value index, ValueRange carried) {
          indices.push_back(index);
          SmallVector<Value> next = nest(inner, carried);
          indices.pop_back();
          return next;
        });
  };
  return nest(builder, values);
}
