//===- Walk.cpp - A walk that batches what it meets -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

Value BatchWalk::toBatched(Row row, Type type) {
  Location loc = row.value.getLoc();
  Value batched =
      row.isBatched ? row.value : createRepeated(builder, loc, row.value, size);
  return castTo(builder, loc, getBatchedType(type, getStaticSize()), batched);
}

Value BatchWalk::getBatched(Value value) {
  return toBatched(get(value), value.getType());
}

LogicalResult BatchWalk::batchBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(batch(&op)))
      return failure();
  return success();
}

void BatchWalk::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand).value);
  Operation *made = builder.clone(*op, mapping);
  for (auto [result, value] : llvm::zip(op->getResults(), made->getResults()))
    set(result, value, /*isBatched=*/false);
}

LogicalResult BatchWalk::batch(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return batchIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return batchFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return batchWhile(loop);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return batchCheckpoint(checkpoint);
  if (auto check = dyn_cast<cf::AssertOp>(op))
    return batchAssert(check);
  if (isOverThisBatch(op))
    return batchCollective(op);
  SmallVector<Row> operands = get(op->getOperands());
  if (llvm::none_of(operands, [](const Row &row) { return row.isBatched; })) {
    clone(op);
    return success();
  }
  if (auto call = dyn_cast<func::CallOp>(op))
    return batchCall(call);
  // The size of a row's dim is the same for all rows.
  if (auto dim = dyn_cast<tensor::DimOp>(op); dim && !operands[1].isBatched) {
    Value one = arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
    Value place = builder.createOrFold<arith::AddIOp>(op->getLoc(),
                                                      operands[1].value, one);
    set(dim,
        tensor::DimOp::create(builder, op->getLoc(), operands[0].value, place),
        /*isBatched=*/false);
    return success();
  }

  auto batchable = dyn_cast<BatchableOpInterface>(op);
  if (!batchable) {
    auto isScalar = [](Type type) { return !isa<ShapedType>(type); };
    if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
        llvm::all_of(op->getOperandTypes(), isScalar) &&
        llvm::all_of(op->getResultTypes(), isScalar))
      return batchScalar(op, operands);
    return op->emitError() << "'" << op->getName() << "' is not batchable";
  }
  SmallVector<Value> values;
  llvm::SmallBitVector batched(operands.size());
  for (auto [i, row] : llvm::enumerate(operands)) {
    values.push_back(row.value);
    if (row.isBatched)
      batched.set(i);
  }
  Rows made = batchable.batch(builder, values, batched);
  if (failed(made))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *made))
    set(result, toBatched({value, true}, result.getType()), /*isBatched=*/true);
  return success();
}

/// Arithmetic outside of kernels, as a kernel over the rows.
LogicalResult BatchWalk::batchScalar(Operation *op, ArrayRef<Row> operands) {
  Location loc = op->getLoc();
  Type word = builder.getI64Type();
  SmallVector<Operand> joined;
  for (const Row &row : operands)
    joined.push_back(row.isBatched
                         ? Operand{row.value, {0}}
                         : Operand{createRank0(builder, loc, row.value), {}});
  Value made = createBroadcast(
      builder, loc, joined, {size},
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Type type = op->getResult(0).getType();
        if (type.isIndex())
          type = word;
        // Indices are words there.
        if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
          unsigned from = in[0].getType().getIntOrFloatBitWidth(),
                   to = type.getIntOrFloatBitWidth();
          if (from == to)
            return in[0];
          if (from > to)
            return arith::TruncIOp::create(body, loc, type, in[0]);
          if (isa<arith::IndexCastUIOp>(op))
            return arith::ExtUIOp::create(body, loc, type, in[0]);
          return arith::ExtSIOp::create(body, loc, type, in[0]);
        }
        Operation *scalar = body.clone(*op);
        scalar->setOperands(in);
        scalar->getResult(0).setType(type);
        return scalar->getResult(0);
      });
  set(op->getResult(0),
      castTo(builder, loc,
             getBatchedType(op->getResult(0).getType(), getStaticSize()), made),
      /*isBatched=*/true);
  return success();
}

/// A call that stays one is of a function that is batched apart.
LogicalResult BatchWalk::batchCall(func::CallOp call) {
  llvm::SmallBitVector batched(call.getNumOperands());
  SmallVector<Value> operands;
  for (auto [i, row] : llvm::enumerate(get(call.getOperands()))) {
    operands.push_back(row.value);
    if (row.isBatched)
      batched.set(i);
  }
  StringAttr callee = callees ? callees(call, batched) : StringAttr();
  if (!callee)
    return call.emitError() << "'" << call.getCallee() << "' is not batchable";
  SmallVector<Type> types =
      llvm::map_to_vector(call.getResultTypes(), [&](Type type) -> Type {
        return getBatchedType(type, getStaticSize());
      });
  auto made =
      func::CallOp::create(builder, call.getLoc(), callee, types, operands);
  for (auto [result, value] : llvm::zip(call.getResults(), made.getResults()))
    set(result, value, /*isBatched=*/true);
  return success();
}
