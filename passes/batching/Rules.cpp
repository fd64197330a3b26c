//===- Rules.cpp - What the rules of batching share -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

RankedTensorType mlir::wax::getBatchedType(Type type, int64_t size) {
  SmallVector<int64_t> shape{size};
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    llvm::append_range(shape, tensor.getShape());
    return tensor.clone(shape);
  }
  if (type.isIndex())
    type = IntegerType::get(type.getContext(), 64);
  return RankedTensorType::get(shape, type);
}

OpFoldResult mlir::wax::getBatchSize(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> operands,
                                     const llvm::SmallBitVector &batched) {
  return tensor::getMixedSize(builder, loc, operands[batched.find_first()], 0);
}

Value mlir::wax::createRepeated(OpBuilder &builder, Location loc, Value value,
                                OpFoldResult size) {
  if (!isa<RankedTensorType>(value.getType()))
    value = createRank0(builder, loc, value);
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<int64_t> known = getConstantIntValue(size);
  RankedTensorType batched =
      getBatchedType(type, known.value_or(ShapedType::kDynamic));
  // Counting along another dim costs no more than along the row's.
  if (auto iota = value.getDefiningOp<IotaOp>()) {
    SmallVector<Value> sizes;
    if (!known)
      sizes.push_back(cast<Value>(size));
    llvm::append_range(sizes, iota.getSizes());
    return IotaOp::create(builder, loc, batched, sizes, iota.getDim() + 1);
  }
  SmallVector<OpFoldResult> sizes{size};
  llvm::append_range(sizes, getSizes(builder, loc, value));
  Value repeated = createBroadcast(
      builder, loc, Operand{value, shiftDims(getAllDims(value))}, sizes,
      [](OpBuilder &, Location, ValueRange in) { return in[0]; });
  return castTo(builder, loc, batched, repeated);
}

SmallVector<Value>
mlir::wax::repeatOthers(OpBuilder &builder, Location loc,
                        ArrayRef<Value> operands,
                        const llvm::SmallBitVector &batched) {
  OpFoldResult size = getBatchSize(builder, loc, operands, batched);
  SmallVector<Value> all(operands);
  for (auto [i, operand] : llvm::enumerate(all))
    if (!batched[i])
      operand = createRepeated(builder, loc, operand, size);
  return all;
}

SmallVector<int64_t> mlir::wax::shiftDims(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

SmallVector<int64_t> mlir::wax::prepend(int64_t first, ArrayRef<int64_t> list) {
  SmallVector<int64_t> all{first};
  llvm::append_range(all, list);
  return all;
}

SmallVector<int64_t> mlir::wax::getBatchedDims(ArrayRef<int64_t> dims) {
  return prepend(0, shiftDims(dims));
}

SmallVector<int64_t> mlir::wax::getBatchedDims(ArrayRef<int64_t> dims,
                                               bool isBatched) {
  return isBatched ? getBatchedDims(dims) : shiftDims(dims);
}

Value mlir::wax::createRowSelect(OpBuilder &builder, Location loc,
                                 Value condition, Value onTrue,
                                 bool isTrueBatched, Value onFalse,
                                 bool isFalseBatched) {
  auto getOperand = [](Value value, bool isBatched) {
    SmallVector<int64_t> dims = getAllDims(value);
    return Operand{value, isBatched ? dims : shiftDims(dims)};
  };
  SmallVector<Operand> operands{{condition, {0}},
                                getOperand(onTrue, isTrueBatched),
                                getOperand(onFalse, isFalseBatched)};
  Value longer = isTrueBatched ? onTrue : onFalse;
  SmallVector<OpFoldResult> sizes;
  if (!isTrueBatched && !isFalseBatched)
    sizes.push_back(tensor::getMixedSize(builder, loc, condition, 0));
  llvm::append_range(sizes, getSizes(builder, loc, longer));
  return createBroadcast(
      builder, loc, operands, sizes,
      [](OpBuilder &body, Location loc, ValueRange in) -> Value {
        return arith::SelectOp::create(body, loc, in[0], in[1], in[2]);
      });
}

FailureOr<Operation *>
mlir::wax::cloneBatched(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> operands,
                        const llvm::SmallBitVector &batched) {
  for (unsigned i : batched.set_bits())
    if (op->getOperand(i).getType().isIndex()) {
      op->emitError() << "'" << op->getName()
                      << "' has a size that differs within the batch";
      return failure();
    }
  int64_t size = ShapedType::kDynamic;
  for (auto [i, operand] : llvm::enumerate(operands))
    if (batched.test(i))
      size = cast<RankedTensorType>(operand.getType()).getDimSize(0);
  Operation *made = builder.clone(*op);
  made->setOperands(operands);
  for (Value result : made->getResults())
    result.setType(getBatchedType(result.getType(), size));
  return made;
}
