//===- Indexing.cpp - Derivatives of gather and scatter -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

static Value toWord(OpBuilder &body, Location loc, Value index) {
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(body, loc, body.getI64Type(), index);
}

static Value createNumber(OpBuilder &body, Location loc, Type type,
                          int64_t value) {
  return arith::ConstantOp::create(body, loc, body.getIntegerAttr(type, value));
}

/// Indices from 0 to `last`, if their type has it.
static Value clampTo(OpBuilder &builder, Location loc, Value index,
                     int64_t last) {
  Type type = getElementTypeOrSelf(index.getType());
  return createPointwise(
      builder, loc, index,
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Value low = arith::MaxSIOp::create(body, loc, in[0],
                                           createNumber(body, loc, type, 0));
        if (!llvm::isIntN(type.getIntOrFloatBitWidth(), last))
          return low;
        return arith::MinSIOp::create(body, loc, low,
                                      createNumber(body, loc, type, last));
      });
}

/// Indices from 0 to below `count`, as i64.
static Value clampBelow(OpBuilder &builder, Location loc, Value index,
                        Value count) {
  SmallVector<Operand> operands{{index, getAllDims(index)}, {count, {}}};
  return createBroadcast(
      builder, loc, operands, {},
      [](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Type word = in[1].getType();
        Value last = arith::SubIOp::create(body, loc, in[1],
                                           createNumber(body, loc, word, 1));
        Value low = arith::MaxSIOp::create(body, loc, toWord(body, loc, in[0]),
                                           createNumber(body, loc, word, 0));
        return arith::MinSIOp::create(body, loc, low, last);
      });
}

namespace {

/// The places that `gather` and `scatter` name alike: dims of a tensor that are
/// read straight, or at the next index.
struct Places {
  Value tensor;
  ValueRange indices;
  ArrayRef<int64_t> dims;
  ArrayAttr indexDims;

  SmallVector<int64_t> getDimsOfIndex(unsigned i) const {
    return SmallVector<int64_t>(
        cast<DenseI64ArrayAttr>(indexDims[i]).asArrayRef());
  }

  /// For each index, how many elements it chooses from.
  SmallVector<OpFoldResult> getCounts(OpBuilder &builder, Location loc) const {
    SmallVector<OpFoldResult> counts;
    for (auto [size, from] : llvm::zip(getSizes(builder, loc, tensor), dims))
      if (from < 0)
        counts.push_back(size);
    return counts;
  }

  /// True where there is nothing to choose from: no index is in range.
  bool isEmpty() const {
    auto type = cast<RankedTensorType>(tensor.getType());
    for (auto [dim, from] : llvm::enumerate(dims))
      if (from < 0 && type.getDimSize(dim) == 0)
        return true;
    return false;
  }

  /// The indices as gather reads them, clamped.
  SmallVector<Value> clamp(OpBuilder &builder, Location loc) const {
    SmallVector<Value> clamped;
    for (auto [index, count] :
         llvm::zip_equal(indices, getCounts(builder, loc)))
      clamped.push_back(
          isa<Attribute>(count)
              ? clampTo(builder, loc, index, *getConstantIntValue(count) - 1)
              : clampBelow(builder, loc, index,
                           createCount(builder, loc, count)));
    return clamped;
  }

  Value gather(OpBuilder &builder, Location loc, Value from) const {
    return GatherOp::create(builder, loc, from, indices, dims, indexDims);
  }

  /// `value`, of the updates' shape, where all indices are in range and
  /// `extra`, two tensors of equal numbers, agree; 0 elsewhere.
  Value keepInRange(OpBuilder &builder, Location loc, Value value,
                    ValueRange extra = {}) const {
    SmallVector<Operand> operands{{value, getAllDims(value)}};
    for (auto [i, index] : llvm::enumerate(indices))
      operands.push_back({index, getDimsOfIndex(i)});
    for (OpFoldResult count : getCounts(builder, loc))
      operands.push_back({createCount(builder, loc, count), {}});
    for (Value number : extra)
      operands.push_back({number, getAllDims(number)});
    size_t count = indices.size();
    return createBroadcast(
        builder, loc, operands, {},
        [&](OpBuilder &body, Location loc, ValueRange in) {
          Value condition;
          auto require = [&](arith::CmpIPredicate predicate, Value x, Value y) {
            Value holds = arith::CmpIOp::create(body, loc, predicate, x, y);
            condition = condition
                            ? arith::AndIOp::create(body, loc, condition, holds)
                                  .getResult()
                            : holds;
          };
          for (size_t i = 0; i < count; ++i)
            require(arith::CmpIPredicate::ult, toWord(body, loc, in[1 + i]),
                    in[1 + count + i]);
          if (!extra.empty())
            require(arith::CmpIPredicate::eq, in[1 + 2 * count],
                    in[2 + 2 * count]);
          if (!condition)
            return in[0];
          return arith::SelectOp::create(
                     body, loc, condition, in[0],
                     scalar::constant(body, loc, in[0].getType(), 0))
              .getResult();
        });
  }

  /// Adds updates to zeros of the tensor's shape.
  Value addUp(OpBuilder &builder, Location loc, Value updates,
              ValueRange places) const {
    Type element = getElementTypeOrSelf(updates.getType());
    Type sum = getSumType(element);
    Value zeros = createZeros(builder, loc, tensor, sum);
    auto scatter =
        ScatterOp::create(builder, loc, zeros.getType(),
                          createConverted(builder, loc, updates, sum), zeros,
                          places, dims, indexDims);
    buildKernel(builder, loc, scatter.getFold(), {sum, sum}, addAccumulators);
    buildKernel(builder, loc, scatter.getCombine(), {sum, sum},
                addAccumulators);
    return createConverted(builder, loc, scatter->getResult(0), element);
  }
};

struct DifferentiateGather
    : DifferentiableOpInterface::ExternalModel<DifferentiateGather, GatherOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  /// Gather clamps indices, scatter drops what is out of range.
  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    auto gather = cast<GatherOp>(op);
    Location loc = op->getLoc();
    Places places{gather.getOperand(), gather.getIndices(),
                  gather.getOperandDims(), gather.getIndexDims()};
    SmallVector<Value> results(op->getNumOperands());
    results[0] = places.addUp(builder, loc, cotangents.front(),
                              places.clamp(builder, loc));
    return results;
  }
};

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// True for a fold that sets elements.
bool isSetting(ScatterOp op) {
  return op.getUpdates().size() == 1 &&
         getForwardedArgument(op.getFold()) == 0u;
}

/// The number of each update in row-major order, as i64.
Value createNumbers(OpBuilder &builder, Location loc, Value updates) {
  Type word = builder.getI64Type();
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, updates);
  SmallVector<Operand> operands;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    SmallVector<Value> dynamic;
    if (auto value = dyn_cast<Value>(size))
      dynamic.push_back(value);
    auto type = RankedTensorType::get(
        {cast<RankedTensorType>(updates.getType()).getDimSize(dim)}, word);
    operands.push_back({IotaOp::create(builder, loc, type, dynamic, 0),
                        {static_cast<int64_t>(dim)}});
    operands.push_back({createCount(builder, loc, size), {}});
  }
  if (operands.empty())
    return createScalarTensor(builder, loc, word, 0);
  return createBroadcast(
      builder, loc, operands, sizes,
      [](OpBuilder &body, Location loc, ValueRange in) {
        Value number = in[0];
        for (size_t i = 2; i < in.size(); i += 2)
          number = arith::AddIOp::create(
              body, loc, arith::MulIOp::create(body, loc, number, in[i + 1]),
              in[i]);
        return number;
      });
}

/// The same setting of other updates.
Value setAlike(ScatterOp op, OpBuilder &builder, Value updates, Value init) {
  Type element = getElementTypeOrSelf(init.getType());
  auto scatter = ScatterOp::create(builder, op.getLoc(), init.getType(),
                                   updates, init, op.getIndices(),
                                   op.getOperandDims(), op.getIndexDims());
  buildKernel(builder, op.getLoc(), scatter.getFold(), {element, element},
              [](OpBuilder &, Location, ValueRange in) {
                return SmallVector<Value>{in[0]};
              });
  return scatter->getResult(0);
}

struct DifferentiateScatter
    : DifferentiableOpInterface::ExternalModel<DifferentiateScatter,
                                               ScatterOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    auto scatter = cast<ScatterOp>(op);
    if (isSetting(scatter))
      return pushThrough(op, 2, builder, tangents);
    Folding folding = getFolding(scatter, scatter.getUpdates());
    if (!isSum(scatter.getFold(), folding.inputs.size()))
      return refuse(op);
    return pushFold(builder, folding, tangents,
                    [&](TypeRange types, ValueRange updates, ValueRange inits) {
                      return ScatterOp::create(
                          builder, op->getLoc(), types, updates, inits,
                          scatter.getIndices(), scatter.getOperandDims(),
                          scatter.getIndexDims());
                    });
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto scatter = cast<ScatterOp>(op);
    Location loc = op->getLoc();
    Places places{scatter.getInits().front(), scatter.getIndices(),
                  scatter.getOperandDims(), scatter.getIndexDims()};
    size_t count = scatter.getUpdates().size();
    SmallVector<Value> results(op->getNumOperands());
    if (isSetting(scatter)) {
      if (wanted[0] && !places.isEmpty())
        results[0] = pullLast(scatter, places, builder, cotangents.front());
      if (wanted[1])
        results[1] = setAlike(
            scatter, builder,
            createZerosLike(builder, loc, scatter.getUpdates().front()),
            cotangents.front());
      return results;
    }

    Folding folding = getFolding(scatter, scatter.getUpdates());
    if (!isSum(scatter.getFold(), count))
      return refuse(op);
    for (auto [i, cotangent] : llvm::enumerate(cotangents))
      results[count + i] = cotangent;
    if (places.isEmpty())
      return results;
    SmallVector<Operand> gathered;
    for (Value cotangent : cotangents) {
      gathered.emplace_back();
      if (!cotangent)
        continue;
      Value own = places.keepInRange(builder, loc,
                                     places.gather(builder, loc, cotangent));
      gathered.back() = {own, getAllDims(own)};
    }
    Derivatives pulled = pullSum(builder, folding, gathered, wanted);
    if (failed(pulled))
      return failure();
    llvm::copy(*pulled, results.begin());
    return results;
  }

  /// Of several updates at one place the last one has the cotangent: the one
  /// whose number stays when numbers are set.
  static Value pullLast(ScatterOp op, const Places &places, OpBuilder &builder,
                        Value cotangent) {
    Location loc = op.getLoc();
    Value numbers = createNumbers(builder, loc, op.getUpdates().front());
    Value none = createZeros(builder, loc, places.tensor, builder.getI64Type());
    Value last =
        places.gather(builder, loc, setAlike(op, builder, numbers, none));
    return places.keepInRange(
        builder, loc, places.gather(builder, loc, cotangent), {numbers, last});
  }

  static LogicalResult refuse(Operation *op) {
    return op->emitOpError("is differentiable where its fold adds to elements "
                           "or sets them");
  }
};

} // namespace

void mlir::wax::attachIndexingDerivatives(MLIRContext *context) {
  GatherOp::attachInterface<DifferentiateGather>(*context);
  ScatterOp::attachInterface<DifferentiateScatter>(*context);
}
