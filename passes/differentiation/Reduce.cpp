//===- Reduce.cpp - Derivatives of reductions ---------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// The dims of the operands that the results have.
SmallVector<int64_t> getKeptDims(ReduceOp op) {
  return getOtherDims(
      cast<RankedTensorType>(op.getInputs().front().getType()).getRank(),
      op.getDims());
}

//===----------------------------------------------------------------------===//
// Maximum and minimum: elements that are equal to the result share alike
//===----------------------------------------------------------------------===//

/// `value` where an element is the result, else 0.
Value whereChosen(OpBuilder &body, Location loc, Value element, Value result,
                  Value value) {
  Value chosen = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OEQ,
                                       element, result);
  return arith::SelectOp::create(
      body, loc, chosen, value,
      scalar::constant(body, loc, value.getType(), 0));
}

/// How many elements are the result, as a float; or what `tangent` has there.
Value sumChosen(ReduceOp op, OpBuilder &builder, Value tangent) {
  Value input = op.getInputs().front(), result = op->getResult(0);
  Type sum = getSumType(getElementTypeOrSelf(input.getType()));
  SmallVector<Operand> operands{{input, getAllDims(input)},
                                {result, getKeptDims(op)}};
  if (tangent)
    operands.push_back({tangent, getAllDims(input)});
  Value chosen = createBroadcast(
      builder, op.getLoc(), operands, getSizes(builder, op.getLoc(), input),
      [&](OpBuilder &body, Location loc, ValueRange in) {
        Value value = tangent ? scalar::convert(body, loc, in[2], sum)
                              : scalar::constant(body, loc, sum, 1);
        return whereChosen(body, loc, in[0], in[1], value);
      });
  return createSum(builder, op.getLoc(), chosen, op.getDims());
}

Value pushExtremum(ReduceOp op, OpBuilder &builder, Value tangent) {
  Type element = getElementTypeOrSelf(tangent.getType());
  return createPointwise(
      builder, op.getLoc(),
      {sumChosen(op, builder, tangent), sumChosen(op, builder, nullptr)},
      [&](OpBuilder &body, Location loc, ValueRange in) {
        return scalar::convert(body, loc, scalar::div(body, loc, in[0], in[1]),
                               element);
      });
}

Value pullExtremum(ReduceOp op, OpBuilder &builder, Value cotangent) {
  Location loc = op.getLoc();
  Value input = op.getInputs().front();
  Type element = getElementTypeOrSelf(cotangent.getType());
  Value share = createPointwise(
      builder, loc, {cotangent, sumChosen(op, builder, nullptr)},
      [&](OpBuilder &body, Location loc, ValueRange in) {
        Value wide = scalar::convert(body, loc, in[0], in[1].getType());
        return scalar::convert(body, loc, scalar::div(body, loc, wide, in[1]),
                               element);
      });
  SmallVector<int64_t> kept = getKeptDims(op);
  SmallVector<Operand> operands{
      {input, getAllDims(input)}, {op->getResult(0), kept}, {share, kept}};
  return createBroadcast(builder, loc, operands, getSizes(builder, loc, input),
                         [](OpBuilder &body, Location loc, ValueRange in) {
                           return whereChosen(body, loc, in[0], in[1], in[2]);
                         });
}

//===----------------------------------------------------------------------===//
// Any fold: the last of all its prefixes
//===----------------------------------------------------------------------===//

/// The operands with the reduced dims merged into one, which comes last.
class Merged {
public:
  Merged(ReduceOp op, OpBuilder &builder)
      : op(op), kept(getKeptDims(op)), order(kept) {
    llvm::append_range(order, op.getDims());
    for (auto [dim, source] : llvm::enumerate(kept)) {
      split.push_back({static_cast<int64_t>(dim)});
      merged.push_back({static_cast<int64_t>(dim)});
    }
    int64_t count = kept.size();
    split.push_back({});
    for (int64_t dim : llvm::seq<int64_t>(count, order.size()))
      split.back().push_back(dim);
    merged.push_back({count});
  }

  int64_t getDim() const { return kept.size(); }

  Value merge(OpBuilder &builder, Value input) const {
    Location loc = op.getLoc();
    Value ordered = PermuteOp::create(builder, loc, input, order);
    auto type = cast<RankedTensorType>(ordered.getType());
    SmallVector<int64_t> shape(type.getShape().take_front(kept.size()));
    ArrayRef<int64_t> reduced = type.getShape().drop_front(kept.size());
    int64_t count = 1;
    for (int64_t size : reduced)
      count = ShapedType::isDynamic(size) || ShapedType::isDynamic(count)
                  ? ShapedType::kDynamic
                  : count * size;
    // Of a size that is 0 the others do not matter.
    shape.push_back(llvm::is_contained(reduced, 0) ? 0 : count);
    return ReshapeOp::create(builder, loc, type.clone(shape), ordered,
                             ValueRange(), getDimGroups(builder, split),
                             getDimGroups(builder, merged));
  }

  /// Undoes `merge`; `input` is what was merged.
  Value restore(OpBuilder &builder, Value value, Value input) const {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> sizes = getSizes(builder, loc, input);
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    bool isMerge = split.back().size() != 1;
    for (auto [place, dim] : llvm::enumerate(order)) {
      auto size = dyn_cast<Value>(sizes[dim]);
      shape.push_back(
          size ? ShapedType::kDynamic
               : cast<RankedTensorType>(input.getType()).getDimSize(dim));
      bool follows = place < kept.size()
                         ? type.isDynamicDim(place)
                         : !isMerge && type.isDynamicDim(kept.size());
      if (size && !follows)
        dynamic.push_back(size);
    }
    Value ordered = ReshapeOp::create(builder, loc, type.clone(shape), value,
                                      dynamic, getDimGroups(builder, merged),
                                      getDimGroups(builder, split));
    return PermuteOp::create(builder, loc, ordered,
                             invertPermutationVector(order));
  }

  /// A result's cotangent as that of a scan's: at the last element.
  Value placeLast(OpBuilder &builder, Value cotangent, Value like) const {
    Location loc = op.getLoc();
    int64_t dim = getDim();
    SmallVector<OpFoldResult> sizes = getSizes(builder, loc, like);
    Type word = builder.getI64Type();
    SmallVector<Value> dynamic;
    auto size = dyn_cast<Value>(sizes[dim]);
    if (size)
      dynamic.push_back(size);
    int64_t count = cast<RankedTensorType>(like.getType()).getDimSize(dim);
    Value index = IotaOp::create(
        builder, loc, RankedTensorType::get({count}, word), dynamic, 0);
    Value counted =
        size ? tensor::FromElementsOp::create(
                   builder, loc, RankedTensorType::get({}, word),
                   arith::IndexCastOp::create(builder, loc, word, size)
                       .getResult())
                   .getResult()
             : createScalarTensor(builder, loc, word, count);
    SmallVector<Operand> operands{
        {cotangent, getAllDims(cotangent)}, {index, {dim}}, {counted, {}}};
    return createBroadcast(
        builder, loc, operands, sizes,
        [](OpBuilder &body, Location loc, ValueRange in) -> Value {
          Value one =
              arith::ConstantOp::create(body, loc, body.getI64IntegerAttr(1));
          Value next = arith::AddIOp::create(body, loc, in[1], one);
          Value isLast = arith::CmpIOp::create(
              body, loc, arith::CmpIPredicate::eq, next, in[2]);
          return arith::SelectOp::create(
              body, loc, isLast, in[0],
              scalar::constant(body, loc, in[0].getType(), 0));
        });
  }

private:
  using Groups = SmallVector<SmallVector<int64_t, 2>>;

  mutable ReduceOp op;
  SmallVector<int64_t> kept, order;
  Groups split, merged;
};

Derivatives pullFold(ReduceOp op, OpBuilder &builder,
                     ArrayRef<Value> cotangents,
                     const llvm::SmallBitVector &wanted) {
  Merged merged(op, builder);
  Folding folding = getFolding(op, op.getInputs());
  for (Value &input : folding.inputs)
    input = merged.merge(builder, input);
  SmallVector<Value> last = llvm::map_to_vector(cotangents, [&](Value value) {
    return value ? merged.placeLast(builder, value, folding.inputs.front())
                 : Value();
  });
  SmallVector<Value> before =
      createPrefixes(builder, folding, merged.getDim(), /*reverse=*/false);
  ScanPull pull{folding,
                merged.getDim(),
                /*exclusive=*/false,
                /*reverse=*/false,
                last,
                before,
                wanted};
  Derivatives pulled = pull.run(builder);
  if (failed(pulled))
    return failure();
  for (auto [value, input] : llvm::zip(*pulled, op.getInputs()))
    if (value)
      value = merged.restore(builder, value, input);
  return pulled;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

struct DifferentiateReduce
    : DifferentiableOpInterface::ExternalModel<DifferentiateReduce, ReduceOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    auto reduce = cast<ReduceOp>(op);
    Folding folding = getFolding(reduce, reduce.getInputs());
    if (isExtremum(reduce.getFold()) && !tangents[1])
      return SmallVector<Value>{pushExtremum(reduce, builder, tangents[0])};
    return pushFold(builder, folding, tangents,
                    [&](TypeRange types, ValueRange inputs, ValueRange inits) {
                      return ReduceOp::create(builder, op->getLoc(), types,
                                              inputs, inits, reduce.getDims());
                    });
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto reduce = cast<ReduceOp>(op);
    Folding folding = getFolding(reduce, reduce.getInputs());
    Location loc = op->getLoc();
    size_t inputCount = folding.inputs.size();
    SmallVector<Value> results(op->getNumOperands());
    bool isOfSum = isSum(reduce.getFold(), inputCount);
    for (unsigned i = inputCount; i < wanted.size(); ++i)
      if (wanted[i]) {
        if (!isOfSum)
          return op->emitOpError("has no derivative by where it starts"),
                 failure();
        results[i] = sumToStart(builder, loc, cotangents[i - inputCount]);
      }

    if (isExtremum(reduce.getFold())) {
      results[0] = pullExtremum(reduce, builder, cotangents[0]);
      return results;
    }
    Derivatives pulled = failure();
    if (isOfSum) {
      SmallVector<Operand> given;
      for (Value cotangent : cotangents)
        given.push_back({cotangent, getKeptDims(reduce)});
      pulled = pullSum(builder, folding, given, wanted);
    } else {
      pulled = pullFold(reduce, builder, cotangents, wanted);
    }
    if (failed(pulled))
      return failure();
    llvm::copy(*pulled, results.begin());
    return results;
  }
};

} // namespace

void mlir::wax::attachReduceDerivatives(MLIRContext *context) {
  ReduceOp::attachInterface<DifferentiateReduce>(*context);
}
