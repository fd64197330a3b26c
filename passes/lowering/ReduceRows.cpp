//===- ReduceRows.cpp - Folds of rows by vectors --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE 3.13 vectorizes a reduction where a row is a multiple of 16 long, known,
// and folded into one accumulator by one operation. Others it folds element by
// element. Here every lane folds elements of its own; then `combine` folds the
// upper half of the lanes into the lower one, until one is left.
//
//===----------------------------------------------------------------------===//

#include "ReduceRows.h"

#include "Along.h"
#include "Dispatch.h"
#include "Rows.h"
#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Rows shorter than this are unrolled by IREE.
constexpr int64_t shortestRow = 8;
/// What IREE's own vectors of a row have to divide.
constexpr int64_t ownLanes = 16;

struct RowFold {
  ReduceOp reduce;
  ScalarCode fold, combine;
  SmallVector<Attribute> constants;
  RowReader reader;
  int64_t lanes = 0;
  /// The accumulators whose results are needed.
  SmallVector<unsigned> needed;

  RowFold(OpBuilder &builder, ReduceOp reduce, ArrayRef<Attribute> constants,
          int64_t rank)
      : reduce(reduce), fold(builder, reduce.getFold(), constants),
        combine(builder, reduce.getCombine()), constants(constants),
        reader(reduce, rank, reduce.getDims().size()) {}

  bool isPossible() {
    if (!fold.hasLanes() || !combine.hasLanes())
      return false;
    for (auto [input, constant] :
         llvm::zip_equal(reduce.getInputs(), constants))
      if (!constant && !reader.add(input))
        return false;
    return true;
  }

  Value createInit(OpBuilder &builder, Location loc, Value init) {
    Attribute constant = getConstantElement(init);
    Value scalar =
        constant ? createScalar(builder, loc, getElementTypeOrSelf(init),
                                constant)
                 : tensor::ExtractOp::create(builder, loc, init).getResult();
    return createSplat(builder, loc, scalar, lanes);
  }

  SmallVector<Value> step(OpBuilder &builder, Location loc, Value first,
                          Value mask, ValueRange accumulators) {
    SmallVector<Value> read = reader.read(builder, loc, first, mask);
    SmallVector<Value> arguments;
    unsigned next = 0;
    for (auto [input, constant] :
         llvm::zip_equal(reduce.getInputs(), constants)) {
      // In the place of a constant, which the code holds itself.
      arguments.push_back(constant ? accumulators.front() : read[next++]);
    }
    llvm::append_range(arguments, accumulators);
    return fold.emitOnLanes(builder, arguments, lanes);
  }

  /// The folds of a row of `size` elements.
  SmallVector<Value> foldRow(OpBuilder &builder, Location loc,
                             ValueRange indices, OpFoldResult size) {
    reader.startRow(builder, loc, indices, lanes);
    SmallVector<Value> accumulators =
        llvm::map_to_vector(reduce.getInits(), [&](Value init) {
          return createInit(builder, loc, init);
        });
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value step = constant(lanes), zero = constant(0), rest, whole;
    std::optional<int64_t> known = getConstantIntValue(size);
    if (known) {
      rest = constant(*known % lanes);
      whole = constant(*known - *known % lanes);
    } else {
      Value all = getValueOrCreateConstantIndexOp(builder, loc, size);
      rest = arith::RemUIOp::create(builder, loc, all, step);
      whole = arith::SubIOp::create(builder, loc, all, rest);
    }
    if (!known || *known >= lanes)
      accumulators = emitLoop(
          builder, loc, zero, whole, step, accumulators,
          [&](OpBuilder &body, Location loc, Value first, ValueRange carried) {
            return this->step(body, loc, first, /*mask=*/Value(), carried);
          });
    if (!known || *known % lanes != 0) {
      Value mask = vector::CreateMaskOp::create(
          builder, loc, VectorType::get(lanes, builder.getI1Type()), rest);
      SmallVector<Value> next =
          this->step(builder, loc, whole, mask, accumulators);
      for (auto [accumulator, value] : llvm::zip_equal(accumulators, next))
        accumulator =
            arith::SelectOp::create(builder, loc, mask, value, accumulator);
    }
    for (int64_t left = lanes / 2; left > 0; left /= 2) {
      SmallVector<Value> halves;
      for (int64_t from : {int64_t(0), left})
        for (Value accumulator : accumulators)
          halves.push_back(
              createShuffle(builder, loc, accumulator,
                            llvm::to_vector(llvm::seq(from, from + left))));
      accumulators = combine.emitOnLanes(builder, halves, left);
    }
    return llvm::map_to_vector(needed, [&](unsigned i) -> Value {
      return vector::ExtractOp::create(builder, loc, accumulators[i],
                                       ArrayRef<int64_t>{0});
    });
  }
};

/// The indices in dims of `sizes` of element `number` of them all.
SmallVector<Value> getIndices(OpBuilder &builder, Location loc, Value number,
                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (int64_t dim = sizes.size() - 1; dim > 0; --dim) {
    Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]);
    indices[dim] = arith::RemUIOp::create(builder, loc, number, size);
    number = arith::DivUIOp::create(builder, loc, number, size);
  }
  if (!indices.empty())
    indices.front() = number;
  return indices;
}

} // namespace

std::optional<SmallVector<Value>>
mlir::wax::reduceRows(ReduceOp reduce, RewriterBase &rewriter,
                      LoweringContext &context) {
  Location loc = reduce.getLoc();
  int64_t rank =
      cast<RankedTensorType>(reduce.getInputs()[0].getType()).getRank();
  ArrayRef<int64_t> dims = reduce.getDims();
  int64_t rowDims = rank - dims.size();
  // Dims are increasing.
  if (!reduce.hasCombine() || dims.empty() || dims.front() != rowDims)
    return std::nullopt;
  SmallVector<Attribute> constants =
      llvm::map_to_vector(reduce.getInputs(), getConstantElement);
  if (llvm::all_of(constants, [](Attribute value) { return value; }))
    return std::nullopt;
  for (Value init : reduce.getInits())
    if (!isLaneType(getElementTypeOrSelf(init)))
      return std::nullopt;
  RowFold rows(rewriter, reduce, constants, rank);
  if (!rows.isPossible() || rows.reader.hasProducts())
    return std::nullopt;

  SmallVector<OpFoldResult> sizes =
      context.getSizes(rewriter, loc, reduce.getInputs()[0]);
  ArrayRef<OpFoldResult> outer(sizes);
  OpFoldResult along =
      multiply(rewriter, loc, outer.drop_front(rowDims));
  outer = outer.take_front(rowDims);
  std::optional<int64_t> known = getConstantIntValue(along);
  bool isOwn = known && *known % ownLanes == 0 && reduce.getNumResults() == 1 &&
               !rows.reader.hasProducers();
  if (isOwn || (known && *known < shortestRow))
    return std::nullopt;

  SmallVector<Type> elements(rows.reader.getElements());
  for (Value init : reduce.getInits())
    elements.push_back(getElementTypeOrSelf(init));
  rows.lanes = getLanes(elements);
  if (known)
    rows.lanes = std::min<int64_t>(rows.lanes, llvm::PowerOf2Ceil(*known));
  rows.reader.mergeRows(rewriter, loc);

  OpFoldResult count = multiply(rewriter, loc, outer);
  SmallVector<RowsOutput> outputs;
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    if (result.use_empty())
      continue;
    Type element = getElementTypeOrSelf(result);
    rows.needed.push_back(i);
    outputs.push_back(
        {getTensorType(count, getStoredType(context, element)), {count}});
  }
  if (outputs.empty())
    return std::nullopt;
  SmallVector<Value> made = emitRows(
      rewriter, loc, context, outputs, /*rowDim=*/0,
      [&](OpBuilder &builder, Location loc, Value first, Value end,
          ValueRange empties) {
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        return emitLoop(
            builder, loc, first, end, one, empties,
            [&](OpBuilder &body, Location loc, Value row, ValueRange carried) {
              SmallVector<Value> indices = getIndices(body, loc, row, outer);
              SmallVector<Value> folded =
                  rows.foldRow(body, loc, indices, along);
              Value at = arith::SubIOp::create(body, loc, row, first);
              return writeElements(body, loc, folded, carried, at);
            });
      });

  SmallVector<Value> results;
  for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    auto *place = llvm::find(rows.needed, i);
    if (place == rows.needed.end()) {
      results.push_back(createEmptyLike(rewriter, loc, result, context));
      continue;
    }
    Value value = loadStored(rewriter, loc,
                             made[place - rows.needed.begin()],
                             type.getElementType());
    if (rowDims == 0) {
      value = tensor::CollapseShapeOp::create(rewriter, loc, value,
                                              ArrayRef<ReassociationIndices>());
    } else if (rowDims > 1) {
      ReassociationIndices all = llvm::to_vector<2>(llvm::seq(rowDims));
      value = createReshape(rewriter, loc, context.getTarget(), value,
                            ReassociationIndices{0}, all, outer);
    }
    results.push_back(castTo(rewriter, loc, type, value));
  }
  return results;
}
